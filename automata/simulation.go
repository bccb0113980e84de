package automata

import (
	"context"
	"errors"
	"math/bits"
	"slices"
)

// manyLabelLiterals is the product of edges and propositions above which nothing is
// merged: the disjunction of many labels of many propositions is too large to build.
const manyLabelLiterals = 1 << 15

// ReduceBySimulation merges states of a generalized Büchi automaton that simulate
// each other, forwards or backwards, and drops from labels what a better edge
// does: one with the same source whose destination simulates the other's, or
// with the same destination whose source does so backwards, in at least the same
// sets. It repeats that until nothing changes.
//
// Direct simulation with marks is that of Babiak, Badie, Duret-Lutz, Křetínský,
// Strejček ("Compositional approach to suspension and other improvements to LTL
// translation", 2013), computed on pairs of states; why transitions can be left
// out is shown by Clemente and Mayr ("Efficient reduction of nondeterministic
// automata", 2019). A run takes edges between components finitely often, so that
// their marks are free: rounds in which they have no sets and rounds in which
// they have all find different merges.
//
// A round takes time quadratic in states and in edges for each state, at worst as
// many rounds as pairs of states; in an automaton with which that would take more
// than seconds, bisimilar states are merged only, and none where labels are too large.
func ReduceBySimulation(ctx context.Context, a *Automaton) (*Automaton, error) {
	return transform(ctx, a, func(ctx context.Context, r *reducible) error {
		r.prune()
		return r.reduceBySimulation(ctx)
	})
}

// simulationCost bounds the comparisons of one round, about a second's work: an
// automaton for which a round may need more stays as it is.
const simulationCost = 4 << 20

// bisimulationEdges is the number of edges up to which the states of an automaton
// that is too large for simulation are merged by bisimulation.
const bisimulationEdges = 30_000

// simulationTooCostly estimates the comparisons of a round, which take the longer the more
// propositions labels may have.
func (r *reducible) simulationTooCostly() bool {
	cost := len(r.out) * r.edges()
	for _, out := range r.out {
		cost += len(out) * len(out)
	}
	return cost*(1+len(r.propositions)/16) > simulationCost
}

// reduceBySimulation does what ReduceBySimulation says to what prune left.
func (r *reducible) reduceBySimulation(ctx context.Context) error {
	if r.simulationTooCostly() && r.edges() <= bisimulationEdges && r.edges()*len(r.propositions) <= manyLabelLiterals { // coarse but quick
		if err := r.quotient(bisimilar, false); err != nil && !errors.Is(err, ErrFunctionTooLarge) {
			return err
		}
		r.prune()
	}
	for !r.simulationTooCostly() {
		states, edges := len(r.out), r.edges()
		for _, full := range []bool{false, true} {
			for _, backwards := range []bool{false, true} {
				if err := r.simulateOnce(ctx, backwards, full); err != nil {
					return err
				}
			}
		}
		if len(r.out) == states && r.edges() >= edges {
			break
		}
	}
	return r.functions.Err()
}

// simulateOnce merges all states that are equivalent in one direction, then
// drops what is dominated; edges between components count as in all sets, or in
// none.
func (r *reducible) simulateOnce(ctx context.Context, backwards, full bool) error {
	for {
		r.markTransient(full)
		s, err := newSimulation(ctx, r, backwards)
		if err != nil {
			return err
		}
		merged := s.mergeEquivalent()
		if !merged {
			s.dropDominated()
		}
		r.prune()
		if !merged {
			return r.functions.Err()
		}
	}
}

// markTransient puts the edges between components in all sets, or in none.
func (r *reducible) markTransient(full bool) {
	var marks uint64
	if full {
		marks = r.all()
	}
	c := r.components()
	for s, out := range r.out {
		for i, e := range out {
			if c.Of(State(s)) != c.Of(e.to) {
				out[i].marks = marks
			}
		}
	}
}

// simulation is the greatest simulation on the states of an automaton, read
// forwards or backwards.
type simulation struct {
	r         *reducible
	backwards bool
	step      [][]link   // of each state, in the direction read
	before    [][]State  // of each state, those with a step to it
	simulated [][]uint64 // row s has bit t if t simulates s
	room      []uint64   // for a row
	due       []pair     // to be looked at
	isDue     [][]uint64 // row s has bit t if (s, t) is due
	looks     int        // pairs looked at
}

// pair is a state and one that may simulate it.
type pair struct{ p, q State }

// newSimulation computes the greatest simulation by removing pairs until all that are
// left simulate step by step. Components of states come in the order against the steps:
// what simulates the states that a step leads to is known, and often little, so that
// only the states before these can simulate the one in hand. Hence a chain of any length
// takes time linear in it, but for the rows of the relation.
func newSimulation(ctx context.Context, r *reducible, backwards bool) (*simulation, error) {
	n := len(r.out)
	s := &simulation{
		r: r, backwards: backwards, step: r.out, before: make([][]State, n),
		simulated: make([][]uint64, n), isDue: make([][]uint64, n), room: make([]uint64, (n+63)/64),
	}
	if backwards {
		s.step = make([][]link, n)
	}
	for from, out := range r.out {
		for _, e := range out {
			if backwards {
				s.step[e.to] = append(s.step[e.to], link{State(from), e.marks, e.label})
				s.before[from] = append(s.before[from], e.to)
			} else {
				s.before[e.to] = append(s.before[e.to], State(from))
			}
		}
	}
	for p := range s.before {
		slices.Sort(s.before[p])
		s.before[p] = slices.Compact(s.before[p])
	}
	s.start()
	c := r.components()
	for i := range c.Count() {
		component := Component(i) // successors have lower numbers
		if backwards {
			component = Component(c.Count() - 1 - i)
		}
		if err := s.refine(ctx, c, component); err != nil {
			return nil, err
		}
	}
	return s, r.functions.Err()
}

// refine removes the pairs of the states of a component that do not simulate a step.
// All pairs of states that steps lead to from there are final.
func (s *simulation) refine(ctx context.Context, c *Components, component Component) error {
	for _, p := range c.States(component) {
		s.narrow(c, p)
	}
	for _, p := range c.States(component) {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.each(p, func(q State) {
			if q != p && !s.matches(p, q) {
				s.remove(c, p, q)
			}
		})
	}
	for len(s.due) > 0 {
		if s.looks%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		last := len(s.due) - 1
		p, q := s.due[last].p, s.due[last].q
		s.due = s.due[:last]
		s.isDue[p][q/64] &^= 1 << (q % 64)
		if s.has(p, q) && !s.matches(p, q) {
			s.remove(c, p, q)
		}
	}
	for _, p := range c.States(component) {
		s.isDue[p] = nil
	}
	return nil
}

// narrow leaves p the states with a step to one that simulates where a step of p leads:
// of the steps that leave the component, that to the state that fewest simulate.
func (s *simulation) narrow(c *Components, p State) {
	fewest, at := len(s.step)+1, State(0)
	for _, e := range s.step[p] {
		if c.Of(e.to) == c.Of(p) {
			continue
		}
		n := 0
		for _, word := range s.simulated[e.to] {
			n += bits.OnesCount64(word)
		}
		if n < fewest {
			fewest, at = n, e.to
		}
	}
	if fewest > len(s.step) {
		return
	}
	clear(s.room)
	s.each(at, func(to State) {
		for _, q := range s.before[to] {
			s.room[q/64] |= 1 << (q % 64)
		}
	})
	for i := range s.simulated[p] {
		s.simulated[p][i] &= s.room[i]
	}
}

// each calls visit for the states that simulate p, which may remove pairs of p.
func (s *simulation) each(p State, visit func(q State)) {
	for i, word := range s.simulated[p] {
		for ; word != 0; word &= word - 1 {
			visit(State(64*i + bits.TrailingZeros64(word)))
		}
	}
}

// remove notes that q does not simulate p, and that pairs before these two are to be
// looked at. Those of other components are not yet.
func (s *simulation) remove(c *Components, p, q State) {
	s.simulated[p][q/64] &^= 1 << (q % 64)
	for _, p2 := range s.before[p] {
		if c.Of(p2) != c.Of(p) {
			continue
		}
		if s.isDue[p2] == nil {
			s.isDue[p2] = make([]uint64, len(s.room))
		}
		for _, q2 := range s.before[q] {
			if p2 != q2 && s.has(p2, q2) && s.isDue[p2][q2/64]>>(q2%64)&1 == 0 {
				s.isDue[p2][q2/64] |= 1 << (q2 % 64)
				s.due = append(s.due, pair{p2, q2})
			}
		}
	}
}

// start relates all pairs, but backwards an initial state to initial ones only.
func (s *simulation) start() {
	n := len(s.r.out)
	isInitial := make([]bool, n)
	for _, p := range s.r.initial {
		isInitial[p] = true
	}
	for p := range s.simulated {
		s.simulated[p] = make([]uint64, (n+63)/64)
		for q := range n {
			if !s.backwards || !isInitial[p] || isInitial[q] {
				s.simulated[p][q/64] |= 1 << (q % 64)
			}
		}
	}
}

// has tells whether q simulates p.
func (s *simulation) has(p, q State) bool { return s.simulated[p][q/64]>>(q%64)&1 == 1 }

// matches tells whether each step of p is matched by steps of q.
func (s *simulation) matches(p, q State) bool {
	s.looks++
	for _, e := range s.step[p] {
		rest := e.label
		for _, f := range s.step[q] {
			if e.marks&^f.marks != 0 || !s.has(e.to, f.to) {
				continue
			}
			if f.label == rest || f.label == TrueFunction {
				rest = FalseFunction
			} else {
				rest = s.r.functions.Minus(rest, f.label)
			}
			if rest == FalseFunction {
				break
			}
		}
		if rest != FalseFunction {
			return false
		}
	}
	return true
}

// mergeEquivalent makes one of the states that simulate each other, with the
// edges of all of them in the other direction and those of one in the direction
// read; it tells whether there were any.
func (s *simulation) mergeEquivalent() bool {
	r, n := s.r, len(s.r.out)
	leader := make([]State, n)
	merged := false
	kept := make([]bool, n)
	for p := range n {
		leader[p] = State(p)
		for q := range p {
			if leader[q] == State(q) && s.has(State(p), State(q)) && s.has(State(q), State(p)) {
				leader[p] = State(q)
				merged = true
				break
			}
		}
		kept[p] = leader[p] == State(p)
	}
	if !merged {
		return false
	}
	out := make([][]link, n)
	for p := range r.out {
		for _, e := range r.out[p] {
			if s.backwards && !kept[e.to] || !s.backwards && !kept[p] {
				continue
			}
			e.to = leader[e.to]
			out[leader[p]] = append(out[leader[p]], e)
		}
	}
	for i, p := range r.initial {
		r.initial[i] = leader[p]
	}
	r.out = out
	r.keep(kept)
	return true
}

// dropDominated takes from the label of each edge the valuations for which there
// is a better one. No two states are equivalent.
func (s *simulation) dropDominated() {
	out := make([][]link, len(s.r.out))
	for p := range s.r.out {
		for _, e := range s.r.out[p] {
			at, to := State(p), e.to
			if s.backwards {
				at, to = to, at
			}
			for _, f := range s.step[at] {
				same := f.to == to && f.marks == e.marks
				if !same && e.marks&^f.marks == 0 && s.has(to, f.to) {
					e.label = s.r.functions.Minus(e.label, f.label)
				}
			}
			out[p] = append(out[p], e)
		}
	}
	s.r.out = out
	for p := range out {
		s.r.merge(State(p))
	}
}

package automata

import (
	"context"
	"errors"
	"math/bits"
)

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
// than seconds, bisimilar states are merged only.
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

// simulationTooCostly estimates the comparisons of a round.
func (r *reducible) simulationTooCostly() bool {
	cost := len(r.out) * r.edges()
	for _, out := range r.out {
		cost += len(out) * len(out)
	}
	return cost > simulationCost
}

// reduceBySimulation does what ReduceBySimulation says to what prune left.
func (r *reducible) reduceBySimulation(ctx context.Context) error {
	if r.simulationTooCostly() && r.edges() <= bisimulationEdges { // coarse but quick
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
	simulated [][]uint64 // row s has bit t if t simulates s
}

// newSimulation computes the greatest simulation by removing pairs until all
// that are left simulate step by step.
func newSimulation(ctx context.Context, r *reducible, backwards bool) (*simulation, error) {
	n := len(r.out)
	s := &simulation{r: r, backwards: backwards, step: r.out, simulated: make([][]uint64, n)}
	if backwards {
		s.step = make([][]link, n)
		for from, out := range r.out {
			for _, e := range out {
				s.step[e.to] = append(s.step[e.to], link{State(from), e.marks, e.label})
			}
		}
	}
	s.start()
	// Rounds alternate in direction, for what a state loses, those before it lose in
	// turn: a chain of any length is done in two rounds, however it is numbered.
	for changed, down := true, false; changed; down = !down {
		changed = false
		for p := range n {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if down {
				p = n - 1 - p
			}
			if s.shrink(State(p)) {
				changed = true
			}
		}
	}
	return s, r.functions.Err()
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

// shrink removes the pairs of p that do not simulate a step of p.
func (s *simulation) shrink(p State) bool {
	changed := false
	for i, word := range s.simulated[p] {
		for ; word != 0; word &= word - 1 {
			q := State(64*i + bits.TrailingZeros64(word))
			if q != p && !s.matches(p, q) {
				s.simulated[p][i] &^= word & -word
				changed = true
			}
		}
	}
	return changed
}

// matches tells whether each step of p is matched by steps of q.
func (s *simulation) matches(p, q State) bool {
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

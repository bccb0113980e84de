package marked

import (
	"context"
	"errors"
	"math/bits"
	"slices"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/internal/account"
	"pnmc/internal/bitset"
)

// ManyLabelLiterals is the product of edges and propositions above which nothing is
// merged: the disjunction of many labels of many propositions is too large to build.
const ManyLabelLiterals = 1 << 15

// ReduceBySimulation merges states of a generalized Büchi automaton that simulate each other,
// forwards or backwards, and drops from labels what a better edge does. An edge is better if it
// is in at least the same sets, and one of two things holds. It has the same source, and its
// destination simulates the other's. Or it has the same destination, and its source simulates
// the other's backwards. It repeats that until nothing changes.
//
// Direct simulation with marks is that of Babiak, Badie, Duret-Lutz, Křetínský,
// Strejček ("Compositional approach to suspension and other improvements to LTL
// translation", 2013), computed on pairs of states. Clemente and Mayr show why
// transitions can be left out ("Efficient reduction of nondeterministic automata",
// 2019). A run takes edges between components only finitely often, so their marks are
// free. Rounds in which they have no sets find other merges than rounds in which they
// have all sets.
//
// For example, a state has an edge labelled a | b to s, and one labelled a to t, in the same sets.
// If t simulates s, then whatever a run does from s by a, another does from t. So the first edge
// needs the label !a & b only: labels become disjoint, and sometimes empty. Backwards it is the same
// with edges into a state, and where they come from.
//
// Why edges may be dropped one after the other: no two states are equivalent, so "better" is a
// partial order on the edges of a state. Then the best edges are never dropped for each other.
//
// A round takes time quadratic in states and in edges for each state, and there are at worst as
// many rounds as pairs of states. In an automaton with which that would take more than seconds,
// only bisimilar states are merged, and none if labels are too large.
func ReduceBySimulation(ctx context.Context, a *automata.Automaton) (*automata.Automaton, error) {
	return Transform(ctx, a, func(ctx context.Context, r *Reducible) error {
		r.Prune()
		return r.ReduceBySimulation(ctx)
	})
}

// SimulationCost bounds the comparisons of one round, about a second's work: an
// automaton for which a round may need more stays as it is.
const SimulationCost = 4 << 20

// bisimulationEdges is the number of edges up to which the states of an automaton
// that is too large for simulation are merged by bisimulation.
const bisimulationEdges = 30_000

// simulationTooCostly reports whether a round makes too many comparisons, by an estimate.
// A comparison takes longer the more propositions labels may have.
func (r *Reducible) simulationTooCostly() bool {
	cost := len(r.Out) * r.Edges()
	for _, out := range r.Out {
		cost += len(out) * len(out)
	}
	return cost*(1+len(r.Propositions)/16) > SimulationCost
}

// ReduceBySimulation merges states and drops edges of a pruned automaton by simulation, in place.
func (r *Reducible) ReduceBySimulation(ctx context.Context) error {
	if r.simulationTooCostly() && r.Edges() <= bisimulationEdges && r.Edges()*len(r.Propositions) <= ManyLabelLiterals { // coarse but quick
		if err := r.Quotient(Bisimilar, false); err != nil && !errors.Is(err, bdd.ErrTooLarge) {
			return err
		}
		r.Prune()
	}
	for !r.simulationTooCostly() {
		states, edges := len(r.Out), r.Edges()
		for _, full := range []bool{false, true} {
			for _, backwards := range []bool{false, true} {
				if err := r.simulateOnce(ctx, backwards, full); err != nil {
					return err
				}
			}
		}
		if len(r.Out) == states && r.Edges() >= edges {
			break
		}
	}
	return r.Functions.Err()
}

// simulateOnce merges all states that are equivalent in one direction, then
// drops what is dominated; edges between components count as in all sets, or in
// none.
func (r *Reducible) simulateOnce(ctx context.Context, backwards, full bool) error {
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
		r.Prune()
		if !merged {
			return r.Functions.Err()
		}
	}
}

// markTransient puts the edges between components in all sets, or in none.
func (r *Reducible) markTransient(full bool) {
	var marks uint64
	if full {
		marks = r.All()
	}
	c := r.Components()
	for s, out := range r.Out {
		for i, e := range out {
			if c.Of(automata.State(s)) != c.Of(e.To) {
				out[i].Marks = marks
			}
		}
	}
}

// simulation is the greatest simulation on the states of an automaton, read
// forwards or backwards.
type simulation struct {
	r         *Reducible
	backwards bool
	step      [][]Link           // of each state, in the direction read
	before    [][]automata.State // of each state, those with a step to it
	simulated [][]uint64         // row s has bit t if t simulates s
	room      []uint64           // for a row
	due       []pair             // to be looked at
	isDue     [][]uint64         // row s has bit t if (s, t) is due
	looks     int                // pairs looked at
	// spent is how many edges were compared, and most how many of them, and steps of diagrams,
	// there may be; 0: any number.
	spent, most int
	look        int // spent when the context is looked at next
}

// pair is a state and one that may simulate it.
type pair struct{ p, q automata.State }

// newSimulation computes the greatest simulation by removing pairs until all that are
// left simulate step by step. Components of states come in the order against the steps.
// So it is known what simulates the states that a step leads to, and often that is
// little. Only the states before these can simulate the one in hand. Hence a chain of
// any length takes time linear in it, but for the rows of the relation.
func newSimulation(ctx context.Context, r *Reducible, backwards bool) (*simulation, error) {
	s := unrefinedSimulation(r, backwards)
	s.start()
	return s, s.refineAll(ctx)
}

// unrefinedSimulation relates no states yet.
func unrefinedSimulation(r *Reducible, backwards bool) *simulation {
	n := len(r.Out)
	s := &simulation{
		r: r, backwards: backwards, step: r.Out,
		simulated: make([][]uint64, n), isDue: make([][]uint64, n), room: make([]uint64, bitset.WordsFor(n)),
	}
	if !backwards {
		s.before = r.predecessors()
		return s
	}
	s.step, s.before = make([][]Link, n), make([][]automata.State, n)
	for from, out := range r.Out {
		for _, e := range out {
			s.step[e.To] = append(s.step[e.To], Link{automata.State(from), e.Marks, e.Label})
			s.before[from] = append(s.before[from], e.To)
		}
	}
	for p := range s.before {
		slices.Sort(s.before[p])
		s.before[p] = slices.Compact(s.before[p])
	}
	return s
}

// refineAll removes the pairs of all states that do not simulate step by step.
func (s *simulation) refineAll(ctx context.Context) error {
	c := s.r.Components()
	for i := range c.Count() {
		component := automata.Component(i) // successors have lower numbers
		if s.backwards {
			component = automata.Component(c.Count() - 1 - i)
		}
		if err := s.refine(ctx, c, component); err != nil {
			return err
		}
	}
	return s.r.Functions.Err()
}

// errSpent means that a simulation has used up its share of work.
var errSpent = errors.New("too much work to find what simulates what")

// spentPerLook is how many edges are compared between two looks at the context.
const spentPerLook = 1 << 12

// end returns the reason to stop, or nil.
func (s *simulation) end(ctx context.Context) error {
	if s.spent < s.look {
		return nil
	}
	s.look = s.spent + spentPerLook
	if s.most > 0 && s.spent+s.r.Functions.Steps > s.most {
		return errSpent
	}
	return account.Reason(ctx)
}

// refine removes the pairs of the states of a component that do not simulate a step.
// All pairs of states that steps lead to from there are final.
func (s *simulation) refine(ctx context.Context, c *automata.Components, component automata.Component) error {
	for _, p := range c.States(component) {
		s.narrow(c, p)
	}
	for _, p := range c.States(component) {
		if err := s.end(ctx); err != nil {
			return err
		}
		s.each(p, func(q automata.State) {
			if q != p && !s.matches(p, q) {
				s.remove(c, p, q)
			}
		})
	}
	for len(s.due) > 0 {
		if err := s.end(ctx); err != nil {
			return err
		}
		last := len(s.due) - 1
		p, q := s.due[last].p, s.due[last].q
		s.due = s.due[:last]
		bitset.Remove(s.isDue[p], q)
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
func (s *simulation) narrow(c *automata.Components, p automata.State) {
	fewest, at := len(s.step)+1, automata.State(0)
	for _, e := range s.step[p] {
		if c.Of(e.To) == c.Of(p) {
			continue
		}
		n := 0
		for _, word := range s.simulated[e.To] {
			n += bits.OnesCount64(word)
		}
		if n < fewest {
			fewest, at = n, e.To
		}
	}
	if fewest > len(s.step) {
		return
	}
	clear(s.room)
	s.each(at, func(to automata.State) {
		for _, q := range s.before[to] {
			bitset.Add(s.room, q)
		}
	})
	for i := range s.simulated[p] {
		s.simulated[p][i] &= s.room[i]
	}
}

// each calls visit for the states that simulate p, which may remove pairs of p.
func (s *simulation) each(p automata.State, visit func(q automata.State)) {
	for i, word := range s.simulated[p] {
		for ; word != 0; word &= word - 1 {
			visit(automata.State(64*i + bits.TrailingZeros64(word)))
		}
	}
}

// remove notes that q does not simulate p, and that pairs before these two are to be
// looked at. Those of other components are not yet.
func (s *simulation) remove(c *automata.Components, p, q automata.State) {
	bitset.Remove(s.simulated[p], q)
	for _, p2 := range s.before[p] {
		if c.Of(p2) != c.Of(p) {
			continue
		}
		if s.isDue[p2] == nil {
			s.isDue[p2] = make([]uint64, len(s.room))
		}
		for _, q2 := range s.before[q] {
			if p2 != q2 && s.has(p2, q2) && !bitset.Has(s.isDue[p2], q2) {
				bitset.Add(s.isDue[p2], q2)
				s.due = append(s.due, pair{p2, q2})
			}
		}
	}
}

// start relates all pairs, but backwards an initial state to initial ones only.
func (s *simulation) start() {
	n := len(s.r.Out)
	all, initial := make([]uint64, bitset.WordsFor(n)), make([]uint64, bitset.WordsFor(n))
	for p := range n {
		bitset.Add(all, p)
	}
	for _, p := range s.r.Initial {
		bitset.Add(initial, p)
	}
	for p := range s.simulated {
		if s.backwards && bitset.Has(initial, p) {
			s.simulated[p] = slices.Clone(initial)
		} else {
			s.simulated[p] = slices.Clone(all)
		}
	}
}

// has reports whether q simulates p.
func (s *simulation) has(p, q automata.State) bool { return bitset.Has(s.simulated[p], q) }

// matches reports whether each step of p is matched by steps of q.
func (s *simulation) matches(p, q automata.State) bool {
	s.looks++
	for _, e := range s.step[p] {
		rest := e.Label
		s.spent += len(s.step[q])
		for _, f := range s.step[q] {
			if e.Marks&^f.Marks != 0 || !s.has(e.To, f.To) {
				continue
			}
			if f.Label == rest || f.Label == bdd.TrueFunction {
				rest = bdd.FalseFunction
			} else {
				rest = s.r.Functions.Minus(rest, f.Label)
			}
			if rest == bdd.FalseFunction {
				break
			}
		}
		if rest != bdd.FalseFunction {
			return false
		}
	}
	return true
}

// mergeEquivalent merges states that simulate each other into one. It has the edges of
// one of them in the direction read, and those of all of them in the other direction.
// It reports whether there were any such states.
func (s *simulation) mergeEquivalent() bool {
	r, n := s.r, len(s.r.Out)
	leader := make([]automata.State, n)
	merged := false
	kept := make([]bool, n)
	for p := range n {
		leader[p] = automata.State(p)
		for q := range p {
			if leader[q] == automata.State(q) && s.has(automata.State(p), automata.State(q)) && s.has(automata.State(q), automata.State(p)) {
				leader[p] = automata.State(q)
				merged = true
				break
			}
		}
		kept[p] = leader[p] == automata.State(p)
	}
	if !merged {
		return false
	}
	out := make([][]Link, n)
	for p := range r.Out {
		for _, e := range r.Out[p] {
			if s.backwards && !kept[e.To] || !s.backwards && !kept[p] {
				continue
			}
			e.To = leader[e.To]
			out[leader[p]] = append(out[leader[p]], e)
		}
	}
	for i, p := range r.Initial {
		r.Initial[i] = leader[p]
	}
	r.Out = out
	r.Keep(kept)
	return true
}

// dropDominated takes from the label of each edge the valuations for which there is a
// better edge. It leaves a label as it is if the rest of it would have many cubes while
// the whole has few. No two states are equivalent.
func (s *simulation) dropDominated() {
	out := make([][]Link, len(s.r.Out))
	for p := range s.r.Out {
		for _, e := range s.r.Out[p] {
			at, to := automata.State(p), e.To
			if s.backwards {
				at, to = to, at
			}
			for _, f := range s.step[at] {
				same := f.To == to && f.Marks == e.Marks
				if !same && e.Marks&^f.Marks == 0 && s.has(to, f.To) {
					e.Label = s.r.shorter(e.Label, s.r.Functions.Minus(e.Label, f.Label))
				}
			}
			out[p] = append(out[p], e)
		}
	}
	s.r.Out = out
	for p := range out {
		s.r.Merge(automata.State(p))
	}
}

// shorter returns less, which implies label, or label itself if less has many cubes and label has not.
func (r *Reducible) shorter(label, less bdd.Function) bdd.Function {
	if less != label && r.isLong(less) && !r.isLong(label) {
		return label
	}
	return less
}

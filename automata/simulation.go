package automata

import (
	"context"
	"math/bits"
)

// ReduceBySimulation merges states of a generalized Büchi automaton that simulate
// each other, forwards and backwards, and drops from labels what a better edge
// does: one with the same source whose destination simulates the other's, or
// with the same destination whose source does so backwards, in at least the same
// sets. It repeats that until nothing changes.
//
// Direct simulation with marks is that of Babiak, Badie, Duret-Lutz, Křetínský,
// Strejček ("Compositional approach to suspension and other improvements to LTL
// translation", 2013), computed on pairs of states; why transitions can be left
// out is shown by Clemente and Mayr ("Efficient reduction of nondeterministic
// automata", 2019). Marks of edges between components are not asked for, and
// count as all sets when offered, because a run takes such edges finitely often.
//
// A round takes time quadratic in states and in edges for each state, at worst as
// many rounds as pairs of states.
func ReduceBySimulation(ctx context.Context, a *Automaton) (*Automaton, error) {
	return transform(ctx, a, func(ctx context.Context, r *reducible) error {
		r.prune()
		return r.reduceBySimulation(ctx)
	})
}

// reduceBySimulation does what ReduceBySimulation says to what prune left.
func (r *reducible) reduceBySimulation(ctx context.Context) error {
	for {
		states, edges := len(r.out), r.edges()
		for _, backwards := range []bool{false, true} {
			if err := r.simulateOnce(ctx, backwards); err != nil {
				return err
			}
		}
		if len(r.out) == states && r.edges() >= edges {
			return r.functions.Err()
		}
	}
}

// simulateOnce merges all states that are equivalent in one direction, then
// drops what is dominated.
func (r *reducible) simulateOnce(ctx context.Context, backwards bool) error {
	for {
		s, err := newSimulation(ctx, r, backwards)
		if err != nil {
			return err
		}
		if s.mergeEquivalent() {
			r.prune()
			continue
		}
		if s.dropDominated() {
			r.prune()
		}
		return r.functions.Err()
	}
}

// simulation is the greatest simulation on the states of an automaton, read
// forwards or backwards.
type simulation struct {
	r         *reducible
	backwards bool
	step      [][]simulationStep // of each state, in the direction read
	simulated [][]uint64         // row s has bit t if t simulates s
}

// simulationStep is an edge in the direction read. It asks for some marks and
// offers others.
type simulationStep struct {
	to           State
	label        Function
	asks, offers uint64
}

// newSimulation computes the greatest simulation by removing pairs until all
// that are left simulate step by step.
func newSimulation(ctx context.Context, r *reducible, backwards bool) (*simulation, error) {
	n := len(r.out)
	s := &simulation{r: r, backwards: backwards, step: make([][]simulationStep, n), simulated: make([][]uint64, n)}
	c := r.components()
	for from, out := range r.out {
		for _, e := range out {
			step := simulationStep{e.to, e.label, e.marks, e.marks}
			if c.Of(State(from)) != c.Of(e.to) {
				step.asks, step.offers = 0, r.all()
			}
			at := State(from)
			if backwards {
				at, step.to = step.to, at
			}
			s.step[at] = append(s.step[at], step)
		}
	}
	s.start()
	for changed := true; changed; {
		changed = false
		for p := range n {
			if err := ctx.Err(); err != nil {
				return nil, err
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
			if f.offers&e.asks != e.asks || !s.has(e.to, f.to) {
				continue
			}
			if rest = s.r.functions.Minus(rest, f.label); rest == FalseFunction {
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
// edges of all of them, and tells whether there were any. The edges of one of them
// would not do: where they are matched by edges between components, which after
// the merge may lie on a cycle, only the others carry the marks.
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
	c := r.components()
	for p := range r.out {
		for i, e := range r.out[p] {
			if c.Of(State(p)) != c.Of(e.to) {
				r.out[p][i].marks = 0 // may come to lie on a cycle
			}
		}
	}
	out := make([][]link, n)
	for p := range r.out {
		for _, e := range r.out[p] {
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

// dropDominated takes from the label of each step the valuations for which the
// same state has a better step, one that offers as much, and tells whether there
// were any. No two states are equivalent.
func (s *simulation) dropDominated() bool {
	changed := false
	c := s.r.components()
	for p := range s.r.out {
		for i := range s.r.out[p] {
			e := &s.r.out[p][i]
			at, to := State(p), e.to
			if s.backwards {
				at, to = to, at
			}
			offers := e.marks
			if c.Of(State(p)) != c.Of(e.to) {
				offers = s.r.all()
			}
			label := e.label
			for _, f := range s.step[at] {
				if f.to == to && f.offers == offers || f.offers&offers != offers || !s.has(to, f.to) {
					continue
				}
				label = s.r.functions.Minus(label, f.label)
			}
			if label != e.label {
				e.label = label
				changed = true
			}
		}
	}
	if changed {
		for p := range s.r.out {
			s.r.merge(State(p))
		}
	}
	return changed
}

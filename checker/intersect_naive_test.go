package checker

import (
	"fmt"
	"math/rand/v2"

	"pnmc/automata"
)

// naiveIntersects decides by definition: the full product as a list of edges, and
// for each disjunct of both conditions in disjunctive form a search, by plain
// reachability, for a state on a cycle with all that must recur and nothing that
// must not. It shares nothing with the engine.
func naiveIntersects(a, b *automata.Automaton) bool {
	type pair struct{ a, b automata.State }
	type edge struct {
		to   pair
		a, b automata.Marks
	}
	out := map[pair][]edge{}
	var todo []pair
	visit := func(p pair) {
		if _, seen := out[p]; !seen {
			out[p] = []edge{}
			todo = append(todo, p)
		}
	}
	for _, s := range a.Initial() {
		for _, t := range b.Initial() {
			visit(pair{s, t})
		}
	}
	for len(todo) > 0 {
		p := todo[0]
		todo = todo[1:]
		for e, end := a.Out(p.a); e < end; e++ {
			for f, last := b.Out(p.b); f < last; f++ {
				if naiveMeet(a, e, b, f) {
					q := pair{a.Destination(e), b.Destination(f)}
					out[p] = append(out[p], edge{q, a.Marks(e), b.Marks(f)})
					visit(q)
				}
			}
		}
	}
	for _, left := range naiveDisjuncts(a.Acceptance.Condition) {
		for _, right := range naiveDisjuncts(b.Acceptance.Condition) {
			allowed := func(e edge) bool { return naiveAllowed(left, e.a) && naiveAllowed(right, e.b) }
			reach := func(from pair) map[pair]bool {
				seen := map[pair]bool{}
				stack := []pair{from}
				for len(stack) > 0 {
					p := stack[len(stack)-1]
					stack = stack[:len(stack)-1]
					for _, e := range out[p] {
						if allowed(e) && !seen[e.to] {
							seen[e.to] = true
							stack = append(stack, e.to)
						}
					}
				}
				return seen
			}
			reached := map[pair]map[pair]bool{}
			for p := range out {
				reached[p] = reach(p)
			}
			for p := range out {
				if !reached[p][p] {
					continue
				}
				wantedLeft, wantedRight := naiveInf(left), naiveInf(right)
				for q := range reached[p] {
					for _, e := range out[q] {
						if reached[q][p] && allowed(e) && (e.to == p || reached[e.to][p]) {
							naiveSee(wantedLeft, e.a)
							naiveSee(wantedRight, e.b)
						}
					}
				}
				if len(wantedLeft)+len(wantedRight) == 0 {
					return true
				}
			}
		}
	}
	return false
}

// naiveMeet tries all valuations of the propositions of both.
func naiveMeet(a *automata.Automaton, e automata.Edge, b *automata.Automaton, f automata.Edge) bool {
	names := map[string]int{}
	for _, n := range append(append([]string(nil), a.Propositions...), b.Propositions...) {
		if _, known := names[n]; !known {
			names[n] = len(names)
		}
	}
	own := func(x *automata.Automaton, v uint64) automata.Valuation {
		w := make(automata.Valuation, x.ValuationWords())
		for p, n := range x.Propositions {
			w[p/64] |= v >> names[n] & 1 << (p % 64)
		}
		return w
	}
	for v := range uint64(1) << len(names) {
		if a.Matches(e, own(a, v)) && b.Matches(f, own(b, v)) {
			return true
		}
	}
	return false
}

// naiveDisjuncts is c in disjunctive form, each disjunct a list of literals.
func naiveDisjuncts(c *automata.Condition) [][]*automata.Condition {
	switch c.Operator {
	case automata.ConditionTrue:
		return [][]*automata.Condition{nil}
	case automata.Inf, automata.Fin:
		return [][]*automata.Condition{{c}}
	case automata.ConditionOr:
		var all [][]*automata.Condition
		for _, o := range c.Operands {
			all = append(all, naiveDisjuncts(o)...)
		}
		return all
	case automata.ConditionAnd:
		all := [][]*automata.Condition{nil}
		for _, o := range c.Operands {
			var next [][]*automata.Condition
			for _, left := range all {
				for _, right := range naiveDisjuncts(o) {
					next = append(next, append(append([]*automata.Condition(nil), left...), right...))
				}
			}
			all = next
		}
		return all
	}
	return nil
}

func naiveAllowed(literals []*automata.Condition, marks automata.Marks) bool {
	for _, l := range literals {
		if l.Operator == automata.Fin && marks.Has(l.Set) != l.Negated {
			return false
		}
	}
	return true
}

func naiveInf(literals []*automata.Condition) map[*automata.Condition]bool {
	wanted := map[*automata.Condition]bool{}
	for _, l := range literals {
		if l.Operator == automata.Inf {
			wanted[l] = true
		}
	}
	return wanted
}

func naiveSee(wanted map[*automata.Condition]bool, marks automata.Marks) {
	for l := range wanted {
		if marks.Has(l.Set) != l.Negated {
			delete(wanted, l)
		}
	}
}

// randomOperandPair is a pair of small automata of all kinds: with few or many
// sets, Fin or not, propositions in common or not, weak ones, and some whose
// language is empty.
func randomOperandPair(seed uint64) (a, b *automata.Automaton) {
	r := rand.New(rand.NewPCG(seed, 1))
	one := func(which uint64) *automata.Automaton {
		names := [][]string{{"a"}, {"a", "b"}, {"b", "a", "c"}, {"c", "d"}, {}}[r.IntN(5)]
		return automata.Random(automata.RandomSettings{
			States: 1 + r.IntN(5), Propositions: names, Density: []float64{0.1, 0.3, 0.5}[r.IntN(3)],
			LiteralProbability: []float64{0.3, 0.7, 1}[r.IntN(3)],
			Sets:               r.IntN(4), MarkProbability: []float64{0, 0.2, 0.5, 1}[r.IntN(4)],
			Condition: automata.RandomCondition(r.IntN(3)),
		}, 2*seed+which)
	}
	return one(0), one(1)
}

// lazyTwin hands out an explicit automaton on the fly; its states have other
// numbers.
type lazyTwin struct{ a *automata.Automaton }

const lazyTwinOffset = 1 << 20

func (l lazyTwin) Propositions() []string          { return l.a.Propositions }
func (l lazyTwin) Acceptance() automata.Acceptance { return l.a.Acceptance }

func (l lazyTwin) Initial() []uint32 {
	var states []uint32
	for _, s := range l.a.Initial() {
		states = append(states, uint32(s)+lazyTwinOffset)
	}
	return states
}

func (l lazyTwin) Out(s uint32, edges *LazyEdges) error {
	if s < lazyTwinOffset {
		return fmt.Errorf("state %d was never handed out", s)
	}
	for e, end := l.a.Out(automata.State(s - lazyTwinOffset)); e < end; e++ {
		edges.Add(l.a.Label(e), l.a.Marks(e), uint32(l.a.Destination(e))+lazyTwinOffset)
	}
	return nil
}

// randomStructure is a Kripke structure with or without fairness, and the same as
// an automaton.
type randomStructure struct {
	names      []string
	labels     []automata.Valuation
	marks      []automata.Marks
	successors [][]uint32
	acceptance automata.Acceptance
}

func newRandomStructure(seed uint64, fair bool) (*randomStructure, *automata.Automaton) {
	r := rand.New(rand.NewPCG(seed, 2))
	k := &randomStructure{names: [][]string{{"b"}, {"a", "b"}, {"b", "e", "a"}}[r.IntN(3)], acceptance: automata.GeneralizedBuchi(0)}
	if fair {
		k.acceptance = automata.Random(automata.RandomSettings{
			States: 1, Sets: 1 + r.IntN(3), Condition: automata.RandomCondition(r.IntN(3)),
		}, seed).Acceptance
	}
	b := automata.NewBuilder(k.names, k.acceptance)
	n := 1 + r.IntN(6)
	b.AddStates(n)
	b.AddInitial(0)
	for s := range n {
		v := automata.Valuation{r.Uint64() & (1<<len(k.names) - 1)}
		m := automata.NewMarks(k.acceptance.Sets)
		for i := range k.acceptance.Sets {
			m[0] |= r.Uint64() & 1 << i
		}
		var successors []uint32
		for t := range n {
			if r.IntN(3) == 0 {
				successors = append(successors, uint32(t))
				b.AddEdge(automata.State(s), automata.Label{automata.CompleteCube(len(k.names), v)}, m, automata.State(t))
			}
		}
		k.labels, k.marks, k.successors = append(k.labels, v), append(k.marks, m), append(k.successors, successors)
	}
	a, err := b.Build()
	if err != nil {
		panic(err)
	}
	return k, a
}

func (k *randomStructure) Propositions() []string               { return k.names }
func (k *randomStructure) Initial() []uint32                    { return []uint32{0} }
func (k *randomStructure) Label(s uint32, v automata.Valuation) { copy(v, k.labels[s]) }
func (k *randomStructure) Acceptance() automata.Acceptance      { return k.acceptance }
func (k *randomStructure) Marks(s uint32, m automata.Marks)     { copy(m, k.marks[s]) }
func (k *randomStructure) Successors(s uint32, to []uint32) ([]uint32, error) {
	return append(to, k.successors[s]...), nil
}

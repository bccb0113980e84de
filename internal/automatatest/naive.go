package automatatest

import (
	"math/rand/v2"
	"testing"

	"pnmc/automata"
	"pnmc/internal/bitset"
)

// NaiveIntersects decides by definition: the full product as a list of edges, and
// for each disjunct of both conditions in disjunctive form a search, by plain
// reachability, for a state on a cycle with all that must recur and nothing that
// must not. It shares nothing with the engine.
//
// For each disjunct, edges that a literal Fin forbids are left out. A state that can reach itself
// then lies on a cycle, and all edges of its component can be on one cycle with it: so the
// literals Inf are satisfied if each has any edge there. Letters are all valuations of the
// propositions of both, 2^n of them, and the sets that are reached are computed for each state
// anew: that is far too slow for anything but tests, and so simple that it is easily seen to be
// right.
func NaiveIntersects(a, b *automata.Automaton) bool {
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
			bitset.Put(w, p, v>>names[n]&1)
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

// naiveDisjuncts returns c in disjunctive form, each disjunct a list of literals.
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

// naiveAllowed reports whether an edge with these marks may recur, by the literals Fin.
func naiveAllowed(literals []*automata.Condition, marks automata.Marks) bool {
	for _, l := range literals {
		if l.Operator == automata.Fin && marks.Has(l.Set) != l.Negated {
			return false
		}
	}
	return true
}

// naiveInf returns the literals Inf.
func naiveInf(literals []*automata.Condition) map[*automata.Condition]bool {
	wanted := map[*automata.Condition]bool{}
	for _, l := range literals {
		if l.Operator == automata.Inf {
			wanted[l] = true
		}
	}
	return wanted
}

// naiveSee takes from wanted what an edge with these marks satisfies.
func naiveSee(wanted map[*automata.Condition]bool, marks automata.Marks) {
	for l := range wanted {
		if marks.Has(l.Set) != l.Negated {
			delete(wanted, l)
		}
	}
}

// RandomOperandPair returns a pair of small automata of all kinds: with few or many
// sets, Fin or not, propositions in common or not, weak ones, and some whose
// language is empty.
func RandomOperandPair(seed uint64) (a, b *automata.Automaton) {
	r := rand.New(rand.NewPCG(seed, 1))
	one := func(which uint64) *automata.Automaton {
		names := [][]string{{"a"}, {"a", "b"}, {"b", "a", "c"}, {"c", "d"}, {}}[r.IntN(5)]
		return Random(RandomSettings{
			States: 1 + r.IntN(5), Propositions: names, Density: []float64{0.1, 0.3, 0.5}[r.IntN(3)],
			LiteralProbability: []float64{0.3, 0.7, 1}[r.IntN(3)],
			Sets:               r.IntN(4), MarkProbability: []float64{0, 0.2, 0.5, 1}[r.IntN(4)],
			Condition: RandomCondition(r.IntN(3)),
		}, 2*seed+which)
	}
	return one(0), one(1)
}

// Pigeonhole returns an automaton whose condition puts holes+1 pigeons into holes, each into
// one at least, and no two into the same. No word is accepted, and it takes time
// exponential in holes to find that out.
func Pigeonhole(t *testing.T, holes int) *automata.Automaton {
	t.Helper()
	set := func(pigeon, hole int) int { return pigeon*holes + hole }
	c := &automata.Condition{Operator: automata.ConditionAnd}
	or := func(operands ...*automata.Condition) {
		c.Operands = append(c.Operands, &automata.Condition{Operator: automata.ConditionOr, Operands: operands})
	}
	for p := range holes + 1 {
		var somewhere []*automata.Condition
		for h := range holes {
			somewhere = append(somewhere, &automata.Condition{Operator: automata.Inf, Set: set(p, h)})
			for q := range p {
				or(&automata.Condition{Operator: automata.Fin, Set: set(p, h)}, &automata.Condition{Operator: automata.Fin, Set: set(q, h)})
			}
		}
		or(somewhere...)
	}
	sets := (holes + 1) * holes
	b := automata.NewBuilder([]string{"a"}, automata.Acceptance{Sets: sets, Condition: c})
	b.AddStates(1)
	b.AddInitial(0)
	for s := range sets {
		b.AddEdge(0, automata.Label{automata.NewCube(1)}, automata.NewMarks(sets, s), 0)
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// UniversalAutomaton accepts every word.
func UniversalAutomaton() *automata.Automaton {
	b := automata.NewBuilder(nil, automata.GeneralizedBuchi(0))
	b.AddStates(1)
	b.AddInitial(0)
	b.AddEdge(0, automata.Label{automata.NewCube(0)}, automata.NewMarks(0), 0)
	a, err := b.Build()
	if err != nil {
		panic(err)
	}
	return a
}

// RandomBuchi returns a Büchi automaton with 15 states in which runs branch.
func RandomBuchi(seed uint64) *automata.Automaton {
	return Random(RandomSettings{
		States: 15, Propositions: []string{"a"}, Density: 0.2, LiteralProbability: 0.5, Sets: 1, MarkProbability: 0.2,
	}, seed)
}

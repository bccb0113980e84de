package checker_test

import (
	"slices"

	"pnmc/automata"
	"pnmc/checker"
	"pnmc/checker/properties"
	"pnmc/internal/bitset"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
	"pnmc/petri/petritest"
	"pnmc/petri/symmetric"
)

// twin answers questions by the definitions, on all markings of a net; those of a coloured
// net on the net that it unfolds to.
type twin struct {
	net                 *petri.Net
	graph               *petritest.Graph
	places, transitions [][]uint32 // what each node of the questions stands for
}

func newTwin(net *petri.Net, g *petritest.Graph) *twin {
	w := &twin{net: net, graph: g}
	for p := range uint32(net.Places()) {
		w.places = append(w.places, []uint32{p})
	}
	for t := range uint32(net.Transitions()) {
		w.transitions = append(w.transitions, []uint32{t})
	}
	return w
}

func newColouredTwin(u *symmetric.Unfolding, g *petritest.Graph) *twin {
	w := &twin{net: u.Net, graph: g}
	for _, members := range u.Places {
		var list []uint32
		for _, p := range members {
			list = append(list, uint32(p))
		}
		w.places = append(w.places, list)
	}
	for _, members := range u.Transitions {
		var list []uint32
		for _, t := range members {
			list = append(list, uint32(t))
		}
		w.transitions = append(w.transitions, list)
	}
	return w
}

// tokens are those of a place of the questions in marking i.
func (w *twin) tokens(place uint32, i int) (total int64) {
	for _, p := range w.places[place] {
		total += w.graph.Markings[i][p]
	}
	return total
}

func (w *twin) enabled(transition uint32, i int) bool {
	return slices.ContainsFunc(w.transitions[transition], func(t uint32) bool {
		return w.net.Enabled(w.graph.Markings[i], petri.Transition(t))
	})
}

func (w *twin) holds(p *logic.Predicate, i int) bool {
	counts := make([]int64, len(w.places))
	for q := range counts {
		counts[q] = w.tokens(uint32(q), i)
	}
	return p.Holds(counts, len(w.transitions), func(t uint32) bool { return w.enabled(t, i) })
}

// where tells of each marking whether it satisfies p.
func (w *twin) where(p *logic.Predicate) []bool {
	v := make([]bool, len(w.graph.Markings))
	for i := range v {
		v[i] = w.holds(p, i)
	}
	return v
}

func (w *twin) ctl(f *ctl.Formula) []bool {
	if f.Operator == ctl.State {
		return w.where(f.Predicate)
	}
	var operands [][]bool
	for _, o := range f.Operands {
		operands = append(operands, w.ctl(o))
	}
	return naiveBranching(w.graph, f.Operator, operands)
}

// naiveBranching is where a formula of CTL holds whose operands hold so.
func naiveBranching(g *petritest.Graph, operator ctl.Operator, operands [][]bool) []bool {
	each := func(value func(i int) bool) []bool {
		v := make([]bool, len(g.Markings))
		for i := range v {
			v[i] = value(i)
		}
		return v
	}
	switch operator {
	case logic.Not:
		return each(func(i int) bool { return !operands[0][i] })
	case logic.And:
		return each(func(i int) bool {
			return !slices.ContainsFunc(operands, func(x []bool) bool { return !x[i] })
		})
	case logic.Or:
		return each(func(i int) bool {
			return slices.ContainsFunc(operands, func(x []bool) bool { return x[i] })
		})
	case ctl.ExistsNext, ctl.AllNext:
		return g.Next(operator == ctl.AllNext, operands[0])
	case ctl.ExistsFinally, ctl.AllFinally:
		return g.Finally(operator == ctl.AllFinally, operands[0])
	case ctl.ExistsGlobally, ctl.AllGlobally:
		return g.Globally(operator == ctl.AllGlobally, operands[0])
	}
	return g.Until(operator == ctl.AllUntil, operands[0], operands[1])
}

// answer is the value of a question; ok is false if it takes too long.
func (w *twin) answer(q checker.Question) (value checker.Value, ok bool) {
	n := len(w.graph.Markings)
	some := func(holds func(i int) bool) bool {
		for i := range n {
			if holds(i) {
				return true
			}
		}
		return false
	}
	every := func(count int, holds func(k uint32) bool) checker.Value {
		for k := range uint32(count) {
			if !holds(k) {
				return checker.Truth(false)
			}
		}
		return checker.Truth(true)
	}
	switch q := q.(type) {
	case checker.Reachable:
		return checker.Truth(slices.Contains(w.where(q.Predicate), true)), true
	case checker.Invariant:
		return checker.Truth(!slices.Contains(w.where(q.Predicate), false)), true
	case checker.Branching:
		return checker.Truth(w.ctl(q.Formula)[0]), true
	case checker.Linear:
		violated, ok := violatedLinear(w.graph, q.Formula, func(proposition, i int) bool { return w.holds(q.Predicates[proposition], i) })
		return checker.Truth(!violated), ok
	case checker.Automaton:
		accepted := w.accepts(q.Property)
		return checker.Truth(!accepted), true
	case checker.Bound:
		largest := int64(-1 << 62)
		for i := range n {
			v := q.Sum.Constant
			for _, t := range q.Sum.Terms {
				v += t.Coefficient * w.tokens(t.Place, i)
			}
			largest = max(largest, v)
		}
		return checker.Number(largest), true
	case checker.Deadlock:
		return checker.Truth(some(func(i int) bool { return len(w.graph.Edges[i]) == 0 })), true
	case checker.QuasiLive:
		return every(len(w.transitions), func(t uint32) bool { return some(func(i int) bool { return w.enabled(t, i) }) }), true
	case checker.Live:
		return every(len(w.transitions), func(t uint32) bool {
			enabled := make([]bool, n)
			for i := range enabled {
				enabled[i] = w.enabled(t, i)
			}
			return w.graph.Globally(true, w.graph.Finally(false, enabled))[0]
		}), true
	case checker.OneSafe:
		return every(len(w.places), func(p uint32) bool { return !some(func(i int) bool { return w.tokens(p, i) > 1 }) }), true
	case checker.StableMarking:
		unstable := every(len(w.places), func(p uint32) bool { return some(func(i int) bool { return w.tokens(p, i) != w.tokens(p, 0) }) })
		return checker.Truth(unstable.IsFalse()), true
	case checker.Size:
		return checker.Number(w.size(q)), true
	}
	return checker.Value{}, false
}

func (w *twin) size(s checker.Size) (value int64) {
	for i, m := range w.graph.Markings {
		total := int64(0)
		for _, tokens := range m {
			if total += tokens; s == checker.TokensInPlace {
				value = max(value, tokens)
			}
		}
		switch s {
		case checker.Markings:
			value++
		case checker.Firings:
			value += int64(len(w.graph.Edges[i]))
		case checker.TokensPerMarking:
			value = max(value, total)
		}
	}
	return value
}

// accepts reports whether an automaton accepts some run.
func (w *twin) accepts(property properties.Property) bool {
	a := property.Automaton
	labels := make([]automata.Valuation, len(w.graph.Markings))
	for i := range labels {
		labels[i] = make(automata.Valuation, a.ValuationWords())
		for n, p := range property.Predicates {
			if w.holds(p, i) {
				bitset.Add(labels[i], n)
			}
		}
	}
	return naiveAccepts(w.graph, a, labels)
}

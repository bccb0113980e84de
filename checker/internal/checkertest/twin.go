package checkertest

import (
	"slices"

	"pnmc/automata"
	"pnmc/checker/inquiry"
	"pnmc/checker/properties"
	"pnmc/internal/bitset"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// Twin answers questions by the definitions, on all markings of a net; those of a coloured
// net on the net that it unfolds to. Tests compare the engines with it on nets so small that all
// markings can be listed. For each question it does what the definition says, however long that
// takes. That a net is live, for example, is AG EF "t is enabled" for each transition t.
type Twin struct {
	net                 *petri.Net
	graph               *petritest.Graph
	places, transitions [][]uint32 // what each node of the questions stands for
}

// NewTwin returns the twin for questions about net, whose markings are those of g.
func NewTwin(net *petri.Net, g *petritest.Graph) *Twin {
	w := &Twin{net: net, graph: g}
	for p := range uint32(net.Places()) {
		w.places = append(w.places, []uint32{p})
	}
	for t := range uint32(net.Transitions()) {
		w.transitions = append(w.transitions, []uint32{t})
	}
	return w
}

// NewColouredTwin returns the twin for questions about a coloured net, which unfolds to u.
func NewColouredTwin(u *symmetric.Unfolding, g *petritest.Graph) *Twin {
	w := &Twin{net: u.Net, graph: g}
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

// tokens returns how many tokens a place of the questions has in marking i: a coloured one has those
// of all of its instances.
func (w *Twin) tokens(place uint32, i int) (total int64) {
	for _, p := range w.places[place] {
		total += w.graph.Markings[i][p]
	}
	return total
}

// enabled reports whether a transition of the questions, some instance of it, is enabled in marking i.
func (w *Twin) enabled(transition uint32, i int) bool {
	return slices.ContainsFunc(w.transitions[transition], func(t uint32) bool {
		return w.net.Enabled(w.graph.Markings[i], petri.Transition(t))
	})
}

// holds reports whether marking i satisfies p.
func (w *Twin) holds(p *logic.Predicate, i int) bool {
	counts := make([]int64, len(w.places))
	for q := range counts {
		counts[q] = w.tokens(uint32(q), i)
	}
	return p.Holds(counts, len(w.transitions), func(t uint32) bool { return w.enabled(t, i) })
}

// where returns for each marking whether it satisfies p.
func (w *Twin) where(p *logic.Predicate) []bool {
	v := make([]bool, len(w.graph.Markings))
	for i := range v {
		v[i] = w.holds(p, i)
	}
	return v
}

// ctl returns where f holds.
func (w *Twin) ctl(f *ctl.Formula) []bool {
	if f.Operator == ctl.State {
		return w.where(f.Predicate)
	}
	var operands [][]bool
	for _, o := range f.Operands {
		operands = append(operands, w.ctl(o))
	}
	return Branching(w.graph, f.Operator, operands)
}

// Answer returns the value of a question; ok is false if it takes too long.
func (w *Twin) Answer(q inquiry.Question) (value inquiry.Value, ok bool) {
	n := len(w.graph.Markings)
	some := func(holds func(i int) bool) bool {
		for i := range n {
			if holds(i) {
				return true
			}
		}
		return false
	}
	every := func(count int, holds func(k uint32) bool) inquiry.Value {
		for k := range uint32(count) {
			if !holds(k) {
				return inquiry.Truth(false)
			}
		}
		return inquiry.Truth(true)
	}
	switch q := q.(type) {
	case inquiry.Reachable:
		return inquiry.Truth(slices.Contains(w.where(q.Predicate), true)), true
	case inquiry.Invariant:
		return inquiry.Truth(!slices.Contains(w.where(q.Predicate), false)), true
	case inquiry.Branching:
		return inquiry.Truth(w.ctl(q.Formula)[0]), true
	case inquiry.Linear:
		violated, ok := violatedLinear(w.graph, q.Formula, func(proposition, i int) bool { return w.holds(q.Predicates[proposition], i) })
		return inquiry.Truth(!violated), ok
	case inquiry.Automaton:
		accepted := w.accepts(q.Property)
		return inquiry.Truth(!accepted), true
	case inquiry.Bound:
		largest := int64(-1 << 62)
		for i := range n {
			value := func(s *logic.Sum) int64 {
				v := s.Constant
				for _, t := range s.Terms {
					v += t.Coefficient * w.tokens(t.Place, i)
				}
				return v
			}
			total := value(&q.Sum)
			for _, product := range q.Products {
				v := product.Coefficient
				for j := range product.Factors {
					v *= value(&product.Factors[j])
				}
				total += v
			}
			largest = max(largest, total)
		}
		return inquiry.Number(largest), true
	case inquiry.Deadlock:
		return inquiry.Truth(some(func(i int) bool { return len(w.graph.Edges[i]) == 0 })), true
	case inquiry.QuasiLive:
		return every(len(w.transitions), func(t uint32) bool { return some(func(i int) bool { return w.enabled(t, i) }) }), true
	case inquiry.Live:
		return every(len(w.transitions), func(t uint32) bool {
			enabled := make([]bool, n)
			for i := range enabled {
				enabled[i] = w.enabled(t, i)
			}
			return w.graph.Globally(true, w.graph.Finally(false, enabled))[0]
		}), true
	case inquiry.OneSafe:
		return every(len(w.places), func(p uint32) bool { return !some(func(i int) bool { return w.tokens(p, i) > 1 }) }), true
	case inquiry.StableMarking:
		unstable := every(len(w.places), func(p uint32) bool { return some(func(i int) bool { return w.tokens(p, i) != w.tokens(p, 0) }) })
		return inquiry.Truth(unstable.IsFalse()), true
	case inquiry.Size:
		return inquiry.Number(w.size(q)), true
	}
	return inquiry.Value{}, false
}

// size returns one of the four sizes of the state space.
func (w *Twin) size(s inquiry.Size) (value int64) {
	for i, m := range w.graph.Markings {
		total := int64(0)
		for _, p := range slices.Concat(w.places...) {
			if total += m[p]; s == inquiry.TokensInPlace {
				value = max(value, m[p])
			}
		}
		switch s {
		case inquiry.Markings:
			value++
		case inquiry.Firings:
			value += int64(len(w.graph.Edges[i]))
		case inquiry.TokensPerMarking:
			value = max(value, total)
		}
	}
	return value
}

// accepts reports whether an automaton accepts some run.
func (w *Twin) accepts(property properties.Property) bool {
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
	return Accepts(w.graph, a, labels)
}

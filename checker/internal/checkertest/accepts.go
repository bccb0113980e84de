package checkertest

import (
	"slices"

	"pnmc/automata"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
)

// Accepts reports whether an automaton accepts some run through markings with labels. In a deadlock
// the marking is repeated.
//
// It makes the product, and computes for each state of it which others it reaches. Two states that
// reach each other are in one strongly connected component. A run can go round all edges of a
// component again and again, and so have all of their marks infinitely often. Conditions are made of
// Inf only, without Fin and complements, so that more marks never hurt. So some run is accepted if and
// only if the marks of a component that can be reached satisfy the condition. This takes time
// quadratic in the product, and more.
func Accepts(g *petritest.Graph, a *automata.Automaton, labels []automata.Valuation) bool {
	type edge struct {
		to    int
		marks automata.Marks
	}
	size := len(g.Markings) * a.States()
	edges := make([][]edge, size)
	for i := range g.Markings {
		label := labels[i]
		targets := []int{i}
		if len(g.Edges[i]) > 0 {
			targets = nil
			for _, f := range g.Edges[i] {
				targets = append(targets, f.To)
			}
		}
		for e := range automata.Edge(a.Edges()) {
			if a.Label(e).Matches(label) {
				for _, to := range targets {
					from := i*a.States() + int(a.Source(e))
					edges[from] = append(edges[from], edge{to*a.States() + int(a.Destination(e)), a.Marks(e)})
				}
			}
		}
	}
	reach := func(from int) []bool {
		seen, todo := make([]bool, size), []int{from}
		for len(todo) > 0 {
			s := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, e := range edges[s] {
				if !seen[e.to] {
					seen[e.to] = true
					todo = append(todo, e.to)
				}
			}
		}
		return seen
	}
	from := make([][]bool, size)
	for s := range from {
		from[s] = reach(s)
	}
	for _, q := range a.Initial() {
		start := int(q)
		for s := range from {
			if s != start && !from[start][s] || !from[s][s] {
				continue
			}
			union := make(automata.Marks, a.MarkWords())
			for other := range from {
				if !from[s][other] || !from[other][s] {
					continue
				}
				for _, e := range edges[other] {
					if from[s][e.to] && from[e.to][s] {
						for w := range union {
							union[w] |= e.marks[w]
						}
					}
				}
			}
			if a.Acceptance.Condition.Accepts(union, union) {
				return true
			}
		}
	}
	return false
}

// Truth returns where a formula of CTL holds, by the definitions.
func Truth(net *petri.Net, g *petritest.Graph, f *ctl.Formula) []bool {
	var operands [][]bool
	for _, o := range f.Operands {
		operands = append(operands, Truth(net, g, o))
	}
	if f.Operator == ctl.State {
		v := make([]bool, len(g.Markings))
		for i := range v {
			v[i] = witness.Satisfies(net, g.Markings[i], f.Predicate)
		}
		return v
	}
	return Branching(g, f.Operator, operands)
}

// Branching returns where a formula of CTL holds, by where its operands do. Sets of markings are lists
// of truth values: with an edge from marking 0 to 1 only, EX of (false, true) is (true, false).
func Branching(g *petritest.Graph, operator ctl.Operator, operands [][]bool) []bool {
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

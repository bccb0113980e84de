package automata

import (
	"context"

	"pnmc/automata/internal/effort"
)

// HasAcceptingCycle reports whether some state, reachable or not, lies on a cycle that
// the acceptance condition accepts. It is linear for conditions without Fin. Otherwise
// it may be exponential in the number of Fin. An error is that of the context, or says
// that this price is too high.
func HasAcceptingCycle(ctx context.Context, a *Automaton) (bool, error) {
	c := FindComponents(a)
	search := newCycleSearch(ctx, a)
	for n := range c.Count() {
		if edges := insideEdges(a, c, Component(n)); len(edges) > 0 && search.accepting(edges, a.Acceptance.Condition) {
			return true, search.Err
		}
	}
	return false, search.Err
}

// cycleSearch looks for accepted cycles in sets of edges, for any acceptance condition, as in
// "Generic emptiness check for fun and profit" (Baier, Blahoudek, Duret-Lutz, Klein, Müller,
// Strejček, 2019). There are three cases. A condition without Fin holds on a strongly connected
// set as a whole or not at all. Of a disjunction each part is looked at alone. Otherwise some Fin
// is either obeyed, by leaving out its edges, or given up.
//
// The problem with Fin: a component with an edge in set 0 may have a cycle that avoids set 0, so that
// the marks of the whole say little. For example, let a state have a loop e in sets 0 and 1, and a
// loop f in set 1, and let the condition be Fin(0) & Inf(1). Every edge is in set 1, so Inf(1) is
// true. Fin(0) is false of the whole. Obeyed, it leaves the loop f, a component of its own, and
// there the condition is true: a run that takes f for ever is accepted.
//
// Why it is right: an accepting run takes a set of edges infinitely often, which is strongly
// connected. Either none of its edges is in set 0: then it lies in a component of what is left
// without set 0. Or one of them is: then Fin(0) is false of it. Both cases are looked at.
//
// It is exponential in the number of Fin at worst, and ends with its effort.
type cycleSearch struct {
	*effort.Bound
	a         *Automaton
	some, all Marks
}

// cycleWork bounds the extra work of all searches for cycles of one kind in an automaton,
// to some tenths of a second. The least work is to look at each edge for each literal.
const cycleWork = 1 << 24

// literalWork is the work that a part of a condition is, compared with a word of marks.
const literalWork = 8

// newCycleSearch returns a search with the effort that it takes at least, which grows with the
// condition and the edges, and cycleWork beyond that.
func newCycleSearch(ctx context.Context, a *Automaton) *cycleSearch {
	size := a.Acceptance.Condition.size()
	least := (size + 1) * a.Edges() * (a.markWords + 1)
	return &cycleSearch{effort.New(ctx, cycleWork+least), a, make(Marks, a.markWords), make(Marks, a.markWords)}
}

// accepting reports whether some cycle of these edges satisfies the condition. The
// edges form one strongly connected graph and are not none. Once the effort has ended
// the result says nothing.
func (w *cycleSearch) accepting(edges []Edge, condition *Condition) bool {
	if !w.Spend(len(edges)*(w.a.markWords+1) + literalWork*condition.size()) {
		return false
	}
	for i := range w.some {
		w.some[i], w.all[i] = 0, ^uint64(0)
	}
	for _, e := range edges {
		for i, m := range w.a.Marks(e) {
			w.some[i] |= m
			w.all[i] &= m
		}
	}
	rest := condition.given(w.some, w.all)
	switch rest.Operator {
	case ConditionTrue:
		return true
	case ConditionFalse:
		return false
	}
	fin := rest.requiredFin()
	if fin == nil { // some Inf that every cycle can visit: the whole set does
		return true
	}
	if rest.Operator == ConditionOr {
		for _, o := range rest.Operands {
			if w.accepting(edges, o) {
				return true
			}
		}
		return false
	}
	var kept []Edge
	for _, e := range edges {
		if w.a.Marks(e).Has(fin.Set) == fin.Negated {
			kept = append(kept, e)
		}
	}
	for _, part := range w.components(kept) {
		if w.accepting(part, rest.with(fin, ConditionTrue)) {
			return true
		}
	}
	rest = rest.with(fin, ConditionFalse)
	return rest.Operator != ConditionFalse && w.accepting(edges, rest)
}

// components splits edges into those of each strongly connected component of the
// graph that they are, edges between components left out.
func (w *cycleSearch) components(edges []Edge) [][]Edge {
	if len(edges) == 0 {
		return nil
	}
	local := map[State]State{}
	for _, e := range edges {
		for _, s := range [2]State{w.a.source[e], w.a.destination[e]} {
			if _, known := local[s]; !known {
				local[s] = State(len(local))
			}
		}
	}
	start := make([]uint32, len(local)+1)
	for _, e := range edges { // grouped by source in a, and so here by counting
		start[local[w.a.source[e]]+1]++
	}
	for s := range len(local) {
		start[s+1] += start[s]
	}
	next := append([]uint32(nil), start...)
	destination := make([]State, len(edges))
	for _, e := range edges {
		s := local[w.a.source[e]]
		destination[next[s]] = local[w.a.destination[e]]
		next[s]++
	}
	c := ComponentsOf(start, destination)
	parts := make([][]Edge, c.Count())
	for _, e := range edges {
		from, to := c.Of(local[w.a.source[e]]), c.Of(local[w.a.destination[e]])
		if from == to {
			parts[from] = append(parts[from], e)
		}
	}
	var cyclic [][]Edge
	for _, part := range parts {
		if len(part) > 0 {
			cyclic = append(cyclic, part)
		}
	}
	return cyclic
}

// given replaces what a set of edges decides by constants. some is the union of the
// marks of the edges, and all their intersection. For a mark that no edge has, Inf is
// false and Fin is true. For a mark that every edge has, Inf is true and Fin is false.
func (c *Condition) given(some, all Marks) *Condition {
	switch c.Operator {
	case Inf, Fin:
		none, every := !some.Has(c.Set), all.Has(c.Set)
		if c.Negated {
			none, every = every, none
		}
		switch {
		case none == every: // some have it and some do not
			return c
		case every == (c.Operator == Inf):
			return &Condition{Operator: ConditionTrue}
		}
		return &Condition{Operator: ConditionFalse}
	case ConditionAnd, ConditionOr:
		return c.mapped(func(o *Condition) *Condition { return o.given(some, all) })
	}
	return c
}

// with replaces every occurrence of the same literal as l by a constant.
func (c *Condition) with(l *Condition, constant ConditionOperator) *Condition {
	switch c.Operator {
	case Inf, Fin:
		if c.Operator == l.Operator && c.Set == l.Set && c.Negated == l.Negated {
			return &Condition{Operator: constant}
		}
	case ConditionAnd, ConditionOr:
		return c.mapped(func(o *Condition) *Condition { return o.with(l, constant) })
	}
	return c
}

// mapped applies f to the operands of a conjunction or disjunction and drops the
// constants among the results.
func (c *Condition) mapped(f func(*Condition) *Condition) *Condition {
	neutral, absorbing := ConditionTrue, ConditionFalse
	if c.Operator == ConditionOr {
		neutral, absorbing = ConditionFalse, ConditionTrue
	}
	result := &Condition{Operator: c.Operator}
	for _, o := range c.Operands {
		switch r := f(o); r.Operator {
		case absorbing:
			return r
		case neutral:
		default:
			result.Operands = append(result.Operands, r)
		}
	}
	switch len(result.Operands) {
	case 0:
		return &Condition{Operator: neutral}
	case 1:
		return result.Operands[0]
	}
	return result
}

// Negation returns the condition that accepts exactly what c rejects: Inf and Fin change places, and
// so do conjunctions and disjunctions. It is as large as c.
func (c *Condition) Negation() *Condition {
	swap := map[ConditionOperator]ConditionOperator{
		ConditionFalse: ConditionTrue, ConditionTrue: ConditionFalse,
		Inf: Fin, Fin: Inf, ConditionAnd: ConditionOr, ConditionOr: ConditionAnd,
	}
	n := &Condition{Operator: swap[c.Operator], Set: c.Set, Negated: c.Negated}
	for _, o := range c.Operands {
		n.Operands = append(n.Operands, o.Negation())
	}
	return n
}

// requiredFin returns a Fin in c, or nil if there is none. If a conjunct is a Fin, it
// returns that, since it has to be obeyed and cannot be given up. Otherwise it returns the
// first one.
func (c *Condition) requiredFin() *Condition {
	if c.Operator == Fin {
		return c
	}
	if c.Operator == ConditionAnd {
		for _, o := range c.Operands {
			if o.Operator == Fin {
				return o
			}
		}
	}
	for _, o := range c.Operands {
		if f := o.requiredFin(); f != nil {
			return f
		}
	}
	return nil
}

// size returns the number of operators and literals in c.
func (c *Condition) size() int {
	n := 1
	for _, o := range c.Operands {
		n += o.size()
	}
	return n
}

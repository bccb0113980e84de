package automata

// HasAcceptingCycle tells whether some state, reachable or not, lies on a cycle
// that the acceptance condition accepts.
func HasAcceptingCycle(a *Automaton) bool {
	c := FindComponents(a)
	search := newCycleSearch(a)
	for n := range c.Count() {
		if edges := insideEdges(a, c, Component(n)); len(edges) > 0 && search.accepting(edges, a.Acceptance.Condition) {
			return true
		}
	}
	return false
}

// cycleSearch looks for accepted cycles in sets of edges, for any acceptance
// condition, as in "Generic emptiness check for fun and profit" (Baier, Blahoudek,
// Duret-Lutz, Klein, Müller, Strejček, 2019): a condition without Fin holds on a
// strongly connected set as a whole or not at all; otherwise some Fin is either
// obeyed, by leaving out its edges, or given up.
type cycleSearch struct {
	a         *Automaton
	some, all Marks
}

func newCycleSearch(a *Automaton) *cycleSearch {
	return &cycleSearch{a: a, some: make(Marks, a.markWords), all: make(Marks, a.markWords)}
}

// accepting tells whether some cycle of these edges satisfies the condition. The
// edges form one strongly connected graph and are not none.
func (w *cycleSearch) accepting(edges []Edge, condition *Condition) bool {
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
	fin := rest.firstFin()
	if fin == nil { // some Inf that every cycle can visit: the whole set does
		return true
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
	return w.accepting(edges, rest.with(fin, ConditionFalse))
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
	graph := &Automaton{edgeStart: make([]uint32, len(local)+1)}
	for _, e := range edges { // grouped by source in a, and so here by counting
		graph.edgeStart[local[w.a.source[e]]+1]++
	}
	for s := range len(local) {
		graph.edgeStart[s+1] += graph.edgeStart[s]
	}
	next := append([]uint32(nil), graph.edgeStart...)
	graph.destination = make([]State, len(edges))
	graph.cubeStart = make([]uint32, len(edges)+1) // one cube each
	for i, e := range edges {
		graph.cubeStart[i+1] = uint32(i + 1)
		s := local[w.a.source[e]]
		graph.destination[next[s]] = local[w.a.destination[e]]
		next[s]++
	}
	c := FindComponents(graph)
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

// given replaces by constants what is decided by the union some and the
// intersection all of the marks of a set of edges: Inf of what no edge has is
// false, Fin of it true; Inf of what every edge has is true, Fin of it false.
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

// negation is the condition that accepts exactly what c rejects.
func (c *Condition) negation() *Condition {
	swap := map[ConditionOperator]ConditionOperator{
		ConditionFalse: ConditionTrue, ConditionTrue: ConditionFalse,
		Inf: Fin, Fin: Inf, ConditionAnd: ConditionOr, ConditionOr: ConditionAnd,
	}
	n := &Condition{Operator: swap[c.Operator], Set: c.Set, Negated: c.Negated}
	for _, o := range c.Operands {
		n.Operands = append(n.Operands, o.negation())
	}
	return n
}

// firstFin is the first Fin in c, or nil.
func (c *Condition) firstFin() *Condition {
	if c.Operator == Fin {
		return c
	}
	for _, o := range c.Operands {
		if f := o.firstFin(); f != nil {
			return f
		}
	}
	return nil
}

package branching

import (
	"slices"

	"pnmc/internal/account"
	"pnmc/internal/bitset"
	"pnmc/logic"
	"pnmc/petri"
)

// State predicates that speak of many places, such as whether some binding of a coloured transition is fireable, are
// evaluated column by column: for each comparison of a single place there is the set of states where it holds, and
// And, Or and Not are operations on sets, 64 states at a time. Sets are kept, since the formulas of a net mostly
// speak of the same places. For example, that one of 100 bindings is fireable, each of which needs two tokens, takes 200
// operations on sets, of which each looks at 5,000 words if there are 320,000 states.

// atLeast is a comparison: a place has at least so many tokens.
type atLeast struct {
	place uint32
	least int64
}

// columns are sets of states by comparisons.
type columns map[atLeast]stateSet

const (
	// mostColumnBytes bounds what columns take together. If a predicate alone needs more, it is evaluated state by state.
	mostColumnBytes = 64 << 20
	// mostTokens bounds the numbers of comparisons, so that nothing overflows.
	mostTokens = 1 << 40
)

// atLeastOf returns the comparison that p or its negation is, and reports whether it is one.
func atLeastOf(p *logic.Predicate) (l atLeast, negated, ok bool) {
	if p.Operator != logic.AtMost || len(p.Sum.Terms) != 1 || p.Sum.Constant > mostTokens || p.Sum.Constant < -mostTokens {
		return atLeast{}, false, false
	}
	switch t := p.Sum.Terms[0]; t.Coefficient {
	case -1: // Constant - m(p) ≤ 0
		return atLeast{t.Place, p.Sum.Constant}, false, true
	case 1: // Constant + m(p) ≤ 0
		return atLeast{t.Place, 1 - p.Sum.Constant}, true, true
	}
	return atLeast{}, false, false
}

// label returns the states whose markings satisfy p.
func (g *Graph) label(p *logic.Predicate) (stateSet, error) {
	if g.crew != nil {
		return g.labelEach(p)
	}
	missing := make(map[atLeast]bool)
	g.missing(p, missing)
	if len(missing)*g.states/8 > mostColumnBytes {
		return g.labelEach(p)
	}
	if (len(missing)+len(g.columns))*g.states/8 > mostColumnBytes {
		g.columns = nil
		g.missing(p, missing)
	}
	if err := g.fill(missing); err != nil {
		return nil, err
	}
	set, own, err := g.combine(p)
	if err == nil && !own {
		set = slices.Clone(set)
	}
	return set, err
}

// missing adds the comparisons of p to list for which there is no column.
func (g *Graph) missing(p *logic.Predicate, list map[atLeast]bool) {
	for _, o := range p.Operands {
		g.missing(o, list)
	}
	if l, _, ok := atLeastOf(p); ok && g.columns[l] == nil {
		list[l] = true
	}
}

// fill makes columns for comparisons.
func (g *Graph) fill(missing map[atLeast]bool) error {
	if len(missing) == 0 {
		return nil
	}
	if g.columns == nil {
		g.columns = columns{}
	}
	if err := g.account.Reserve(len(missing) * g.states / 8); err != nil {
		return err
	}
	var places []petri.Place
	var least []int64
	var sets []stateSet
	for l := range missing {
		places, least, sets = append(places, petri.Place(l.place)), append(least, l.least), append(sets, newStateSet(g.states))
	}
	counts := make([]int64, len(places))
	for id := range uint32(g.states) {
		if err := g.account.Charge(account.EdgeWork + 8*len(places)); err != nil {
			return err
		}
		g.kripke.Tokens(petri.StateID(id), places, counts)
		for i, n := range counts {
			if n >= least[i] {
				sets[i].add(id)
			}
		}
	}
	for i, set := range sets {
		g.columns[atLeast{uint32(places[i]), least[i]}] = set
	}
	return nil
}

// combine returns the states whose markings satisfy p. Columns are there for its comparisons. Own reports whether the set
// may be changed.
func (g *Graph) combine(p *logic.Predicate) (set stateSet, own bool, err error) {
	if l, negated, ok := atLeastOf(p); ok {
		if !negated {
			return g.columns[l], false, nil
		}
		set, err := g.copied(g.columns[l])
		return g.not(set), true, err
	}
	switch p.Operator {
	case logic.Not:
		set, own, err := g.combine(p.Operands[0])
		if err == nil && !own {
			set, err = g.copied(set)
		}
		return g.not(set), true, err
	case logic.And, logic.Or:
		if len(p.Operands) > 0 {
			return g.combineAll(p)
		}
	}
	set, err = g.labelEach(p)
	return set, true, err
}

// combineAll does so for a conjunction or disjunction of some operands.
func (g *Graph) combineAll(p *logic.Predicate) (set stateSet, own bool, err error) {
	for i, o := range p.Operands {
		next, free, err := g.combine(o)
		if err == nil {
			err = g.account.Charge(2 * len(next))
		}
		if err != nil {
			return nil, false, err
		}
		switch {
		case i == 0:
			set, own = next, free
			continue
		case !own && free: // both operators are commutative
			set, next, own = next, set, true
		case !own:
			if set, err = g.copied(set); err != nil {
				return nil, false, err
			}
			own = true
		}
		for w := range set {
			if p.Operator == logic.And {
				set[w] &= next[w]
			} else {
				set[w] |= next[w]
			}
		}
	}
	return set, own, nil
}

// copied returns a copy of a set.
func (g *Graph) copied(set stateSet) (stateSet, error) {
	if err := g.account.Reserve(8 * bitset.WordsFor(g.states)); err != nil {
		return nil, err
	}
	return slices.Clone(set), nil
}

// NewSearchOn prepares the evaluation on a whole state graph, breadth first. State predicates are looked up there, and all else is
// searched.
func NewSearchOn(g *Graph) *Search {
	s := NewSearch(g.kripke, false, 0)
	s.graph = g
	return s
}

// labelByGraph looks up where the state predicates hold.
func (s *Search) labelByGraph() (err error) {
	for i := range s.nodes {
		if n := &s.nodes[i]; n.operator == basisState {
			if n.states, err = s.graph.label(n.source.Predicate); err != nil {
				return err
			}
		}
	}
	return nil
}

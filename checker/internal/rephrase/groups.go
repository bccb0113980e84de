package rephrase

import (
	"slices"

	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// Nodes tell which nodes of a net stand for each node that questions speak of: for a
// node of a coloured net its instances, of which there may be none.
type Nodes struct {
	Places, Transitions [][]uint32
	// Sums are places beside these, for sums over colours, ascending: the net has as many
	// markings and firings, but more tokens than what questions speak of.
	Sums []petri.Place
	same bool // each node stands for itself
}

// SameNodes returns the groups of a net of which questions speak themselves.
func SameNodes(places, transitions int) *Nodes {
	each := func(n int) [][]uint32 {
		list := make([][]uint32, n)
		for i := range list {
			list[i] = []uint32{uint32(i)}
		}
		return list
	}
	return &Nodes{Places: each(places), Transitions: each(transitions), same: true}
}

// UnfoldedNodes returns those of an unfolded net.
func UnfoldedNodes(u *symmetric.Unfolding) *Nodes {
	return &Nodes{Places: sortedNodes(u.Places), Transitions: sortedNodes(u.Transitions), Sums: u.Sums}
}

func sortedNodes[N petri.Place | petri.Transition](nodes [][]N) [][]uint32 {
	list := make([][]uint32, len(nodes))
	for i, members := range nodes {
		for _, n := range members {
			list[i] = append(list[i], uint32(n))
		}
		slices.Sort(list[i])
	}
	return list
}

// Predicate says p, which speaks of what questions do, over the nodes of the net.
func (g *Nodes) Predicate(p *logic.Predicate) *logic.Predicate {
	if g.same {
		return p
	}
	q := &logic.Predicate{Operator: p.Operator}
	switch p.Operator {
	case logic.AtMost, logic.Equal, logic.PolynomialAtMost, logic.PolynomialEqual:
		return p.WithSums(g.Sum)
	case logic.Fireable:
		for _, t := range p.Transitions {
			q.Transitions = append(q.Transitions, g.Transitions[t]...)
		}
		slices.Sort(q.Transitions)
		q.Transitions = slices.Compact(q.Transitions)
	}
	for _, o := range p.Operands {
		q.Operands = append(q.Operands, g.Predicate(o))
	}
	return q
}

// Sum says s over the places of the net. Different nodes have no instance in common.
func (g *Nodes) Sum(s logic.Sum) logic.Sum {
	if g.same {
		return s
	}
	to := logic.Sum{Constant: s.Constant}
	for _, t := range s.Terms {
		for _, p := range g.Places[t.Place] {
			to.Terms = append(to.Terms, logic.Term{Place: p, Coefficient: t.Coefficient})
		}
	}
	slices.SortFunc(to.Terms, func(a, b logic.Term) int { return int(a.Place) - int(b.Place) })
	return to
}

package rephrase

import (
	"slices"
	"unsafe"

	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// Nodes maps each node that questions speak of to the nodes of a net that stand for it. A node of a
// coloured net has its instances in the unfolded one, and there may be none. A question about p ≥ 2
// is then one about the sum over p's instances, and fireable(t) means that some instance of t is
// enabled.
type Nodes struct {
	Places, Transitions [][]uint32
	// Sums are places beside these, for sums over colours, ascending: the net has as many
	// markings and firings, but more tokens than what questions speak of.
	Sums []petri.Place
	same bool // each node stands for itself
}

// SameNodes returns the map for questions that speak of the net itself.
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

// Same reports whether questions speak of the net itself.
func (g *Nodes) Same() bool { return g.same }

// UnfoldedNodes returns the map from a coloured net to its unfolding.
func UnfoldedNodes(u *symmetric.Unfolding) *Nodes {
	return &Nodes{Places: sortedNodes(u.Places), Transitions: sortedNodes(u.Transitions), Sums: u.Sums}
}

// sortedNodes returns the numbers of the members of each group, in ascending order.
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

// Bytes returns about what the translation of p takes, with what is simpler: each node that p speaks of may stand for thousands.
// It is 0 where each stands for itself.
func (g *Nodes) Bytes(p *logic.Predicate) int {
	if g.same {
		return 0
	}
	bytes := 0
	switch p.Operator {
	case logic.AtMost, logic.Equal, logic.PolynomialAtMost, logic.PolynomialEqual:
		bytes = g.BytesOf(p.Polynomial())
	case logic.Fireable:
		for _, t := range p.Transitions {
			bytes += bytesPerNode * len(g.Transitions[t])
		}
	}
	for _, o := range p.Operands {
		bytes += g.Bytes(o)
	}
	return bytes
}

// BytesOf returns about what the translation of a polynomial takes.
func (g *Nodes) BytesOf(n logic.Polynomial) (bytes int) {
	if g.same {
		return 0
	}
	for s := range n.Sums() {
		for _, t := range s.Terms {
			bytes += bytesPerNode * len(g.Places[t.Place])
		}
	}
	return bytes
}

// bytesPerNode is what a node takes in a translation and in what is made of it, such as that for a reduced net.
const bytesPerNode = 3 * int(unsafe.Sizeof(logic.Term{}))

// Predicate translates p to the nodes of the net.
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

// Sum translates s to the places of the net. Different nodes have no instance in common.
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

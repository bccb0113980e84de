package mcc

import (
	"slices"

	"pnmc/internal/petritest"
)

// tableau decides formulas of LTL on an explicit graph by their definition: its
// nodes are markings with a guess which of the temporal subformulas hold there.
// Guesses have to agree from node to node, and what is promised for some time has
// to come. It shares nothing with automata.
type tableau struct {
	naive
	temporal []*Formula
	next     [][]int // successors of markings; a deadlock is its own
	masks    int     // number of guesses
}

// most temporal subformulas, and markings, for which that is worth it.
const (
	mostTemporal = 5
	mostMarkings = 40
)

func newTableau(n naive, f *Formula) (*tableau, bool) {
	b := &tableau{naive: n}
	b.collect(f)
	if len(b.temporal) > mostTemporal || len(n.g.Markings) > mostMarkings {
		return nil, false
	}
	b.masks = 1 << len(b.temporal)
	for i, edges := range n.g.Edges {
		var next []int
		for _, e := range edges {
			if !slices.Contains(next, e.To) {
				next = append(next, e.To)
			}
		}
		if len(edges) == 0 {
			next = []int{i}
		}
		b.next = append(b.next, next)
	}
	return b, true
}

func (b *tableau) collect(f *Formula) {
	switch f.Kind {
	case LessOrEqual, Fireable:
		return
	case Next, Finally, Globally, Until:
		b.temporal = append(b.temporal, f)
	}
	for _, g := range f.Operands {
		b.collect(g)
	}
}

// holds returns the truth of f in a node.
func (b *tableau) holds(f *Formula, node int) bool {
	switch f.Kind {
	case LessOrEqual, Fireable:
		return b.atom(f, b.g.Markings[node/b.masks])
	case Negation:
		return !b.holds(f.Operands[0], node)
	case Conjunction:
		return b.holds(f.Operands[0], node) && b.holds(f.Operands[1], node)
	case Disjunction:
		return b.holds(f.Operands[0], node) || b.holds(f.Operands[1], node)
	}
	return node%b.masks>>slices.Index(b.temporal, f)&1 == 1
}

// agree reports whether guesses of a node and of one after it fit together.
func (b *tableau) agree(node, next int) bool {
	for i, f := range b.temporal {
		now, then := node%b.masks>>i&1 == 1, next%b.masks>>i&1 == 1
		last := f.Operands[len(f.Operands)-1]
		want := false
		switch f.Kind {
		case Next:
			want = b.holds(last, next)
		case Finally:
			want = b.holds(last, node) || then
		case Globally:
			want = b.holds(last, node) && then
		case Until:
			want = b.holds(last, node) || b.holds(f.Operands[0], node) && then
		}
		if now != want {
			return false
		}
	}
	return true
}

// kept reports whether a node keeps the promise of the temporal subformula i: it has
// come, or is not made.
func (b *tableau) kept(i, node int) bool {
	f, made := b.temporal[i], node%b.masks>>i&1 == 1
	last := b.holds(f.Operands[len(f.Operands)-1], node)
	switch f.Kind {
	case Finally, Until:
		return !made || last
	case Globally: // not always x: at some time not x
		return made || !last
	}
	return true
}

// violated reports whether some run from the first marking does not satisfy f.
func (b *tableau) violated(f *Formula) bool {
	edges := make([][]int, len(b.next)*b.masks)
	for node := range edges {
		for _, m := range b.next[node/b.masks] {
			for guess := range b.masks {
				if next := m*b.masks + guess; b.agree(node, next) {
					edges[node] = append(edges[node], next)
				}
			}
		}
	}
	g := &petritest.Graph{}
	for _, next := range edges {
		var firings []petritest.Firing
		for _, to := range next {
			firings = append(firings, petritest.Firing{To: to})
		}
		g.Edges, g.Markings = append(g.Edges, firings), append(g.Markings, nil)
	}
	// Nodes from which a run keeps all promises for ever: the greatest set of which
	// each can, within it, come to keep each promise, and go on.
	fair := make([]bool, len(edges))
	for i := range fair {
		fair[i] = len(edges[i]) > 0
	}
	for {
		before := slices.Clone(fair)
		fair = and(fair, g.Next(false, fair))
		for i := range b.temporal {
			keeps := make([]bool, len(edges))
			for node := range keeps {
				keeps[node] = fair[node] && b.kept(i, node)
			}
			fair = and(fair, g.Next(false, g.Until(false, fair, keeps)))
		}
		if slices.Equal(before, fair) {
			break
		}
	}
	for guess := range b.masks { // the first marking is number 0
		if fair[guess] && !b.holds(f, guess) {
			return true
		}
	}
	return false
}

func and(a, b []bool) []bool {
	c := make([]bool, len(a))
	for i := range c {
		c[i] = a[i] && b[i]
	}
	return c
}

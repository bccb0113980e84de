package checkertest

import (
	"slices"

	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// tableau decides formulas of LTL on an explicit graph by their definition. It shares nothing with
// automata. Its nodes are markings with a guess which of the temporal subformulas hold there. Guesses
// have to agree from node to node, by the laws
//
//	F p = p ∨ X F p        G p = p ∧ X G p        p U q = q ∨ p ∧ X (p U q)
//
// These laws are not enough: the guess that F p holds everywhere agrees with itself where p never
// comes. So what is promised for some time has to come: if F p holds, p does then or later, and
// if G p does not, neither does p.
//
// For example, let a marking without p lead to itself only, and ask for F p. The node that guesses F p
// leads to itself, and breaks its promise for ever. The node that guesses ¬F p keeps it. So there is
// a run on which F p does not hold.
//
// With n markings and k temporal subformulas there are n·2^k nodes, which bounds what it can decide.
type tableau struct {
	atom     func(proposition, marking int) bool
	temporal []*ltl.Formula
	next     [][]int // successors of markings; a deadlock is its own
	masks    int     // number of guesses
}

// Most temporal subformulas, and markings, for which that is worth it.
const (
	mostTemporal = 5
	MostMarkings = 40
)

// violatedLinear reports whether some run through g does not satisfy f; ok is false if that
// takes too long.
func violatedLinear(g *petritest.Graph, f *ltl.Formula, atom func(proposition, marking int) bool) (violated, ok bool) {
	b := &tableau{atom: atom}
	b.collect(f)
	if len(b.temporal) > mostTemporal || len(g.Markings) > MostMarkings {
		return false, false
	}
	b.masks = 1 << len(b.temporal)
	for i, edges := range g.Edges {
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
	return b.violated(f), true
}

// collect lists the temporal subformulas of f, each once.
func (b *tableau) collect(f *ltl.Formula) {
	switch f.Operator() {
	case ltl.Next, ltl.Finally, ltl.Globally, ltl.Until:
		if slices.Contains(b.temporal, f) {
			return
		}
		b.temporal = append(b.temporal, f)
	}
	for _, g := range f.Operands() {
		b.collect(g)
	}
}

// holds returns the truth of f in a node.
func (b *tableau) holds(f *ltl.Formula, node int) bool {
	all := f.Operator() == logic.And
	switch f.Operator() {
	case logic.True, logic.False:
		return f.Operator() == logic.True
	case ltl.Atom:
		return b.atom(f.Proposition(), node/b.masks)
	case logic.Not:
		return !b.holds(f.Operands()[0], node)
	case logic.And, logic.Or:
		for _, g := range f.Operands() {
			if b.holds(g, node) != all {
				return !all
			}
		}
		return all
	}
	return node%b.masks>>slices.Index(b.temporal, f)&1 == 1
}

// agree reports whether guesses of a node and of one after it fit together.
func (b *tableau) agree(node, next int) bool {
	for i, f := range b.temporal {
		now, then := node%b.masks>>i&1 == 1, next%b.masks>>i&1 == 1
		last := f.Operands()[len(f.Operands())-1]
		want := false
		switch f.Operator() {
		case ltl.Next:
			want = b.holds(last, next)
		case ltl.Finally:
			want = b.holds(last, node) || then
		case ltl.Globally:
			want = b.holds(last, node) && then
		case ltl.Until:
			want = b.holds(last, node) || b.holds(f.Operands()[0], node) && then
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
	last := b.holds(f.Operands()[len(f.Operands())-1], node)
	switch f.Operator() {
	case ltl.Finally, ltl.Until:
		return !made || last
	case ltl.Globally: // not always x: at some time not x
		return made || !last
	}
	return true
}

// violated reports whether some run from the first marking does not satisfy f: whether there is a node
// of that marking whose guess says so, and from which a run keeps all promises.
func (b *tableau) violated(f *ltl.Formula) bool {
	g := &petritest.Graph{}
	for node := range len(b.next) * b.masks {
		var firings []petritest.Firing
		for _, m := range b.next[node/b.masks] {
			for guess := range b.masks {
				if next := m*b.masks + guess; b.agree(node, next) {
					firings = append(firings, petritest.Firing{To: next})
				}
			}
		}
		g.Edges, g.Markings = append(g.Edges, firings), append(g.Markings, nil)
	}
	// Nodes from which a run keeps all promises for ever: the greatest set of which
	// each can, within it, come to keep each promise, and go on.
	fair := make([]bool, len(g.Edges))
	for i := range fair {
		fair[i] = len(g.Edges[i]) > 0
	}
	meet := func(a []bool) {
		for i := range fair {
			fair[i] = fair[i] && a[i]
		}
	}
	for {
		before := slices.Clone(fair)
		meet(g.Next(false, fair))
		for i := range b.temporal {
			keeps := make([]bool, len(fair))
			for node := range keeps {
				keeps[node] = fair[node] && b.kept(i, node)
			}
			meet(g.Next(false, g.Until(false, fair, keeps)))
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

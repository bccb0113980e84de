package emptiness

import (
	"context"

	"pnmc/automata"
)

// Emptiness for acceptance conditions with Fin.
//
// Without Fin, a strongly connected component is accepting as a whole or not at
// all, since seeing more never hurts. With Fin, a part of a rejecting component
// may be accepting. The search here is that of "Generic Emptiness Check for Fun
// and Profit" (Baier, Blahoudek, Duret-Lutz, Klein, Müller, Strejček, ATVA 2019):
// a component whose marks do not satisfy the condition is cut at the edges of
// some Fin, and its parts are searched for the condition that remains. Linear in
// the graph for each condition without Fin, and at worst exponential in the number
// of bits that occur in Fin, as the problem is NP-hard in them.

// MarkedGraph is a finite graph with marks on its edges: the edges of node n are
// start[n] to start[n+1]; edge e goes to destination[e] and has words words of
// marks from e·words on.
type MarkedGraph struct {
	Start       []uint32
	Destination []uint32
	Marks       []uint64
	Words       int
}

// nodes is the number of nodes.
func (g *MarkedGraph) nodes() int { return len(g.Start) - 1 }

// EdgeMarks are the bits of edge e.
func (g *MarkedGraph) EdgeMarks(e uint32) []uint64 {
	at := int(e) * g.Words
	return g.Marks[at : at+g.Words]
}

// MarkedComponent is a strongly connected part of a MarkedGraph: these nodes, and
// all edges between them that have no forbidden bit, of which there is one at
// least. Its marks are the union of those of these edges.
type MarkedComponent struct {
	Nodes     []uint32
	forbidden []uint64
	marks     []uint64
}

// AcceptingComponent is some part of g in which an infinite run that takes every
// edge satisfies f, or nil if there is none; whether it can be reached from
// anywhere is for the caller to know. An error is that of the context; nil: none ends it.
func (g *MarkedGraph) AcceptingComponent(ctx context.Context, f *MarkFormula) (*MarkedComponent, error) {
	nodes := make([]uint32, g.nodes())
	for n := range nodes {
		nodes[n] = uint32(n)
	}
	s := newComponentSearch(ctx, g)
	return s.among(nodes, make([]uint64, g.Words), f), s.err
}

// Empty reports whether a accepts no word, whatever its acceptance condition. Linear
// for conditions without Fin. Of testing automata, it tells whether no sequence of
// labels is accepted. An error is that of the context.
func Empty(ctx context.Context, a *automata.Automaton) (bool, error) {
	condition := NewMarkCondition(a.Acceptance)
	g := newMarkedGraph(a, condition)
	search := newComponentSearch(ctx, g)
	var reached []uint32
	met := make([]bool, g.nodes())
	visit := func(n uint32) {
		if !met[n] {
			met[n] = true
			reached = append(reached, n)
		}
	}
	for _, n := range a.Initial() {
		visit(uint32(n))
	}
	for i := 0; i < len(reached); i++ {
		for e := g.Start[reached[i]]; e < g.Start[reached[i]+1]; e++ {
			visit(g.Destination[e])
		}
	}
	found := search.among(reached, make([]uint64, g.Words), condition.Formula())
	return found == nil, search.err
}

// NonemptyStates tells of each state of a whether some word is accepted from there,
// whatever the acceptance condition. Linear for conditions without Fin. An error is that
// of the context.
func NonemptyStates(ctx context.Context, a *automata.Automaton) ([]bool, error) {
	s := &OperandSide{condition: NewMarkCondition(a.Acceptance)}
	return s.classify(ctx, newMarkedGraph(a, s.condition))
}

// newMarkedGraph is the graph of an automaton, without the edges that are never
// taken, so that edges may have other numbers.
func newMarkedGraph(a *automata.Automaton, condition *MarkCondition) *MarkedGraph {
	words := condition.Words
	g := &MarkedGraph{
		Start: make([]uint32, a.States()+1), Destination: make([]uint32, 0, a.Edges()),
		Marks: make([]uint64, 0, a.Edges()*words), Words: words,
	}
	for n := range automata.State(a.States()) {
		for e, end := a.Out(n); e < end; e++ {
			if a.Cubes(e) == 0 {
				continue
			}
			at := len(g.Marks)
			g.Marks = g.Marks[:at+words]
			condition.Translate(a.Marks(e), g.Marks[at:])
			g.Destination = append(g.Destination, uint32(a.Destination(e)))
		}
		g.Start[n+1] = uint32(len(g.Destination))
	}
	return g
}

package generic

import (
	"context"

	"pnmc/automata"
)

// Graph is a finite graph with marks on its edges: the edges of node n are
// start[n] to start[n+1]; edge e goes to destination[e] and has words words of
// marks from e·words on.
type Graph struct {
	Start       []uint32
	Destination []uint32
	Marks       []uint64
	Words       int
}

// Nodes returns the number of nodes.
func (g *Graph) Nodes() int { return len(g.Start) - 1 }

// EdgeMarks returns the bits of edge e.
func (g *Graph) EdgeMarks(e uint32) []uint64 {
	at := int(e) * g.Words
	return g.Marks[at : at+g.Words]
}

// Component is a strongly connected part of a Graph: some nodes, and all edges between
// them that have no forbidden bit. There is at least one such edge. Its marks are the
// union of those of these edges.
type Component struct {
	Nodes     []uint32
	forbidden []uint64
	marks     []uint64
}

// AcceptingComponent returns some part of g in which an infinite run that takes every
// edge satisfies f, or nil if there is none. It does not check whether that part can be
// reached; the caller must know. An error is that of the context; nil: none ends it.
func (g *Graph) AcceptingComponent(ctx context.Context, f *Formula) (*Component, error) {
	nodes := make([]uint32, g.Nodes())
	for n := range nodes {
		nodes[n] = uint32(n)
	}
	s := NewSearch(ctx, g)
	return s.Among(nodes, make([]uint64, g.Words), f), s.Err
}

// NewGraph returns the graph of an automaton, without the edges that are never
// taken, so that edges may have other numbers.
func NewGraph(a *automata.Automaton, condition *Condition) *Graph {
	words := condition.Words
	g := &Graph{
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

package order

import "slices"

// A hypergraph says which variables occur together: each edge is the support of
// an event, or a group of variables that belong together. Orders that keep the
// variables of an edge together keep diagrams small, since the nodes between
// carry what the upper variables tell the lower.
//
// Both directions are kept in flat slices: the members of edge e lie in members from starts[e] to
// starts[e+1], and the edges of vertex v in ofEdges from ofStart[v] to ofStart[v+1].
type hypergraph struct {
	vertices int
	starts   []uint32 // edges+1 offsets into members
	members  []uint32
	ofStart  []uint32 // vertices+1 offsets into ofEdges
	ofEdges  []uint32
	work     *work // of the order that is looked for; nil: it is not bounded
}

// newHypergraph makes a hypergraph of the vertices 0 to vertices-1 with an edge
// for each of supports.
func newHypergraph(vertices int, supports [][]uint32) *hypergraph {
	g := &hypergraph{vertices: vertices, starts: []uint32{0}, ofStart: make([]uint32, vertices+1)}
	for _, s := range supports {
		g.members = append(g.members, s...)
		g.starts = append(g.starts, uint32(len(g.members)))
		for _, v := range s {
			g.ofStart[v+1]++
		}
	}
	for v := range vertices {
		g.ofStart[v+1] += g.ofStart[v]
	}
	g.ofEdges = make([]uint32, len(g.members))
	next := slices.Clone(g.ofStart)
	for e := range g.edges() {
		for _, v := range g.edge(e) {
			g.ofEdges[next[v]] = uint32(e)
			next[v]++
		}
	}
	return g
}

// edges returns the number of edges.
func (g *hypergraph) edges() int { return len(g.starts) - 1 }

// edge returns the vertices of edge e.
func (g *hypergraph) edge(e int) []uint32 { return g.members[g.starts[e]:g.starts[e+1]] }

// edgesOf returns the edges that v is in.
func (g *hypergraph) edgesOf(v uint32) []uint32 { return g.ofEdges[g.ofStart[v]:g.ofStart[v+1]] }

// cost returns the metric by which orders are compared before they are tried. It is the sum, over
// all edges, of the levels that the edge spans; an edge high up counts up to twice (weighted event
// span; Siminiceanu, Ciardo, "New metrics for static variable ordering in decision diagrams",
// 2006). For example, take an order of four variables. An edge of the two lowest costs 2·(1 + 2/4)
// = 3. An edge of the two highest costs 2·(1 + 4/4) = 4. One of the lowest and the highest costs
// 4·(1 + 4/4) = 8.
func (g *hypergraph) cost(o []int) float64 {
	at := positions(o)
	var sum float64
	for e := range g.edges() {
		low, high := len(o), 0
		for _, v := range g.edge(e) {
			low, high = min(low, at[v]), max(high, at[v])
		}
		if high >= low {
			sum += float64(high-low+1) * (1 + float64(high+1)/float64(len(o)))
		}
	}
	return sum
}

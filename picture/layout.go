package picture

import (
	"context"
	"math"
	"slices"

	"pnmc/internal/account"
)

// Distances, in the units of the picture.
const (
	placeRadius = 16.0
	betweenRows = 16.0 // nodes of one layer
	betweenRank = 34.0 // layers
	around      = 14.0 // the margin
	loopHeight  = 22.0 // of an arrow from a node to itself, without its text
)

// extent is the room that something takes around its centre.
type extent struct{ left, right, above, below float64 }

// layout is where the nodes of a graph lie.
type layout struct {
	graph   *Graph
	account *account.Account
	extents []extent // of each node, with its texts and its loops
	halves  []Point  // of each node, half of the width and of the height of its outline
	at      []Point  // of each node
	lines   [][]string
	labels  [][]string // of each edge
	loops   [][]int    // of each node, the edges to itself
	textAt  []Point    // of each edge, the middle of the foot of its text
	scale   float64    // of the positions that the graph gives
}

// newLayout measures all texts. A node gets room above for its loops with their labels, and on
// both sides for the widest of these. An error is that of the account.
func newLayout(ctx context.Context, g *Graph) (*layout, error) {
	l := &layout{graph: g, account: account.Of(ctx),
		extents: make([]extent, len(g.Nodes)), halves: make([]Point, len(g.Nodes)), at: make([]Point, len(g.Nodes)),
		lines: make([][]string, len(g.Nodes)), labels: make([][]string, len(g.Edges)), loops: make([][]int, len(g.Nodes)), textAt: make([]Point, len(g.Edges))}
	for i := range g.Nodes {
		if err := l.account.Charge(lookedAt(g.Nodes[i].Lines)); err != nil {
			return nil, err
		}
		l.lines[i] = shownAll(g.Nodes[i].Lines)
		l.halves[i] = g.Nodes[i].half()
		l.extents[i] = sizeOf(&g.Nodes[i], l.lines[i])
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		if err := l.account.Charge(lookedAt(e.Lines)); err != nil {
			return nil, err
		}
		l.labels[i] = shownAll(e.Lines)
		if e.From == e.To {
			x := &l.extents[e.From]
			l.loops[e.From] = append(l.loops[e.From], i)
			x.above += loopHeight + lineHeight*float64(len(l.labels[i]))
			half := widest(l.labels[i]) / 2
			x.left, x.right = max(x.left, half), max(x.right, half)
		}
	}
	return l, nil
}

// lookedAt is about the work of measuring lines: a line takes some hundred nanoseconds for each of
// its columns, and some for each byte.
func lookedAt(lines []string) int {
	work := nodeWork
	for _, line := range lines[:min(len(lines), mostLines)] {
		work += 100*min(len(line), longestLine) + 10*min(len(line), longestText)
	}
	return work
}

// nodeWork is about what it takes to measure a node or an edge without text.
const nodeWork = 256

// sizeOf returns the room of a node with its texts.
func sizeOf(n *Node, lines []string) extent {
	half := n.half()
	text := widest(lines)/2 + 2
	switch n.Shape {
	case Circle:
		return extent{max(half.X, text), max(half.X, text), half.Y, half.Y + 3 + lineHeight*float64(len(lines))}
	case Entry:
		return extent{2, 2, 2, 2}
	}
	return extent{half.X, half.X, half.Y, half.Y}
}

// half returns half of the width and of the height of a node's outline.
func (n *Node) half() Point {
	switch n.Shape {
	case Circle:
		return Point{placeRadius, placeRadius}
	case Entry:
		return Point{1, 1}
	}
	lines := shownAll(n.Lines)
	width, height := max(30, widest(lines)+14), max(24, 10+lineHeight*float64(len(lines)))
	if n.Shape != Bar {
		height = max(height, 32)
		width = max(width, 32)
	}
	return Point{width / 2, height / 2}
}

// usualDistance is how far apart the nearest nodes of a document shall be at least.
const usualDistance = 64.0

// placeGiven puts the nodes where the graph says, farther apart where texts need it.
//
// Editors have different units: in one document neighbours are 20 apart, in another 400. The
// distance from a node to the nearest other one is computed for some hundred nodes. The scale
// makes the lower quartile of these distances usualDistance: then few texts overlap, and a few
// nodes that lie on each other do not blow up the picture. It takes a few hundred times the
// number of nodes.
func (l *layout) placeGiven() {
	list := l.graph.Positions
	scale := 1.0
	var nearest []float64
	step := max(1, len(list)/300)
	for i := 0; i < len(list); i += step {
		best := math.Inf(1)
		for j, p := range list {
			if j != i {
				best = min(best, max(math.Abs(p.X-list[i].X), math.Abs(p.Y-list[i].Y)))
			}
		}
		nearest = append(nearest, best)
	}
	slices.Sort(nearest)
	if len(list) > 1 && nearest[len(nearest)/4] > 0 {
		scale = min(20, max(0.3, usualDistance/nearest[len(nearest)/4]))
	}
	for i, p := range list {
		l.at[i] = Point{p.X * scale, p.Y * scale}
		l.placeLoops(i)
	}
	l.scale = scale
}

// placeLoops places the texts of edges from a node to itself: above it, one above the
// other.
func (l *layout) placeLoops(node int) {
	y := l.at[node].Y - l.halves[node].Y
	for _, e := range l.loops[node] {
		y -= loopHeight
		l.textAt[e] = Point{l.at[node].X, y}
		y -= lineHeight * float64(len(l.labels[e]))
	}
}

// straight returns routes as straight as the document has them. Where several arrows connect
// the same nodes, and none bends, they go beside each other.
//
// Let there be n arrows between two nodes. The k-th, from 0 on, is drawn as a curve whose control
// point lies 26 (k - (n-1)/2) beside the middle of the line. So two arrows lie 13 to each side;
// of three, one is straight and one lies 26 to each side. The side is counted from the node with
// the smaller number, whatever the direction of the arrow, so that one there and one back do not
// meet.
func (l *layout) straight() [][]Point {
	type pair struct{ a, b int }
	beside := make(map[pair][]int)
	for i, e := range l.graph.Edges {
		if len(e.Bends) == 0 && e.From != e.To {
			k := pair{min(e.From, e.To), max(e.From, e.To)}
			beside[k] = append(beside[k], i)
		}
	}
	routes := make([][]Point, len(l.graph.Edges))
	for i, e := range l.graph.Edges {
		if e.From == e.To {
			continue
		}
		way := []Point{l.at[e.From]}
		for _, p := range e.Bends {
			way = append(way, Point{p.X * l.scale, p.Y * l.scale})
		}
		way = append(way, l.at[e.To])
		if list := beside[pair{min(e.From, e.To), max(e.From, e.To)}]; len(list) > 1 && len(e.Bends) == 0 {
			a, b := l.at[min(e.From, e.To)], l.at[max(e.From, e.To)]
			length := max(1, math.Hypot(b.X-a.X, b.Y-a.Y))
			away := 26 * (float64(slices.Index(list, i)) - float64(len(list)-1)/2)
			way = []Point{way[0], {(a.X+b.X)/2 - away*(b.Y-a.Y)/length, (a.Y+b.Y)/2 + away*(b.X-a.X)/length}, way[1]}
		}
		m := len(way) / 2
		l.textAt[i] = Point{(way[m-1].X + way[m].X) / 2, (way[m-1].Y+way[m].Y)/2 - 4}
		if len(way) == 3 && len(e.Bends) == 0 {
			l.textAt[i] = Point{(way[0].X + 2*way[1].X + way[2].X) / 4, (way[0].Y+2*way[1].Y+way[2].Y)/4 - 4}
		}
		way[0] = l.border(e.From, way[1])
		way[len(way)-1] = l.border(e.To, way[len(way)-2])
		routes[i] = way
	}
	return routes
}

// border returns where a line from the centre of a node towards a point leaves the node.
func (l *layout) border(node int, towards Point) Point {
	c, half := l.at[node], l.halves[node]
	dx, dy := towards.X-c.X, towards.Y-c.Y
	if dx == 0 && dy == 0 {
		return c
	}
	share := 1 / math.Hypot(dx/half.X, dy/half.Y)
	if s := l.graph.Nodes[node].Shape; s == Bar || s == LivelockBox || s == DoubleLivelockBox {
		share = 1 / max(math.Abs(dx)/half.X, math.Abs(dy)/half.Y)
	}
	if share > 1 {
		share = 1
	}
	return Point{c.X + share*dx, c.Y + share*dy}
}

package picture

import (
	"cmp"
	"math"
	"slices"

	"pnmc/internal/account"
)

// settle gives vertices their coordinates: layers stand beside each other; within a layer,
// each vertex goes as near to its neighbours as the order and the room of the others allow.
//
// Widths of layers add up to the right, each with the room of its widest vertex. Heights begin
// with the order of each layer, one vertex below the other around the middle. Then each layer is
// pulled towards the one on its left, from left to right, towards the one on its right, from
// right to left, and so on ten times; the last time towards both.
func (d *drawing) settle() error {
	d.x, d.width = make([]float64, len(d.layers)), make([]float64, len(d.layers))
	right := 0.0
	for i, layer := range d.layers {
		half := 0.0
		for _, v := range layer {
			half = max(half, d.extent[v].left, d.extent[v].right)
		}
		gap := betweenRank
		if i > 0 { // many arrows need more room to spread
			gap += min(60, 0.8*float64(max(len(layer), len(d.layers[i-1]))))
		}
		d.x[i], d.width[i] = right+half, 2*half
		right += 2*half + gap
	}
	d.y = make([]float64, len(d.rank))
	for _, layer := range d.layers {
		y := 0.0
		for j, v := range layer {
			if j > 0 {
				y += d.extent[layer[j-1]].below + betweenRows + d.extent[v].above
			}
			d.y[v] = y
		}
		for _, v := range layer {
			d.y[v] -= y / 2
		}
	}
	const rounds = 10
	for round := range rounds {
		for i := range d.layers {
			switch {
			case round == rounds-1:
				d.pull(d.layers[i], d.left, d.right)
			case round%2 == 0:
				d.pull(d.layers[i], d.left)
			default:
				d.pull(d.layers[len(d.layers)-1-i], d.right)
			}
		}
		if err := d.account.Charge(account.EdgeWork * len(d.rank)); err != nil {
			return err
		}
	}
	return nil
}

// weight returns how much an arc wants to be straight: most between points that it passes.
func (d *drawing) weight(v, w int) float64 {
	switch n := len(d.nodes); {
	case v >= n && w >= n:
		return 8
	case v >= n || w >= n:
		return 2
	}
	return 1
}

// pull moves the vertices of a layer to where their neighbours are: it minimizes the sum of
// weighted squares of the distances to where each wants to be, with the room between them
// kept. With the room taken off, that is a regression to an ascending sequence, which
// pooling adjacent violators solves in linear time (M. Ayer and others, 1955).
//
// For example, two vertices that need a distance of 20 want to be at 10 and at 0. With the room taken
// off these are 10 and -20, which descend. So they become one block at their mean, -5, and with the
// room put back the vertices are at -5 and 15: both are 15 away from where they want to be.
func (d *drawing) pull(layer []int, sides ...[][]int) {
	type block struct {
		sum, weight float64
		size        int
	}
	var blocks []block
	room := make([]float64, len(layer))
	for j, v := range layer {
		if j > 0 {
			room[j] = room[j-1] + d.extent[layer[j-1]].below + betweenRows + d.extent[v].above
		}
		sum, weight := 0.0, 0.0
		for _, side := range sides {
			for _, w := range side[v] {
				sum += d.weight(v, w) * d.y[w]
				weight += d.weight(v, w)
			}
		}
		if weight == 0 { // it stays, unless others need the room
			weight = 0.1
			sum = weight * d.y[v]
		}
		blocks = append(blocks, block{sum - weight*room[j], weight, 1})
		for len(blocks) > 1 {
			a, b := blocks[len(blocks)-2], blocks[len(blocks)-1]
			if a.sum*b.weight < b.sum*a.weight {
				break
			}
			blocks = append(blocks[:len(blocks)-2], block{a.sum + b.sum, a.weight + b.weight, a.size + b.size})
		}
	}
	j := 0
	for _, b := range blocks {
		for range b.size {
			d.y[layer[j]] = b.sum/b.weight + room[j]
			j++
		}
	}
}

// box returns the room of the part, beginning at 0.
func (d *drawing) box() (left, top, width, height float64) {
	bottom, right := 0.0, 0.0
	for v, e := range d.extent {
		x, y := d.x[d.rank[v]], d.y[v]
		if v == 0 {
			left, right, top, bottom = x-e.left, x+e.right, y-e.above, y+e.below
		}
		left, right, top, bottom = min(left, x-e.left), max(right, x+e.right), min(top, y-e.above), max(bottom, y+e.below)
	}
	return left, top, right - left, bottom - top
}

// arrange puts the parts of a graph beside and below each other: in rows as wide as the
// widest part, or as makes the whole somewhat wider than high.
//
// For example, forty parts of about the same size become a few rows, not one row of forty. The
// whole is about 1.6 times as wide as high.
func arrange(parts []*drawing) {
	const gap = 30
	widest, area := 0.0, 0.0
	for _, d := range parts {
		_, _, w, h := d.box()
		widest = max(widest, w)
		area += (w + gap) * (h + gap)
	}
	for side := widest; side*side < 1.6*area; side *= 1.2 {
		widest = side
	}
	x, y, row := 0.0, 0.0, 0.0
	for _, d := range parts {
		left, top, w, h := d.box()
		if x > 0 && x+w > widest {
			x, y, row = 0, y+row+gap, 0
		}
		for i := range d.x {
			d.x[i] += x - left
		}
		for v := range d.y {
			d.y[v] += y - top
		}
		for v, node := range d.nodes {
			d.at[node] = Point{d.x[d.rank[v]], d.y[v]}
			d.placeLoops(node)
		}
		x, row = x+w+gap, max(row, h)
	}
}

// end is one end of an arc at the side of a node.
type end struct {
	arc     int
	towards float64 // how far down it leads
}

// route draws the arcs: from the side of a node, at a height of its own, through the layers
// that they pass, to the side of the other node.
func (d *drawing) route(routes [][]Point) {
	n := len(d.nodes)
	starts, ends := make([][]end, n), make([][]end, n)
	for i, a := range d.arcs {
		first, last := a.to, a.from
		if p := d.passes[i]; len(p) > 0 {
			first, last = p[0], p[len(p)-1]
		}
		starts[a.from] = append(starts[a.from], end{i, d.y[first]})
		ends[a.to] = append(ends[a.to], end{i, d.y[last]})
	}
	from, to := make([]Point, len(d.arcs)), make([]Point, len(d.arcs))
	for v := range n {
		d.spread(v, starts[v], from, 1)
		d.spread(v, ends[v], to, -1)
	}
	for i, a := range d.arcs {
		way := []Point{from[i]}
		for _, v := range d.passes[i] {
			x, half := d.x[d.rank[v]], d.width[d.rank[v]]/2
			way = append(way, Point{x - half, d.y[v]}, Point{x + half, d.y[v]})
		}
		way = append(way, to[i])
		if k := len(d.passes[i]); k > 0 && a.label {
			v := d.passes[i][(k-1)/2]
			d.textAt[a.edge] = Point{d.x[d.rank[v]], d.y[v] - 4}
		} else {
			p, q := way[k], way[k+1]
			d.textAt[a.edge] = Point{(p.X + q.X) / 2, (p.Y+q.Y)/2 - 4}
		}
		if a.turned {
			slices.Reverse(way)
		}
		routes[a.edge] = way
	}
}

// spread gives the ends of arcs at one side of a node a height each, in the order of where
// they lead.
func (d *drawing) spread(v int, list []end, at []Point, side float64) {
	slices.SortStableFunc(list, func(a, b end) int {
		return cmp.Or(cmp.Compare(a.towards, b.towards), a.arc-b.arc)
	})
	node := &d.graph.Nodes[d.nodes[v]]
	half, c := d.halves[d.nodes[v]], d.at[d.nodes[v]]
	step := min(9, 1.3*half.Y/float64(max(1, len(list))))
	for i, e := range list {
		dy := step * (float64(i) - float64(len(list)-1)/2)
		dx := half.X
		switch node.Shape {
		case Circle:
			dx = half.X * math.Sqrt(1-dy*dy/(half.Y*half.Y))
		case State, DoubleState:
			// the corners are round, by at most half the height
			if over := max(0, math.Abs(dy)-(half.Y-corner)); over > 0 {
				dx -= corner - math.Sqrt(corner*corner-over*over)
			}
		}
		at[e.arc] = Point{c.X + side*dx, c.Y + dy}
	}
}

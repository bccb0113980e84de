package picture

import "pnmc/internal/account"

// arc is an edge between two vertices that points to the right.
type arc struct {
	edge     int // of the graph
	from, to int // vertices
	turned   bool
	label    bool // it has room for a text in its middle
}

// drawing is one connected part of a graph in layers. Vertices are its nodes, then the
// points at which arrows pass a layer.
//
// The steps, in the order of layered: Turn arcs until they close no circle. Give nodes layers
// such that arcs lead to the right. Give long arcs a vertex in each layer that they pass. Sort
// the nodes of each layer so that few arcs cross. Choose coordinates. It is the method of K.
// Sugiyama, S. Tagawa and M. Toda (1981), with layers from left to right.
type drawing struct {
	*layout
	nodes  []int // of the graph, by vertex
	arcs   []arc
	rank   []int
	extent []extent
	passes [][]int // of each arc, the vertices between its ends
	right  [][]int // neighbours of each vertex in the next layer
	left   [][]int // and in the layer before
	layers [][]int
	place  []int     // in its layer
	y      []float64 // of each vertex
	x      []float64 // of each layer, the middle
	width  []float64 // of each layer
}

// mostPasses bounds the points at which the arrows of one part pass layers. Beyond it
// arrows go straight, behind nodes.
const mostPasses = 40_000

// layered lays the graph out, a part after the other, and routes its edges.
func (l *layout) layered() ([][]Point, error) {
	routes := make([][]Point, len(l.graph.Edges))
	parts, err := l.parts()
	if err != nil {
		return nil, err
	}
	for _, d := range parts {
		for _, step := range []func() error{d.turn, d.rankNodes, d.passLayers, d.sortLayers, d.settle} {
			if err := step(); err != nil {
				return nil, err
			}
		}
	}
	arrange(parts)
	for _, d := range parts {
		d.route(routes)
	}
	return routes, l.account.Charge(account.EdgeWork * len(routes))
}

// parts returns the connected parts of the graph, in the order of their first nodes.
func (l *layout) parts() ([]*drawing, error) {
	n := len(l.graph.Nodes)
	next := make([][]int, n)
	for i, e := range l.graph.Edges {
		if e.From != e.To {
			next[e.From] = append(next[e.From], i)
			next[e.To] = append(next[e.To], i)
		}
	}
	vertex, taken := make([]int, n), make([]bool, len(l.graph.Edges))
	for i := range vertex {
		vertex[i] = -1
	}
	var parts []*drawing
	for first := range n {
		if vertex[first] >= 0 {
			continue
		}
		d := &drawing{layout: l, nodes: []int{first}}
		vertex[first] = 0
		for i := 0; i < len(d.nodes); i++ {
			node := d.nodes[i]
			for _, e := range next[node] {
				edge := l.graph.Edges[e]
				other := edge.From + edge.To - node
				if vertex[other] < 0 {
					vertex[other] = len(d.nodes)
					d.nodes = append(d.nodes, other)
				}
				if !taken[e] {
					taken[e] = true
					d.arcs = append(d.arcs, arc{edge: e})
				}
			}
			if err := l.account.Charge(account.EdgeWork * (1 + len(next[node]))); err != nil {
				return nil, err
			}
		}
		for i := range d.arcs {
			edge := l.graph.Edges[d.arcs[i].edge]
			d.arcs[i].from, d.arcs[i].to = vertex[edge.From], vertex[edge.To]
			d.arcs[i].label = len(l.labels[d.arcs[i].edge]) > 0 && !l.small(d.arcs[i].edge)
		}
		for _, node := range d.nodes {
			d.extent = append(d.extent, l.extents[node])
		}
		parts = append(parts, d)
	}
	return parts, nil
}

// small reports whether the text of an edge needs no room of its own.
func (l *layout) small(edge int) bool {
	return len(l.labels[edge]) == 1 && widthOf(l.labels[edge][0]) <= 2*characterWidth
}

// turn turns those arcs around that lead to what a search in breadth finds earlier. The search
// begins where the graph begins, and with what no arc enters. A transition is found when all its
// places were found, as it fires when all are marked. No arcs then close a circle, and pictures
// are no longer than the way to what is farthest.
//
// Each arc leads to a node that was found later, and the order in which nodes are found has no
// circles. To turn as few arcs as possible is NP-hard. It is not what a reader wants, either: the
// arc back to the beginning should be the one that points back.
func (d *drawing) turn() error {
	n := len(d.nodes)
	out := make([][]int, n)
	missing, entered := make([]int, n), make([]bool, n)
	for _, a := range d.arcs {
		out[a.from] = append(out[a.from], a.to)
		entered[a.to] = true
		if d.graph.Nodes[d.nodes[a.to]].Shape == Bar {
			missing[a.to]++
		}
	}
	found, queue := make([]int, n), make([]int, 0, n)
	find := func(v int) {
		if found[v] == 0 {
			queue = append(queue, v)
			found[v] = len(queue)
		}
	}
	for v, node := range d.nodes {
		if node < d.graph.Begin || !entered[v] {
			find(v)
		}
	}
	for i, next := 0, 0; i < n; i++ {
		for ; i == len(queue); next++ { // what is not reached begins anew
			find(next)
		}
		for _, w := range out[queue[i]] {
			if missing[w]--; missing[w] <= 0 {
				find(w)
			}
		}
		if err := d.account.Charge(account.EdgeWork * (1 + len(out[queue[i]]))); err != nil {
			return err
		}
	}
	for i := range d.arcs {
		if a := &d.arcs[i]; found[a.to] < found[a.from] {
			a.from, a.to, a.turned = a.to, a.from, true
		}
	}
	return nil
}

// span returns how many layers an arc leads on at least.
func (a *arc) span() int {
	if a.label {
		return 2
	}
	return 1
}

// rankNodes gives each vertex a layer, such that all arcs lead to the right: as far to the
// left as they can be, then nearer to most of their neighbours.
//
// For example, a to b to c, and d to c. The longest way counts: a is in layer 0, b in 1, c in 2, and d
// is in 0 at first. It has an arc to the right and none from the left, so it moves right beside b: its
// arc is then as short as can be. An arc with a text takes two layers, the text being in the middle.
func (d *drawing) rankNodes() error {
	n := len(d.nodes)
	in, out := make([][]int, n), make([][]int, n)
	waits := make([]int, n)
	for i, a := range d.arcs {
		out[a.from] = append(out[a.from], i)
		in[a.to] = append(in[a.to], i)
		waits[a.to]++
	}
	d.rank = make([]int, n)
	var order []int
	for v := range n {
		if waits[v] == 0 {
			order = append(order, v)
		}
	}
	for i := 0; i < len(order); i++ {
		v := order[i]
		for _, e := range out[v] {
			a := &d.arcs[e]
			d.rank[a.to] = max(d.rank[a.to], d.rank[v]+a.span())
			if waits[a.to]--; waits[a.to] == 0 {
				order = append(order, a.to)
			}
		}
		if err := d.account.Charge(account.EdgeWork * (1 + len(out[v]))); err != nil {
			return err
		}
	}
	for range 3 { // what has more arcs to the right goes there
		for i := n - 1; i >= 0; i-- {
			v := order[i]
			if len(out[v]) <= len(in[v]) {
				continue
			}
			last := -1
			for _, e := range out[v] {
				if r := d.rank[d.arcs[e].to] - d.arcs[e].span(); last < 0 || r < last {
					last = r
				}
			}
			d.rank[v] = max(d.rank[v], last)
		}
		if err := d.account.Charge(account.EdgeWork * (n + len(d.arcs))); err != nil {
			return err
		}
	}
	first := d.rank[0]
	for _, r := range d.rank {
		first = min(first, r)
	}
	for v := range d.rank {
		d.rank[v] -= first
	}
	return nil
}

// passLayers puts a vertex into each layer that an arc passes, one of them with room for
// its text, and collects the layers.
func (d *drawing) passLayers() error {
	total := 0
	for _, a := range d.arcs {
		total += d.rank[a.to] - d.rank[a.from] - 1
	}
	d.passes = make([][]int, len(d.arcs))
	for i := range d.arcs {
		if err := d.pass(i, total > mostPasses); err != nil {
			return err
		}
	}
	n := len(d.rank)
	d.right, d.left, d.place = make([][]int, n), make([][]int, n), make([]int, n)
	for i, a := range d.arcs {
		v := a.from
		for _, next := range append(d.passes[i], a.to) {
			if d.rank[next] == d.rank[v]+1 {
				d.right[v] = append(d.right[v], next)
				d.left[next] = append(d.left[next], v)
			}
			v = next
		}
	}
	last := 0
	for _, r := range d.rank {
		last = max(last, r)
	}
	d.layers = make([][]int, last+1)
	return d.account.Charge(account.EdgeWork * (n + len(d.arcs)))
}

// pass puts a vertex into each layer that an arc passes. Where arrows are straight, it puts one into
// the layer with its text alone, and walks no others: there may be as many layers as arcs.
func (d *drawing) pass(i int, straight bool) error {
	a := d.arcs[i]
	first, last := d.rank[a.from]+1, d.rank[a.to]-1
	middle := -1
	if a.label {
		middle = (first + last) / 2
	}
	switch {
	case straight && a.label:
		first, last = middle, middle
	case straight:
		last = first - 1
	}
	if err := d.account.Charge(account.EdgeWork); err != nil {
		return err
	}
	for r := first; r <= last; r++ {
		room := extent{0, 0, 2, 2}
		if r == middle {
			lines := d.labels[a.edge]
			half := widest(lines)/2 + 4
			room = extent{half, half, lineHeight*float64(len(lines)) + 3, 3}
		}
		d.passes[i] = append(d.passes[i], len(d.rank))
		d.rank = append(d.rank, r)
		d.extent = append(d.extent, room)
		if err := d.account.Charge(account.EdgeWork); err != nil {
			return err
		}
	}
	return nil
}

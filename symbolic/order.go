package symbolic

import (
	"slices"
)

// An Order lists the variables of a System from the bottom level up.
type Order []int

const (
	// largestSloanEdge bounds the edges whose members Sloan's algorithm takes as
	// adjacent.
	largestSloanEdge = 64
	// largestFollow bounds the variables of systems for which the quadratic
	// follow is tried.
	largestFollow = 8000
	// forceWork bounds the members and variables that force visits, as far as
	// that leaves fewestRounds; mostRounds are enough for small systems.
	forceWork    = 20_000_000
	fewestRounds = 10
	mostRounds   = 400
)

// A hypergraph says which variables occur together: each edge is the support of
// an event. Orders that keep the variables of an edge together keep diagrams
// small, since the nodes between carry what the upper variables tell the lower.
type hypergraph struct {
	vertices int
	starts   []uint32 // edges+1 offsets into members
	members  []uint32
	ofStart  []uint32 // vertices+1 offsets into ofEdges
	ofEdges  []uint32
}

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

func (g *hypergraph) edges() int                { return len(g.starts) - 1 }
func (g *hypergraph) edge(e int) []uint32       { return g.members[g.starts[e]:g.starts[e+1]] }
func (g *hypergraph) edgesOf(v uint32) []uint32 { return g.ofEdges[g.ofStart[v]:g.ofStart[v+1]] }

// positions is the inverse of an order.
func (o Order) positions() []int {
	at := make([]int, len(o))
	for i, v := range o {
		at[v] = i
	}
	return at
}

// cost is the metric by which orders are compared before they are tried: the sum
// over the edges of the levels they span, those high up counting up to twice
// (weighted event span; Siminiceanu, Ciardo, "New metrics for static variable
// ordering in decision diagrams", 2006).
func (g *hypergraph) cost(o Order) float64 {
	at := o.positions()
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

// declared is the order in which variables were declared, the first on top.
func declared(n int) Order {
	o := make(Order, n)
	for i := range o {
		o[i] = n - 1 - i
	}
	return o
}

// force improves an order by moving each variable to the mean centre of gravity
// of its edges, until the cost stops falling (Aloul, Markov, Sakallah, "FORCE: a
// fast and easy-to-implement variable-ordering heuristic", 2003). Time is that of
// sorting the variables and of visiting all members, in each round.
func (g *hypergraph) force(o Order) Order {
	best, bestCost := slices.Clone(o), g.cost(o)
	current := slices.Clone(o)
	centre := make([]float64, g.edges())
	weight := make([]float64, g.vertices)
	patience := 0
	rounds := min(mostRounds, max(fewestRounds, forceWork/(len(g.members)+g.vertices+1)))
	for round := 0; round < rounds && patience < 12; round++ {
		at := current.positions()
		for e := range centre {
			var sum float64
			for _, v := range g.edge(e) {
				sum += float64(at[v])
			}
			centre[e] = sum / float64(max(1, len(g.edge(e))))
		}
		for v := range weight {
			edges := g.edgesOf(uint32(v))
			weight[v] = float64(at[v])
			if len(edges) > 0 {
				var sum float64
				for _, e := range edges {
					sum += centre[e]
				}
				weight[v] = sum / float64(len(edges))
			}
		}
		next := slices.Clone(current)
		slices.SortStableFunc(next, func(a, b int) int {
			switch {
			case weight[a] < weight[b]:
				return -1
			case weight[a] > weight[b]:
				return 1
			}
			return 0
		})
		if slices.Equal(next, current) {
			break
		}
		current = next
		if c := g.cost(current); c < bestCost*0.999 {
			best, bestCost, patience = slices.Clone(current), c, 0
		} else {
			patience++
		}
	}
	return best
}

// follow builds an order from the bottom up: next is always the variable whose
// edges are, on average, most nearly placed already (after Noack's heuristic in
// Heiner, Rohr, Schwarick, Tovchigrechko, "MARCIE's secrets of efficient model
// checking", 2016). Time is quadratic in the number of variables at most.
func (g *hypergraph) follow(first int) Order {
	placed := make([]bool, g.vertices)
	missing := make([]int, g.edges())
	for e := range missing {
		missing[e] = len(g.edge(e))
	}
	score := func(v int) float64 {
		var sum float64
		edges := g.edgesOf(uint32(v))
		for _, e := range edges {
			size := float64(len(g.edge(int(e))))
			done := size - float64(missing[e])
			sum += (done + 0.1) / size
		}
		return sum / float64(max(1, len(edges)))
	}
	scores := make([]float64, g.vertices)
	for v := range scores {
		scores[v] = score(v)
	}
	order := make(Order, 0, g.vertices)
	next := first
	touched := make([]int, g.vertices)
	for step := 1; ; step++ {
		placed[next] = true
		order = append(order, next)
		for _, e := range g.edgesOf(uint32(next)) {
			missing[e]--
		}
		for _, e := range g.edgesOf(uint32(next)) {
			for _, v := range g.edge(int(e)) {
				if !placed[v] && touched[v] != step {
					touched[v] = step
					scores[v] = score(int(v))
				}
			}
		}
		next = -1
		for v := range scores {
			if !placed[v] && (next < 0 || scores[v] > scores[next]) {
				next = v
			}
		}
		if next < 0 {
			return order
		}
	}
}

// A candidate is an order to try.
type candidate struct {
	name  string
	order Order
	cost  float64
}

// candidateOrders are the orders worth trying, the most promising first.
func candidateOrders(s *System) []candidate {
	supports := make([][]uint32, len(s.Events))
	for i, e := range s.Events {
		for _, g := range e {
			supports[i] = append(supports[i], g.Variable)
		}
	}
	n := len(s.Names)
	if n == 0 {
		return []candidate{{"declared", Order{}, 0}}
	}
	g := newHypergraph(n, supports)
	var all []candidate
	add := func(name string, o Order) {
		for _, c := range all {
			if slices.Equal(c.order, o) {
				return
			}
		}
		all = append(all, candidate{name, o, g.cost(o)})
	}
	start := declared(n)
	sloan := g.sloan(largestSloanEdge)
	add("force", g.force(start))
	if len(s.Groups) > 0 {
		grouped := newHypergraph(n, slices.Concat(supports, s.Groups))
		add("groups-force", grouped.force(start))
		add("groups-sloan-force", grouped.force(sloan))
	}
	add("sloan-force", g.force(sloan))
	if n <= largestFollow {
		add("follow", g.follow(0))
		add("follow-last-reversed", g.follow(n-1).reversed())
	}
	add("declared", start)
	add("sloan-reversed", sloan.reversed())
	return all
}

func (o Order) reversed() Order {
	r := slices.Clone(o)
	slices.Reverse(r)
	return r
}

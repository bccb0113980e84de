package order

const (
	// followWork bounds the variables that followBest looks at, over all orders.
	followWork = 10_000_000
	// LargestFollow bounds the variables of systems that follow orders.
	LargestFollow = 8000
)

// followBest returns the order of least cost among those that follow builds from
// different first variables, evenly spread: from all of them in small systems.
// Upside down, it is the best of the reverses of these. It is nil where theirs are.
func (g *hypergraph) followBest(upsideDown bool) []int {
	n := g.vertices
	starts := min(n, max(1, followWork/(n*n)))
	var best []int
	var least float64
	for i := range starts {
		o := g.follow(i * n / starts)
		if o == nil {
			return best // nil, but where the work ended
		}
		if upsideDown {
			o = reversed(o)
		}
		if !g.work.spend(len(g.members)) {
			return best
		}
		if cost := g.cost(o); best == nil || cost < least {
			best, least = o, cost
		}
	}
	return best
}

// follow builds an order from the bottom up. Next is always the variable whose edges are, on
// average, most nearly placed already (after Noack's heuristic in Heiner, Rohr, Schwarick,
// Tovchigrechko, "MARCIE's secrets of efficient model checking", 2016). If all variables of an edge
// but one are placed, the edge pulls that one hard: once it is placed, no level above needs to know
// of the edge. For example, after a and b the edges {a, b, c} and {b, d, e, f} are 2/3 and 1/4
// placed: c is next.
//
// Time is quadratic in the number of variables. The order is nil beyond LargestFollow variables,
// and if the work ends before.
func (g *hypergraph) follow(first int) []int {
	if g.vertices > LargestFollow {
		return nil
	}
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
	order := make([]int, 0, g.vertices)
	next := first
	touched := make([]int, g.vertices)
	for step := 1; ; step++ {
		placed[next] = true
		order = append(order, next)
		for _, e := range g.edgesOf(uint32(next)) {
			missing[e]--
		}
		for _, e := range g.edgesOf(uint32(next)) {
			if !g.work.spend(len(g.edge(int(e)))) {
				return nil
			}
			for _, v := range g.edge(int(e)) {
				if !placed[v] && touched[v] != step {
					touched[v] = step
					if scores[v] = score(int(v)); !g.work.spend(4 * len(g.edgesOf(v))) {
						return nil
					}
				}
			}
		}
		if !g.work.spend(g.vertices) {
			return nil
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

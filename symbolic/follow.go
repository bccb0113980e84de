package symbolic

// largestFollow bounds the variables of systems for which the quadratic follow
// is tried.
const largestFollow = 8000

// follow builds an order from the bottom up: next is always the variable whose
// edges are, on average, most nearly placed already (after Noack's heuristic in
// Heiner, Rohr, Schwarick, Tovchigrechko, "MARCIE's secrets of efficient model
// checking", 2016). Time is quadratic in the number of variables: beyond
// largestFollow of them the order is nil.
func (g *hypergraph) follow(first int) Order {
	if g.vertices > largestFollow {
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

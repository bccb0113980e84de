package order

import "slices"

const (
	// forceWork bounds the members and variables that force visits, as far as
	// that leaves fewestRounds; mostRounds are enough for small systems.
	forceWork    = 20_000_000
	fewestRounds = 10
	mostRounds   = 400
)

// force improves an order by moving each variable to the mean centre of gravity of its edges, until
// the cost stops falling (Aloul, Markov, Sakallah, "FORCE: a fast and easy-to-implement
// variable-ordering heuristic", 2003).
//
// For example, let the order be a, b, c, d at positions 0 to 3, with the edges {a, d}, {a, c} and
// {b, d}. Their centres are 1.5, 1 and 2. So a goes to the mean of 1.5 and 1, which is 1.25; b to
// 2; c to 1; d to the mean of 1.5 and 2, which is 1.75. Sorted, the next order is c, a, d, b: each
// edge joins neighbours now.
//
// A round takes time to visit all members of edges and to sort the variables. The search may end
// with the work after any round.
func (g *hypergraph) force(o []int) []int {
	if o == nil {
		return nil
	}
	// Moving all variables at once need not improve the cost, and often does so only
	// after some rounds that do not.
	best, bestCost := slices.Clone(o), g.cost(o)
	current := slices.Clone(o)
	centre := make([]float64, g.edges())
	weight := make([]float64, g.vertices)
	patience := 0
	rounds := min(mostRounds, max(fewestRounds, forceWork/(len(g.members)+g.vertices+1)))
	// A variable without edges stays where it is.
	for round := 0; round < rounds && patience < 12; round++ {
		if !g.work.spend(3*len(g.members) + 32*g.vertices) {
			return best
		}
		at := positions(current)
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
		// Equal centres keep their order: the result depends on the start alone.
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

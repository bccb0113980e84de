package twin

// product is a graph of pairs, whose edges have marks; the question is whether it
// has a cycle that acceptance allows.
type product struct {
	numbers map[[2]int]int
	pairs   [][2]int
	edges   [][]markedEdge
	count   int // of edges
}

// mostEdges is up to when a graph or a product is built; of a larger one nothing is known.
// With it goes memory: some 60 bytes for each edge.
const mostEdges = 1 << 20

type markedEdge struct {
	to    int
	marks uint64
}

// newProduct returns a product without pairs.
func newProduct() *product { return &product{numbers: map[[2]int]int{}} }

// number returns the number of a pair, a new one if it was not met.
func (p *product) number(i, q int) int {
	n, known := p.numbers[[2]int{i, q}]
	if !known {
		n = len(p.pairs)
		p.numbers[[2]int{i, q}] = n
		p.pairs = append(p.pairs, [2]int{i, q})
	}
	return n
}

// startAll begins with all pairs of initial states.
func (p *product) startAll(left, right []int) {
	for _, i := range left {
		for _, q := range right {
			p.number(i, q)
		}
	}
}

// explore adds all that is reachable, or gives up and is false; successors calls edge for
// each edge of a pair.
func (p *product) explore(successors func(i, q int, edge func(i, q int, marks uint64))) bool {
	for n := 0; n < len(p.pairs); n++ {
		var list []markedEdge
		successors(p.pairs[n][0], p.pairs[n][1], func(i, q int, marks uint64) {
			if p.count++; p.count <= mostEdges {
				list = append(list, markedEdge{p.number(i, q), marks})
			}
		})
		if p.count > mostEdges {
			return false
		}
		p.edges = append(p.edges, list)
	}
	return true
}

// accepts reports whether a cycle is allowed by one of the disjuncts: whether the graph of the edges
// without forbidden marks has a component with all marks asked for. Components are found anew for
// each disjunct.
func (p *product) accepts(disjuncts []Disjunct) bool {
	for _, d := range disjuncts {
		allowed := func(e markedEdge) bool { return e.marks&d.Finitely == 0 }
		component := p.components(allowed)
		marks, cyclic := map[int]uint64{}, map[int]bool{}
		for n, edges := range p.edges {
			for _, e := range edges {
				if allowed(e) && component[n] == component[e.to] {
					marks[component[n]] |= e.marks
					cyclic[component[n]] = true
				}
			}
		}
		for c := range cyclic {
			if marks[c]&d.Infinitely == d.Infinitely {
				return true
			}
		}
	}
	return false
}

// components numbers the strongly connected components: Kosaraju's algorithm, a
// search forwards for an order, and one backwards in it.
func (p *product) components(allowed func(markedEdge) bool) []int {
	backwards := make([][]int, len(p.edges))
	forwards := make([][]int, len(p.edges))
	for n, edges := range p.edges {
		for _, e := range edges {
			if allowed(e) {
				forwards[n] = append(forwards[n], e.to)
				backwards[e.to] = append(backwards[e.to], n)
			}
		}
	}
	seen := make([]bool, len(p.edges))
	var order []int
	for n := range p.edges {
		search(n, forwards, seen, func(x int) { order = append(order, x) })
	}
	component := make([]int, len(p.edges))
	seen = make([]bool, len(p.edges))
	for i := len(order) - 1; i >= 0; i-- {
		search(order[i], backwards, seen, func(x int) { component[x] = order[i] })
	}
	return component
}

// search goes depth first from n, and calls left with each node that it leaves.
func search(n int, edges [][]int, seen []bool, left func(int)) {
	type frame struct{ node, next int }
	if seen[n] {
		return
	}
	seen[n] = true
	stack := []frame{{n, 0}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(edges[top.node]) {
			left(top.node)
			stack = stack[:len(stack)-1]
			continue
		}
		to := edges[top.node][top.next]
		top.next++
		if !seen[to] {
			seen[to] = true
			stack = append(stack, frame{to, 0})
		}
	}
}

package order

import "container/heap"

// sloan orders the vertices so that the profile of their adjacency is small (Sloan, "An algorithm for
// profile and wavefront reduction of sparse matrices", 1986).
//
// The idea. Put the vertices one by one. The front are those not yet placed that are adjacent to
// placed ones: what a diagram has to remember between the levels. The order is good if the front
// stays small. So begin at one end of the graph. Then take a vertex that brings few new ones to the
// front. It should also be far from the other end, so that nothing is left behind. For a path
// 1-2-3-4-5 the order is the path; a star a with b, c, d, e begins with a leaf, then a, and then
// the other leaves.
//
// Vertices are adjacent when they share an edge of at most largestEdge members: larger ones make
// everything adjacent and say little. The result is nil if the work ends before.
func (g *hypergraph) sloan(largestEdge int) []int {
	s := &sloanSearch{
		work: g.work, neighbours: g.adjacency(largestEdge), order: make([]int, 0, g.vertices), placed: make([]bool, g.vertices),
		distance: make([]int, g.vertices), status: make([]uint8, g.vertices), priority: make([]int, g.vertices),
	}
	for v := range s.distance {
		s.distance[v] = -1
	}
	for v := range g.vertices {
		if !s.placed[v] {
			s.place(s.peripheral(v))
		}
		if !s.work.spend(1) {
			return nil
		}
	}
	return s.order
}

// A sloanSearch goes through the components of a graph. Its tables are over all vertices
// and made once, since there may be as many components as vertices.
type sloanSearch struct {
	work       *work
	neighbours [][]uint32
	order      []int // of the components placed
	placed     []bool
	component  []int // the vertices that the last search met, in its order
	distance   []int // of these from where it began; -1 for others
	status     []uint8
	priority   []int
}

// adjacency lists the neighbours of each vertex, each once. Time and space are those
// of the pairs of members of an edge, hence the bound on edges.
func (g *hypergraph) adjacency(largestEdge int) [][]uint32 {
	neighbours := make([][]uint32, g.vertices)
	seen := make([]int, g.vertices)
	for v := range g.vertices {
		seen[v] = v + 1
		for _, e := range g.edgesOf(uint32(v)) {
			if len(g.edge(int(e))) > largestEdge || !g.work.spend(largestEdge) {
				continue
			}
			for _, w := range g.edge(int(e)) {
				if seen[w] != v+1 {
					seen[w] = v + 1
					neighbours[v] = append(neighbours[v], w)
				}
			}
		}
	}
	return neighbours
}

// peripheral finds a vertex at the edge of the component of v, and leaves in distance
// those of the component's vertices to one at the other edge.
func (s *sloanSearch) peripheral(v int) (start int) {
	end, depth := s.measure(v)
	// Each round starts at the far end of the last, until that is no farther.
	for {
		far, farther := s.measure(end)
		if farther <= depth || !s.work.spend(16*len(s.component)) {
			return far
		}
		end, depth = far, farther
	}
}

// measure searches breadth first from v. It sets the distances, and returns a vertex of least
// degree among those farthest away, with its distance.
func (s *sloanSearch) measure(v int) (last, depth int) {
	for _, w := range s.component {
		s.distance[w] = -1
	}
	s.distance[v] = 0
	queue := append(s.component[:0], v)
	for i := 0; i < len(queue); i++ {
		for _, w := range s.neighbours[queue[i]] {
			if s.distance[w] < 0 {
				s.distance[w] = s.distance[queue[i]] + 1
				queue = append(queue, int(w))
			}
		}
	}
	last = queue[len(queue)-1]
	depth = s.distance[last]
	for _, w := range queue {
		if s.distance[w] == depth && len(s.neighbours[w]) < len(s.neighbours[last]) {
			last = w
		}
	}
	s.component = queue
	return last, depth
}

// A sloanQueue holds vertices that may be placed next, by priority.
type sloanQueue []sloanEntry

// A sloanEntry is out of date if the vertex has another priority by now, or was placed.
type sloanEntry struct{ priority, vertex int }

func (q sloanQueue) Len() int           { return len(q) }
func (q sloanQueue) Less(i, j int) bool { return q[i].priority > q[j].priority }
func (q sloanQueue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *sloanQueue) Push(x any)        { *q = append(*q, x.(sloanEntry)) }
func (q *sloanQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// place places the component of start. A vertex counts for more the farther it is from
// the end, and the fewer vertices it would bring to the front.
func (s *sloanSearch) place(start int) {
	// Sloan weighs the distance once and new vertices at the front twice.
	const towardsEnd, fewNew = 1, 2
	// A vertex is preactive when a neighbour of it is at the front, active when it
	// is there itself. A priority that rose is pushed again: the old entry is
	// recognized by its priority when it comes up.
	const inactive, preactive, active = 0, 1, 2
	for _, v := range s.component {
		s.priority[v] = towardsEnd*s.distance[v] - fewNew*(len(s.neighbours[v])+1)
	}
	queue := &sloanQueue{{s.priority[start], start}}
	s.status[start] = preactive
	raise := func(w uint32) {
		s.priority[w] += fewNew
		if s.status[w] == inactive {
			s.status[w] = preactive
		}
		heap.Push(queue, sloanEntry{s.priority[w], int(w)})
	}
	for queue.Len() > 0 {
		top := heap.Pop(queue).(sloanEntry)
		v := top.vertex
		if !s.work.spend(16 + 16*len(s.neighbours[v])) {
			return
		}
		if s.placed[v] || top.priority != s.priority[v] {
			continue
		}
		if s.status[v] == preactive {
			for _, w := range s.neighbours[v] {
				if !s.placed[w] {
					raise(w)
				}
			}
		}
		s.placed[v] = true
		s.order = append(s.order, v)
		for _, w := range s.neighbours[v] {
			if !s.placed[w] && s.status[w] == preactive {
				s.status[w] = active
				raise(w)
				s.work.spend(16 * len(s.neighbours[w]))
				for _, x := range s.neighbours[w] {
					if !s.placed[x] {
						raise(x)
					}
				}
			}
		}
	}
}

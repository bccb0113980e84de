package symbolic

import (
	"container/heap"
	"slices"
)

// sloan orders the vertices so that the profile of their adjacency is small
// (Sloan, "An algorithm for profile and wavefront reduction of sparse matrices",
// 1986). Vertices are adjacent when they share an edge of at most that many
// members: larger ones make everything adjacent and say little.
func (g *hypergraph) sloan(largestEdge int) Order {
	neighbours := g.adjacency(largestEdge)
	order := make(Order, 0, g.vertices)
	placed := make([]bool, g.vertices)
	for v := range g.vertices {
		if placed[v] {
			continue
		}
		start, distance := peripheral(neighbours, v)
		order = appendSloan(order, neighbours, start, distance, placed)
	}
	return order
}

// adjacency lists the neighbours of each vertex, each once. Time and space are those
// of the pairs of members of an edge, hence the bound on edges.
func (g *hypergraph) adjacency(largestEdge int) [][]uint32 {
	neighbours := make([][]uint32, g.vertices)
	seen := make([]int, g.vertices)
	for v := range g.vertices {
		seen[v] = v + 1
		for _, e := range g.edgesOf(uint32(v)) {
			if len(g.edge(int(e))) > largestEdge {
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

// peripheral finds a vertex at the edge of the component of v, and the distances
// of the component's vertices to one at the other edge.
func peripheral(neighbours [][]uint32, v int) (start int, distance []int) {
	_, end, depth := distances(neighbours, v)
	// Each round starts at the far end of the last, until that is no farther.
	for {
		distance, far, farther := distances(neighbours, end)
		if farther <= depth {
			return far, distance
		}
		end, depth = far, farther
	}
}

// distances is a breadth-first search: distances from v, or -1, and a vertex of
// least degree among those farthest away.
func distances(neighbours [][]uint32, v int) (distance []int, last, depth int) {
	distance = make([]int, len(neighbours))
	for i := range distance {
		distance[i] = -1
	}
	distance[v] = 0
	queue := []int{v}
	for i := 0; i < len(queue); i++ {
		for _, w := range neighbours[queue[i]] {
			if distance[w] < 0 {
				distance[w] = distance[queue[i]] + 1
				queue = append(queue, int(w))
			}
		}
	}
	depth = distance[queue[len(queue)-1]]
	last = queue[len(queue)-1]
	for _, w := range queue {
		if distance[w] == depth && len(neighbours[w]) < len(neighbours[last]) {
			last = w
		}
	}
	return distance, last, depth
}

// A sloanQueue holds vertices that may be placed next, by priority.
type sloanQueue []sloanEntry

// A sloanEntry is out of date if the vertex has another priority by now, or its place.
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

// appendSloan places the component of start. A vertex counts for more the
// farther it is from the end, and the fewer vertices it would bring to the front.
func appendSloan(order Order, neighbours [][]uint32, start int, distance []int, placed []bool) Order {
	// Sloan weighs the distance once and new vertices at the front twice.
	const towardsEnd, fewNew = 1, 2
	// A vertex is preactive when a neighbour of it is at the front, active when it
	// is there itself. A priority that rose is pushed again: the old entry is
	// recognized by its priority when it comes up.
	const inactive, preactive, active = 0, 1, 2
	status := make([]uint8, len(neighbours))
	priority := make([]int, len(neighbours))
	for v, d := range distance {
		priority[v] = towardsEnd*d - fewNew*(len(neighbours[v])+1)
	}
	queue := &sloanQueue{{priority[start], start}}
	status[start] = preactive
	raise := func(w uint32) {
		priority[w] += fewNew
		if status[w] == inactive {
			status[w] = preactive
		}
		heap.Push(queue, sloanEntry{priority[w], int(w)})
	}
	for queue.Len() > 0 {
		top := heap.Pop(queue).(sloanEntry)
		v := top.vertex
		if placed[v] || top.priority != priority[v] {
			continue
		}
		if status[v] == preactive {
			for _, w := range neighbours[v] {
				if !placed[w] {
					raise(w)
				}
			}
		}
		placed[v] = true
		order = append(order, v)
		for _, w := range neighbours[v] {
			if !placed[w] && status[w] == preactive {
				status[w] = active
				raise(w)
				for _, x := range neighbours[w] {
					if !placed[x] {
						raise(x)
					}
				}
			}
		}
	}
	return slices.Clip(order)
}

package automorphism

import (
	"cmp"
	"slices"

	"pnmc/internal/account"
)

// partition divides the vertices of a graph into cells that lie one after the other in members. A
// cell has the number of its first position. Refining it splits cells until all members of one have
// equally many edges of each label to each cell: colour refinement (Cardon and Crochemore,
// "Partitioning a graph in O(|A| log |V|)", 1982).
//
// How a partition is refined follows from the graph and the cells, not from the order of members
// within: an automorphism that maps the cells of one partition to those of another, position by
// position, does so after refining. The trace is what was counted meanwhile, as a hash. Different
// traces say that there is no such automorphism.
type partition struct {
	members  []uint32
	position []uint32 // of a vertex in members
	cell     []uint32 // of a vertex
	size     []uint32 // of a cell
	trace    uint64
}

// refiner refines partitions of a graph. What it has for a vertex or cell is zero between two calls.
type refiner struct {
	graph   *graph
	account *account.Account
	work    int // that may still be done

	queue     []uint32 // cells by which others are to be split
	queued    []bool
	by        []uint32 // members of the cell at hand
	counts    []uint64 // of a vertex: its edges to the cell at hand, as a hash
	touched   []uint32 // vertices with such edges
	isTouched []bool
	hit       []uint32 // their cells
	isHit     []bool
	number    []uint32 // of a cell: how many of its members are touched
	parts     []uint32 // of a cell that is split
}

func newRefiner(a *account.Account, g *graph, work int) *refiner {
	n := len(g.colour)
	return &refiner{graph: g, account: a, work: work, queued: make([]bool, n), counts: make([]uint64, n), isTouched: make([]bool, n), isHit: make([]bool, n), number: make([]uint32, n)}
}

// refinerBytes is what a refiner takes for each vertex, partitionBytes a partition.
const (
	refinerBytes   = 48
	partitionBytes = 16
)

// charge charges work, in about nanoseconds. An error is that of the account, or errEnough.
func (r *refiner) charge(work int) error {
	if r.work -= work; r.work < 0 {
		return errEnough
	}
	return r.account.Charge(work)
}

// coarsest returns the partition by colours, refined.
func (r *refiner) coarsest() (*partition, error) {
	n := len(r.graph.colour)
	p := &partition{members: make([]uint32, n), position: make([]uint32, n), cell: make([]uint32, n), size: make([]uint32, n)}
	for v := range p.members {
		p.members[v] = uint32(v)
	}
	if err := r.charge(16 * n); err != nil {
		return nil, err
	}
	slices.SortStableFunc(p.members, func(a, b uint32) int { return cmp.Compare(r.graph.colour[a], r.graph.colour[b]) })
	start := uint32(0)
	for i, v := range p.members {
		if i > 0 && r.graph.colour[v] != r.graph.colour[p.members[i-1]] {
			start = uint32(i)
		}
		if start == uint32(i) {
			r.enqueue(start)
		}
		p.position[v], p.cell[v] = uint32(i), start
		p.size[start]++
	}
	return p, r.refine(p)
}

// copyTo makes q what p is.
func (p *partition) copyTo(q *partition) {
	q.members = append(q.members[:0], p.members...)
	q.position = append(q.position[:0], p.position...)
	q.cell = append(q.cell[:0], p.cell...)
	q.size = append(q.size[:0], p.size...)
	q.trace = p.trace
}

// of returns the members of a cell.
func (p *partition) of(cell uint32) []uint32 { return p.members[cell : cell+p.size[cell]] }

// swap exchanges the members at two positions.
func (p *partition) swap(i, j uint32) {
	v, w := p.members[i], p.members[j]
	p.members[i], p.members[j] = w, v
	p.position[v], p.position[w] = j, i
}

// individualize makes v, which is not alone in its cell, the first cell of it, and refines.
func (r *refiner) individualize(p *partition, v uint32) error {
	c := p.cell[v]
	p.swap(p.position[v], c)
	for _, w := range p.members[c+1 : c+p.size[c]] {
		p.cell[w] = c + 1
	}
	p.size[c+1], p.size[c] = p.size[c]-1, 1
	r.enqueue(c)
	return r.refine(p)
}

// enqueue has cells be split by c.
func (r *refiner) enqueue(c uint32) {
	if !r.queued[c] {
		r.queued[c] = true
		r.queue = append(r.queue, c)
	}
}

// refine splits cells until the queue is empty, or for an error.
func (r *refiner) refine(p *partition) error {
	err := error(nil)
	for i := 0; i < len(r.queue); i++ {
		c := r.queue[i]
		r.queued[c] = false
		if err == nil {
			err = r.splitBy(p, c)
		}
	}
	r.queue = r.queue[:0]
	return err
}

// splitBy splits all cells by their edges to c.
func (r *refiner) splitBy(p *partition, c uint32) error {
	r.by = append(r.by[:0], p.of(c)...)
	edges := 0
	for _, v := range r.by {
		for _, e := range r.graph.row(v) {
			if !r.isTouched[e.to] {
				r.isTouched[e.to] = true
				r.touched = append(r.touched, e.to)
			}
			r.counts[e.to] += mix(uint64(e.label))
		}
		edges += len(r.graph.row(v))
	}
	for _, v := range r.touched {
		d := p.cell[v]
		p.trace += mix(r.counts[v] ^ uint64(d)<<32)
		if p.size[d] == 1 {
			continue
		}
		if !r.isHit[d] {
			r.isHit[d] = true
			r.hit = append(r.hit, d)
		}
		// Touched members move to the end of their cell.
		p.swap(p.position[v], d+p.size[d]-1-r.number[d])
		r.number[d]++
	}
	slices.Sort(r.hit)
	for _, d := range r.hit {
		r.split(p, d)
		r.isHit[d], r.number[d] = false, 0
	}
	err := r.charge(8 * (edges + len(r.by) + 4*len(r.touched)))
	for _, v := range r.touched {
		r.counts[v], r.isTouched[v] = 0, false
	}
	r.touched, r.hit = r.touched[:0], r.hit[:0]
	return err
}

// split splits a cell by the counts of its members, those without at first. All parts but a largest
// one are to split others; all, if the cell was to.
func (r *refiner) split(p *partition, c uint32) {
	end := c + p.size[c]
	first := end - r.number[c]
	touched := p.members[first:end]
	slices.SortFunc(touched, func(a, b uint32) int { return cmp.Compare(r.counts[a], r.counts[b]) })
	r.parts = r.parts[:0]
	if first > c {
		r.parts = append(r.parts, c)
	}
	for i, v := range touched {
		at := first + uint32(i)
		if i == 0 || r.counts[v] != r.counts[touched[i-1]] {
			r.parts = append(r.parts, at)
		}
		p.position[v], p.cell[v] = at, r.parts[len(r.parts)-1]
	}
	largest := c
	for i, start := range r.parts {
		until := end
		if i+1 < len(r.parts) {
			until = r.parts[i+1]
		}
		p.trace = mix(p.trace ^ uint64(start)<<32 ^ uint64(until))
		if p.size[start] = until - start; p.size[start] > p.size[largest] {
			largest = start
		}
	}
	if r.queued[c] {
		largest = c // is in the queue
	}
	for _, start := range r.parts {
		if start != largest {
			r.enqueue(start)
		}
	}
}

// mix mixes the bits of a number, so that sums of what it returns tell multisets apart (the finalizer
// of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

package symbolic

import (
	"fmt"
	"math"

	"pnmc/internal/bitset"
)

// Memory. Tables grow until the budget is reached. Dead nodes are collected when the
// number of nodes has doubled since the last collection. So the work is a constant for
// each node made. There are no reference counts: roots are known exactly, since
// operations keep their operands and results in Forest.scratch and Forest.window.
// Numbers of nodes never change, only places of edges do.

// reserve makes room for one more node and for that many entries of edges. It
// collects dead nodes where that is due, and stops the operation if the budget
// does not allow to grow.
func (f *Forest) reserve(entries int) {
	if f.live >= f.collect || f.eager {
		f.collectDead()
	}
	if f.free == 0 && len(f.nodes) == cap(f.nodes) {
		f.growNodes()
	}
	if len(f.edges)+entries > cap(f.edges) {
		f.growEdges(entries)
	}
	if f.live > len(f.buckets) {
		f.afford(int64(len(f.buckets)) * 2 * 4)
		f.buckets = make([]uint32, 2*len(f.buckets))
		f.rehash()
	}
}

// overBudget returns ErrMemory with the budget and, if it is a part of one of the whole process,
// which somebody has set, that.
func (f *Forest) overBudget() error {
	if whole := f.account.Budget().MemoryBytes; whole > 0 {
		return &shareError{whole: whole, share: f.budget}
	}
	return fmt.Errorf("%w of %d MB", ErrMemory, f.budget>>20)
}

// shareError is ErrMemory for diagrams that have a share of a limit.
type shareError struct{ whole, share int64 }

// Error names the share of diagrams and the limit that it is a share of.
func (e *shareError) Error() string {
	return fmt.Sprintf("memory limit of %d MB reached: decision diagrams need more than their share, %d MB", e.whole>>20, e.share>>20)
}

// Unwrap says that it is ErrMemory.
func (e *shareError) Unwrap() error { return ErrMemory }

// afford stops the operation unless that many bytes more fit the budget.
func (f *Forest) afford(bytes int64) {
	if f.Memory()+bytes > f.budget {
		panic(stop{f.overBudget()})
	}
}

// affordRules asks for memory as afford does, for rules. Rules are made outside of operations,
// too; then the next operation stops.
func (f *Forest) affordRules(bytes int64) {
	if f.guards > 0 {
		f.afford(bytes)
	}
}

// growNodes makes the table of nodes larger, by less where the budget is near, or
// collects dead nodes instead.
func (f *Forest) growNodes() {
	target := grown(cap(f.nodes))
	if f.Memory()+int64(target)*(nodeBytes+keptBytes+layoutBytes) > f.budget {
		f.collectDead()
		if f.free != 0 {
			return
		}
		target = cap(f.nodes) + cap(f.nodes)/8 + 1
	}
	f.afford(int64(target) * (nodeBytes + layoutBytes))
	if uint64(target) > math.MaxUint32-1 {
		panic(stop{f.overBudget()})
	}
	f.nodes = append(make([]node, 0, target), f.nodes...)
}

// growEdges makes room for that many more entries of edges, as growNodes does.
func (f *Forest) growEdges(entries int) {
	target := grown(cap(f.edges)) + entries
	if f.Memory()+int64(target)*8 > f.budget {
		f.collectDead()
		if len(f.edges)+entries+len(f.edges)/16 <= cap(f.edges) {
			return
		}
		target = cap(f.edges) + cap(f.edges)/8 + entries
	}
	f.afford(int64(target) * 8)
	if uint64(target) > math.MaxUint32-1 {
		panic(stop{f.overBudget()})
	}
	f.edges = append(make([]Edge, 0, target), f.edges...)
}

// growScratch makes room for more of what is under construction.
func (f *Forest) growScratch() {
	target := grown(cap(f.scratch)) + 1
	f.afford(int64(target) * 8)
	f.scratch = append(make([]Edge, 0, target), f.scratch...)
}

// grown returns the next capacity of a table: large ones grow by less, since the old
// table is there while it is copied.
func grown(capacity int) int {
	if capacity < 1<<20 {
		return 2 * capacity
	}
	return capacity + capacity/2
}

// cachePerNode is a number of cache entries. For so many entries, at least one node must be
// made between two collections, as a collection looks at the whole cache. Where most nodes die
// soon, the cache is far larger than the living nodes.
const cachePerNode = 4

// collectDead frees the nodes that no root reaches and slides the edges of the others
// together. Roots are the nodes kept and those under construction. Time is linear in the
// tables. It may stop while it marks. After that it can't stop half-way, since edges and
// nodes would contradict each other. It moves each word once, which takes about as long
// as the last doubling of the tables.
func (f *Forest) collectDead() {
	f.collections++
	f.peakNodes = max(f.peakNodes, f.live)
	f.markLive()
	f.account.Add(nodeBytes*len(f.nodes) + 8*len(f.edges) + int(f.cache.memory()))
	f.cache.forget(f.marks)
	f.free, f.live = 0, 2
	for id := len(f.nodes) - 1; id > int(Unit); id-- {
		if f.marked(Node(id)) {
			f.live++
			continue
		}
		f.nodes[id] = node{level: unusedLevel, next: f.free}
		f.free = uint32(id)
	}
	f.slideEdges()
	f.rehash()
	f.collect = max(firstCollect, 2*f.live, f.live+len(f.cache.entries)/cachePerNode)
}

// marked reports whether n was reached from a root in the present collection.
func (f *Forest) marked(n Node) bool { return bitset.Has(f.marks, n) }

// mark marks n, whose children follow later.
func (f *Forest) mark(n Node) {
	if n > Unit && !f.marked(n) {
		bitset.Add(f.marks, n)
		f.markRest = append(f.markRest, n)
	}
}

// markLive marks what the roots reach. The nodes whose children are not marked yet
// are in a list, not on the goroutine's stack: diagrams may be deep.
func (f *Forest) markLive() {
	words := bitset.WordsFor(len(f.nodes))
	if cap(f.marks) < words {
		f.marks = make([]uint64, bitset.WordsFor(cap(f.nodes)))
	}
	f.marks, f.markRest = f.marks[:words], f.markRest[:0]
	clear(f.marks)
	f.marks[0] = 1<<Empty | 1<<Unit
	for id, count := range f.kept {
		if count > 0 {
			f.mark(Node(id))
		}
	}
	for _, e := range f.scratch {
		f.mark(e.Child)
	}
	for _, n := range f.window {
		f.mark(n)
	}
	for len(f.markRest) > 0 {
		n := f.markRest[len(f.markRest)-1]
		f.markRest = f.markRest[:len(f.markRest)-1]
		f.charge(edgeWork * (1 + int(f.degree(n))))
		for _, e := range f.Edges(n) {
			f.mark(e.Child)
		}
	}
}

// slideEdges removes the runs of dead nodes from edges.
func (f *Forest) slideEdges() {
	to := 1
	for from := 1; from < len(f.edges); {
		owner, size := f.edges[from].Value, int(f.edges[from].Child)+1
		if f.marked(Node(owner)) {
			if to < from {
				copy(f.edges[to:], f.edges[from:from+size])
			}
			f.nodes[owner].offset = uint32(to + 1)
			to += size
		}
		from += size
	}
	f.edges = f.edges[:to]
}

// rehash fills the unique table anew. Hashes are kept in the nodes, since they are
// of children's numbers, which stay.
func (f *Forest) rehash() {
	clear(f.buckets)
	mask := uint32(len(f.buckets) - 1)
	for id := int(Unit) + 1; id < len(f.nodes); id++ {
		n := &f.nodes[id]
		if n.level != unusedLevel {
			bucket := &f.buckets[n.hash&mask]
			n.next, *bucket = *bucket, uint32(id)
		}
	}
}

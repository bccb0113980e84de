package symbolic

import (
	"context"
	"errors"
	"fmt"
	"math"

	"pnmc/internal/account"
	"pnmc/internal/hashing"
)

// Node is a set of vectors of integers, one integer for each level of a Forest
// from the top one down to level 1: the number of a decision diagram's root.
// Equal sets of the same height have equal numbers.
type Node uint32

// Empty is the set without vectors at every level; Unit is the set that holds
// only the vector of length zero.
const (
	Empty Node = 0
	Unit  Node = 1
)

// Edge leads from a node to Child, one level below, for the value Value of the
// node's variable. No edge leads to Empty.
type Edge struct {
	Value uint32
	Child Node
}

// ErrMemory says that a Forest would outgrow its memory budget.
var ErrMemory = errors.New("decision diagrams need more memory than their budget")

// ErrRange says that a variable's value does not fit 32 bits, or that the values
// below one node spread over more than maximalSpread.
var ErrRange = errors.New("values of a variable are too large or too far apart for decision diagrams")

// A Forest holds decision diagrams over the same variables. Every path from a
// node of level k passes each level k, k-1, …, 1 and ends in Unit.
//
// A node is an index into nodes. Its edges, ascending by value, are a run in edges,
// after a header with their owner and their number. With the header, collecting dead
// nodes can slide the runs together. The unique table chains nodes of equal hash
// through next. There is no Go pointer for each node and no Go map.
//
// Nodes that no root reaches die when memory runs short: Keep what must outlive
// the next operation. Operands of an operation are safe during it. A Forest is
// not safe for concurrent use.
//
// An operation is a recursion over nodes that makes new ones from the bottom up. While it runs,
// any new node may cause a collection, and what the recursion holds only in Go's variables would
// die. So whatever it will need again is a root. Operands are pushed (push, pop). The edges of a
// node under construction lie at the end of scratch, from begin to makeNode. Children of a window
// lie at the end of window. Both are stacks, as the recursion is: only the topmost part grows. In
//
//	for each pair of edges: if child := f.union(…); child != Empty { f.begin(Edge{value, child}) }
//	return f.makeNode(level, base)
//
// each child is safe from begin on, and the new node only until the next one is made, unless the
// caller begins an edge to it or pushes it. Tests collect at every new node (eager), so that
// a node forgotten is a node lost at once.
//
// Equal sets get equal numbers as makeNode looks up edges in the unique table before it makes a
// node, and children were looked up before. So sets are compared by number, and results of
// operations are remembered by the numbers of their operands (cache.go). That makes a recursion
// over diagrams linear in their nodes rather than in their vectors (Bryant, "Graph-based
// algorithms for Boolean function manipulation", 1986).
type Forest struct {
	height int

	nodes    []node
	edges    []Edge
	buckets  []uint32 // heads of chains; a power of two of them
	free     uint32   // chain of unused nodes through next; 0 ends it
	live     int      // nodes in use, Empty and Unit included
	collect  int      // live count at which dead nodes are collected next
	marks    []uint64
	markRest []Node // nodes marked whose children are not, during a collection

	cache operationCache

	// Operands under construction are roots: edges of nodes to be made, and
	// windows of children indexed by value.
	scratch []Edge
	window  []Node
	dirty   []bool // parallel to window: the child changed since events were fired on it
	kept    []uint32

	rules    ruleTable
	releases bool   // some relation has releases
	watch    *watch // on values without proven bound, or nil

	largest []uint32 // by level: largest value of a node that was made or begun

	ctx         context.Context
	account     *account.Account
	left        int    // work until the account is charged; below zero where a step is to do so
	pause       func() // called by step now and then, if not nil
	level       int    // that the outermost saturation works at
	budget      int64
	guards      int    // guarded calls under way
	looks       uint32 // since pause was called last
	collections int
	peakNodes   int
	eager       bool // collect at every new node, for tests
}

// A node takes 16 bytes besides its edges.
type node struct {
	offset uint32 // of the first edge; the header lies before it
	next   uint32 // in the chain of the unique table, or of unused nodes
	hash   uint32
	level  uint32 // unusedLevel for unused nodes
}

const (
	nodeBytes      = 16
	keptBytes      = 4 // of a node, once one is kept
	unusedLevel    = math.MaxUint32
	firstCollect   = 1 << 17
	initialBuckets = 1 << 10
	stackBytes     = 512 // of a level, where operations recur
	// pollEvery is how many steps or so there are between two times that a race may pause.
	pollEvery = 1 << 12
	// pauseLooks is how many looks come between these times, where nodes have two edges.
	pauseLooks = pollEvery * (stepWork + 2*edgeWork) / chargeEvery
	// maximalSpread bounds the difference of values below one node, since windows
	// are indexed by value.
	maximalSpread = 1 << 22
	// DefaultMemory is the budget of a Forest in bytes where none is given.
	DefaultMemory = 2 << 30
)

// NewForest makes a forest for vectors of that many variables, whose tables take
// at most memory bytes; 0 stands for DefaultMemory. Growing tables are copied:
// the copy is counted too.
func NewForest(height int, memory int64) *Forest {
	if memory <= 0 {
		memory = DefaultMemory
	}
	f := &Forest{
		height:  height,
		nodes:   make([]node, 2, 1<<10),
		edges:   make([]Edge, 0, 1<<11),
		buckets: make([]uint32, initialBuckets),
		scratch: make([]Edge, 0, 1<<6),
		live:    2,
		collect: firstCollect,
		largest: make([]uint32, height+1),
		budget:  memory,
		ctx:     context.Background(),
		account: new(account.Account),
	}
	f.nodes[Empty].offset, f.nodes[Unit].offset = 1, 1
	f.edges = append(f.edges, Edge{}) // the header of both constants: no edges
	f.cache.init(memory / 4)
	f.rules.init()
	return f
}

// Nodes returns the number of nodes in use, dead ones included.
func (f *Forest) Nodes() int { return f.live }

// PeakNodes returns the largest number of nodes that were in use at a time.
func (f *Forest) PeakNodes() int { return max(f.peakNodes, f.live) }

// Collections returns the number of times that dead nodes were collected.
func (f *Forest) Collections() int { return f.collections }

// Level returns the level of n: the number of variables of its vectors. The level of
// Empty is 0, though it stands for the empty set at every level.
func (f *Forest) Level(n Node) int { return int(f.nodes[n].level) }

// Edges returns the edges of n, ascending by value; they are valid until the next
// operation and not to be modified.
func (f *Forest) Edges(n Node) []Edge {
	at := f.nodes[n].offset
	return f.edges[at : at+f.degree(n)]
}

// Keep protects n, and what it reaches, from being collected until Release is
// called as often as Keep. It returns n.
func (f *Forest) Keep(n Node) Node {
	if len(f.kept) < len(f.nodes) {
		f.kept = append(make([]uint32, 0, cap(f.nodes)), f.kept...)[:cap(f.nodes)]
	}
	f.kept[n]++
	return n
}

// Release undoes one Keep of n.
func (f *Forest) Release(n Node) {
	if int(n) < len(f.kept) && f.kept[n] > 0 {
		f.kept[n]--
	}
}

// Memory returns the number of bytes that f needs: its tables, a layout of all nodes, and the stack
// of an operation that goes down all levels. The layout is not made yet. It counts as without it
// nothing could be counted in the end.
func (f *Forest) Memory() int64 {
	return int64(cap(f.nodes))*(nodeBytes+keptBytes+layoutBytes) + int64(cap(f.edges))*8 + int64(cap(f.buckets))*4 +
		int64(cap(f.marks))*8 + int64(cap(f.markRest))*4 + f.cache.memory() +
		int64(cap(f.scratch))*8 + int64(cap(f.window))*5 + f.rules.memory() + int64(f.height)*stackBytes
}

// Singleton returns the set of the one vector whose value for level k is values[k-1].
func (f *Forest) Singleton(values []uint32) (Node, error) {
	if len(values) != f.height {
		return Empty, fmt.Errorf("vector of %d values for %d variables", len(values), f.height)
	}
	return f.guarded(nil, func() Node {
		n := Unit
		for i, v := range values {
			n = f.single(i+1, v, n)
		}
		return n
	})
}

// single returns the node with one edge.
func (f *Forest) single(level int, value uint32, child Node) Node {
	base := len(f.scratch)
	f.begin(Edge{value, child})
	return f.makeNode(level, base)
}

// stop is how operations unwind when they cannot go on; guarded turns it into an
// error.
type stop struct{ err error }

// guarded runs an operation whose operands are given, and returns its result
// or, if it was stopped, the reason. The forest stays usable either way.
func (f *Forest) guarded(operands []Node, operation func() Node) (result Node, err error) {
	scratch, window := len(f.scratch), len(f.window)
	f.guards++
	defer func() {
		f.guards--
		f.scratch = f.scratch[:scratch]
		f.window, f.dirty = f.window[:window], f.dirty[:window]
		if reason := recover(); reason != nil {
			s, ok := reason.(stop)
			if !ok {
				panic(reason)
			}
			result, err = Empty, s.err
		}
	}()
	for _, n := range operands {
		f.push(n)
	}
	return operation(), nil
}

// setBudget changes the memory budget; it may be less than what is in use.
func (f *Forest) setBudget(memory int64) {
	f.budget = memory
	f.cache.setLimit(memory / 4)
}

// Within makes all operations end with ctx, until the returned function is called; those that are
// given a context of their own end with that.
func (f *Forest) Within(ctx context.Context) (restore func()) { return f.within(ctx) }

// within sets the context that operations charge their work to until the returned
// function is called.
func (f *Forest) within(ctx context.Context) func() {
	old := f.ctx
	f.begins(ctx)
	return func() { f.begins(old) }
}

// begins makes the account that of another context, at which the first charge looks.
func (f *Forest) begins(ctx context.Context) {
	f.ctx, f.left = ctx, -chargeEvery
	f.account.Begin(ctx)
}

// Process returns the budget of the whole process, where operations stop too.
func (f *Forest) Process() account.Budget { return f.account.Budget() }

// limitedBy has operations stop too where the whole process comes to its budget.
func (f *Forest) limitedBy(process account.Budget) {
	f.account = account.New(process)
	f.begins(f.ctx)
}

// Operations charge these, in nanoseconds or so.
const (
	stepWork = 256 // of an operation that is not remembered
	edgeWork = 8   // of an edge that is looked at
	wordWork = 1   // of a word of a long number
	ruleWork = 256 // of a step of a rule that is made
	// chargeEvery is how much work is counted in the forest alone, before the account is
	// charged: a call for each step would take several hundredths of the time. Where no step
	// comes, charges may exceed it by as much again.
	chargeEvery = 1 << 16
)

// charge counts work, and stops the operation if its context has ended or the process has
// come to its budget. Outside of guarded nothing can stop: what ends there is the next
// operation. It is small enough for the compiler to inline.
func (f *Forest) charge(work int) {
	if f.left -= work; f.left < -chargeEvery {
		f.settle()
	}
}

// settle charges the account with what was counted.
func (f *Forest) settle() {
	work := chargeEvery - f.left
	f.left = chargeEvery
	if f.guards == 0 {
		f.account.Add(work)
		return
	}
	if err := f.charged(work); err != nil {
		f.left = -chargeEvery
		panic(stop{err})
	}
}

// charged counts work, and returns the reason to stop.
func (f *Forest) charged(work int) error { return limitOf(f.account.Charge(work)) }

// affordRoom asks for room for n elements more in a table beside the forest's own. It stops the operation if there is none.
func affordRoom[T any](f *Forest, table []T, n int) {
	if err := limitOf(account.Room(f.account, table, n)); err != nil && f.guards > 0 {
		panic(stop{err})
	}
}

// limitOf returns an error of the account, which is ErrMemory as well where that is the reason.
func limitOf(err error) error {
	if err != nil && errors.As(err, new(*account.MemoryError)) {
		return fmt.Errorf("%w: %w", ErrMemory, err)
	}
	return err
}

// poll counts a step without edges.
func (f *Forest) poll() { f.step(0) }

// step prepares an operation that looks at so many edges; call it before each operation
// that is not remembered. It stops the operation as charge does, and lets the cache grow
// where that is due and the budget allows it. It is small enough for the compiler to
// inline.
func (f *Forest) step(edges int) {
	if f.left -= stepWork + edgeWork*edges; f.left < 0 {
		f.look()
	}
}

// look does the rare part of step. It settles what was counted, and may enlarge the cache.
func (f *Forest) look() {
	f.settle()
	if f.cache.crowded() {
		if larger := 2 * f.cache.memory(); f.Memory()+larger <= f.budget {
			f.cache.resize(2 * len(f.cache.entries))
		} else {
			f.cache.inserts = 0
		}
	}
	if f.looks++; f.looks >= pauseLooks && f.pause != nil {
		f.looks = 0
		f.pause()
	}
}

// push makes n a root until pop.
func (f *Forest) push(n Node) { f.begin(Edge{0, n}) }

// begin appends an edge to scratch, within the budget.
func (f *Forest) begin(e Edge) {
	if len(f.scratch) == cap(f.scratch) {
		f.growScratch()
	}
	f.scratch = append(f.scratch, e)
}

// pop takes off what push put there last.
func (f *Forest) pop() { f.scratch = f.scratch[:len(f.scratch)-1] }

// degree returns the number of edges of n, as the header before them says.
func (f *Forest) degree(n Node) uint32 { return uint32(f.edges[f.nodes[n].offset-1].Child) }

// edge returns the i-th edge of n. Operations ask for one edge at a time, since any
// node they make may move all edges.
func (f *Forest) edge(n Node, i uint32) Edge { return f.edges[f.nodes[n].offset+i] }

// makeNode returns the node of that level with the edges scratch[base:], which it
// takes off. They are ascending by value and lead to nodes one level below.
// Without edges it is Empty. The result is no root: before it makes another
// node, the caller puts it where it is one.
func (f *Forest) makeNode(level, base int) Node {
	edges := f.scratch[base:]
	if len(edges) == 0 {
		return Empty
	}
	hash := hashEdges(uint32(level), edges)
	for id := f.buckets[hash&uint32(len(f.buckets)-1)]; id != 0; {
		n := &f.nodes[id]
		if n.hash == hash && n.level == uint32(level) && f.sameEdges(n.offset, edges) {
			f.scratch = f.scratch[:base]
			return Node(id)
		}
		id = n.next
	}
	f.step(len(edges))
	f.grow(level, edges[len(edges)-1].Value)
	f.reserve(len(edges) + 1)
	id := f.free
	if id != 0 {
		f.free = f.nodes[id].next
	} else {
		id = uint32(len(f.nodes))
		f.nodes = append(f.nodes, node{})
	}
	f.edges = append(f.edges, Edge{id, Node(len(edges))})
	bucket := &f.buckets[hash&uint32(len(f.buckets)-1)]
	f.nodes[id] = node{offset: uint32(len(f.edges)), next: *bucket, hash: hash, level: uint32(level)}
	*bucket = id
	f.edges = append(f.edges, edges...)
	f.scratch = f.scratch[:base]
	f.live++
	return Node(id)
}

// sameEdges reports whether the run of edges at offset is that one; lengths tell most apart.
func (f *Forest) sameEdges(offset uint32, edges []Edge) bool {
	if int(f.edges[offset-1].Child) != len(edges) {
		return false
	}
	for i, e := range f.edges[offset : int(offset)+len(edges)] {
		if e != edges[i] {
			return false
		}
	}
	return true
}

// hashEdges mixes after each edge, since edges of neighbouring nodes differ in a few bits.
func hashEdges(level uint32, edges []Edge) uint32 {
	h := uint64(level)*hashing.Golden + 1
	for _, e := range edges {
		h = hashing.Add(h, uint64(e.Value)<<32^uint64(e.Child))
	}
	return hashing.Sum(h)
}

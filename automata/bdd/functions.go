package bdd

import (
	"context"
	"errors"
	"math/bits"
	"slices"

	"pnmc/automata"
	"pnmc/internal/account"
	"pnmc/internal/hashing"
)

// Function is a Boolean function of propositions, held by a Functions. Two
// functions of one Functions are equal exactly when their numbers are.
type Function uint32

// The constant functions, the same in every Functions.
const (
	FalseFunction Function = 0
	TrueFunction  Function = 1
)

// ErrTooLarge means that a Functions reached its limit.
var ErrTooLarge = errors.New("the Boolean function is too large")

// stepsPerNode bounds the time of a Functions by its limit on nodes, should its
// cache of results lose too much.
const stepsPerNode = 64

// stepsBetweenLooks is the number of steps after which a Functions looks whether
// its context is done; a power of two.
const stepsBetweenLooks = 1 << 12

// Functions holds Boolean functions as reduced ordered binary decision diagrams
// in one slice of nodes, each proposition being tested in the order of its
// number. It turns any Boolean formula into the sum of cubes that a Label is.
//
// The problem: one function has many formulas, and labels must be compared, joined and
// complemented all the time. The idea (Bryant, 1986) is a form of which each function has one
// only. A node tests a proposition, and has one function for each value of it. Propositions are
// tested in ascending order. No node has two equal children, and no node is there twice: Choice
// sees to both. So by induction over the propositions equal functions are equal numbers, and a
// comparison costs nothing.
//
// For example, with p0, p1 and p2 as nodes 2, 3 and 4:
//
//	p1 & p2                   node 5: false where p1 is false, else node 4
//	p0 | (p1 & p2)            node 6: node 5 where p0 is false, else true
//	(p0 | p1) & (p0 | p2)     two nodes more for the brackets, and then node 6 again
//
// An operation on two functions splits both by the first proposition that either tests, does
// the two halves, and makes a Choice of the results. Each pair of nodes is done once, as long as
// the cache remembers it. The cache is lossy: an entry is overwritten by any other with its place.
// That can only cost time, and stepsPerNode bounds the time.
//
// The size of a diagram depends on the order of propositions, which is fixed here, and may be
// exponential in them. Nodes are never freed but by Reset. The size is bounded: once the limit is
// reached, operations return FalseFunction and Err returns ErrTooLarge. So a sequence of
// operations needs one check at its end, and no result before that check means anything. Not safe
// for concurrent use.
type Functions struct {
	propositions int
	limit        int
	nodes        []functionNode
	unique       []uint32 // open addressing over nodes, 0 = empty; a power of two
	cache        []functionResult
	Steps        int
	err          error
	Ctx          context.Context // or nil
	unlooked     int             // work of callers since the last look
}

// functionNode is low where the variable is false, high where it is true;
// nodes 0 and 1 are the constants, whose variable is larger than any other.
type functionNode struct {
	variable  uint32
	low, high Function
}

// functionResult is an entry of the direct-mapped, lossy cache of results.
type functionResult struct {
	operation   functionOperation
	left, right Function
	result      Function
}

// functionOperation is the operation of an entry in the cache; 0 is an entry that is not used.
type functionOperation uint8

const (
	functionAnd functionOperation = iota + 1
	functionOr
	functionXor
	functionImplies
)

// New returns an empty Functions for that many propositions. It holds at most limit nodes, and
// makes labels of at most limit cubes, fewer if cubes are large.
func New(propositions, limit int) *Functions {
	f := &Functions{propositions: propositions, limit: max(limit, 2)}
	f.Reset()
	return f
}

// Reset forgets all functions, and the error.
func (f *Functions) Reset() {
	end := uint32(f.propositions)
	f.nodes = append(f.nodes[:0], functionNode{variable: end}, functionNode{variable: end})
	f.Steps, f.err = 0, nil
	if len(f.unique) != 256 || len(f.cache) != 256 {
		f.unique, f.cache = make([]uint32, 256), make([]functionResult, 256)
		return
	}
	clear(f.unique)
	clear(f.cache)
}

// Watch makes operations end as at the limit once ctx is done; Err then returns the context's
// error.
func (f *Functions) Watch(ctx context.Context) { f.Ctx = ctx }

// WatchWith watches the context that another Functions watches.
func (f *Functions) WatchWith(g *Functions) { f.Ctx = g.Ctx }

// Lower allows at most so many more nodes than there are now, until restore is called. It never
// raises the limit. A caller uses it to try something that may be too large. Where its result has
// labels beside those it came from, diagrams of its own would have to be copied both ways, and a
// bound as an argument would be one of each operation.
func (f *Functions) Lower(more int) (restore func()) {
	bound := f.limit
	f.limit = min(bound, len(f.nodes)+more)
	return func() { f.limit = bound }
}

// step counts a step of an operation, and reports whether the work may go on.
func (f *Functions) step() bool {
	f.Steps++
	f.enlarge()
	switch {
	case f.err != nil:
	case f.Steps/stepsPerNode > f.limit:
		f.err = ErrTooLarge
	case f.Steps%stepsBetweenLooks == 0 && f.Ctx != nil:
		f.err = account.Reason(f.Ctx)
	}
	return f.err == nil
}

// Look counts work of a caller that does no steps, such as making chains by Choice, and asks the
// context as often as steps do. It reports whether the work may go on.
func (f *Functions) Look(work int) bool {
	if f.unlooked += work; f.unlooked >= stepsBetweenLooks && f.err == nil && f.Ctx != nil {
		f.unlooked = 0
		f.err = account.Reason(f.Ctx)
	}
	return f.err == nil
}

// Bytes that may be taken without a look at the memory, and those of an entry of the cache.
const (
	bytesBetweenLooks   = 1 << 20
	functionResultBytes = 16
)

// reserve asks the budget that the context carries for memory, and reports whether there is
// room.
func (f *Functions) reserve(bytes int) bool {
	if f.err == nil && f.Ctx != nil {
		f.err = account.Of(f.Ctx).Reserve(bytes)
	}
	return f.err == nil
}

// Err returns the first error since the last Reset: ErrTooLarge for the limit, or that of the
// context or of the budget of memory that it carries.
func (f *Functions) Err() error { return f.err }

// Nodes returns the number of nodes held, the two constants included.
func (f *Functions) Nodes() int { return len(f.nodes) }

// Proposition returns the function that is true where proposition p is.
func (f *Functions) Proposition(p int) Function {
	return f.Choice(uint32(p), FalseFunction, TrueFunction)
}

// And returns the conjunction; O(nodes of g × nodes of h), as Or and Xor do.
func (f *Functions) And(g, h Function) Function { return f.apply(functionAnd, g, h) }

// Or returns the disjunction.
func (f *Functions) Or(g, h Function) Function { return f.apply(functionOr, g, h) }

// Xor returns the exclusive disjunction.
func (f *Functions) Xor(g, h Function) Function { return f.apply(functionXor, g, h) }

// Not returns the negation.
func (f *Functions) Not(g Function) Function { return f.apply(functionXor, g, TrueFunction) }

// Cube returns the function of a cube; O(propositions). It makes the chain from the last literal
// up, so that each node is made once.
func (f *Functions) Cube(c automata.Cube) Function {
	g, half := TrueFunction, len(c)/2
	for i := half - 1; i >= 0; i-- {
		for w := c[i]; w != 0; {
			b := 63 - bits.LeadingZeros64(w)
			w &^= 1 << b
			if c[half+i]>>b&1 == 1 {
				g = f.Choice(uint32(64*i+b), FalseFunction, g)
			} else {
				g = f.Choice(uint32(64*i+b), g, FalseFunction)
			}
		}
	}
	return g
}

// All returns the conjunction of a list, true for an empty one.
func (f *Functions) All(list ...Function) Function {
	return f.balanced(functionAnd, TrueFunction, len(list), func(i int) Function { return list[i] })
}

// Any returns the disjunction of a list, false for an empty one.
func (f *Functions) Any(list ...Function) Function {
	return f.balanced(functionOr, FalseFunction, len(list), func(i int) Function { return list[i] })
}

// balanced combines count functions, halves first. Adding them one by one would copy the
// diagram of the earlier ones each time. For a clause of n literals that makes about n²/2
// nodes instead of about n·log n.
func (f *Functions) balanced(operation functionOperation, none Function, count int, function func(i int) Function) Function {
	var between func(first, end int) Function
	between = func(first, end int) Function {
		if end-first == 1 {
			return function(first)
		}
		middle := (first + end) / 2
		return f.apply(operation, between(first, middle), between(middle, end))
	}
	if count == 0 {
		return none
	}
	return between(0, count)
}

// Of returns the function of a label: the disjunction of its cubes.
func (f *Functions) Of(l automata.Label) Function {
	if len(l) > cubesPerProposition*f.propositionsOf(l) {
		return f.ofCubes(slices.Clone(l), 0)
	}
	return f.balanced(functionOr, FalseFunction, len(l), func(i int) Function { return f.Cube(l[i]) })
}

// OfEdge returns the function of the label of edge e of a, as Of does for a Label.
func (f *Functions) OfEdge(a *automata.Automaton, e automata.Edge) Function {
	if f.Ctx != nil && f.err == nil { // cubes are not steps
		f.err = f.Ctx.Err()
	}
	if n := a.Cubes(e); n > cubesPerProposition*len(a.Propositions) {
		cubes := make([]automata.Cube, n)
		for i := range cubes {
			cubes[i] = a.Cube(e, i)
		}
		return f.ofCubes(cubes, 0)
	}
	return f.balanced(functionOr, FalseFunction, a.Cubes(e), func(i int) Function {
		if f.err != nil {
			return FalseFunction
		}
		return f.Cube(a.Cube(e, i))
	})
}

// cofactors returns g where v is false and g where v is true; no variable of g comes
// before v. A g that does not test v at its root does not depend on v: both are g.
func (f *Functions) cofactors(g Function, v uint32) (low, high Function) {
	if n := f.nodes[g]; n.variable == v {
		return n.low, n.high
	}
	return g, g
}

// Choice returns the function that is low where v is false and high where it is true; v comes
// before all variables of low and high. It is where diagrams stay reduced: equal children make no
// node, and a node that is there already is found in the table.
func (f *Functions) Choice(v uint32, low, high Function) Function {
	if low == high {
		return low
	}
	mask := uint32(len(f.unique) - 1)
	at := hashFunctions(uint64(v), low, high) & mask
	for ; f.unique[at] != 0; at = (at + 1) & mask {
		if f.nodes[f.unique[at]] == (functionNode{v, low, high}) {
			return Function(f.unique[at])
		}
	}
	if f.err == nil && len(f.nodes) >= f.limit {
		f.err = ErrTooLarge
	}
	if f.err != nil {
		return FalseFunction
	}
	g := Function(len(f.nodes))
	f.nodes = append(f.nodes, functionNode{v, low, high})
	f.unique[at] = uint32(g)
	if 2*len(f.nodes) > len(f.unique) {
		f.grow()
	}
	return g
}

// grow doubles the table of nodes; the cache has as many entries at least and starts
// anew.
func (f *Functions) grow() {
	if bytes := 2 * len(f.unique) * (4 + functionResultBytes); bytes >= bytesBetweenLooks && !f.reserve(bytes) {
		return // nothing is added any more
	}
	f.unique = make([]uint32, 2*len(f.unique))
	f.cache = make([]functionResult, max(len(f.cache), len(f.unique)))
	mask := uint32(len(f.unique) - 1)
	for g := 2; g < len(f.nodes); g++ {
		n := f.nodes[g]
		at := hashFunctions(uint64(n.variable), n.low, n.high) & mask
		for f.unique[at] != 0 {
			at = (at + 1) & mask
		}
		f.unique[at] = uint32(g)
	}
}

// Where few nodes are combined again and again, the pairs of them are many more than a cache of their
// number has room for. After so many steps for each of its entries it is made twice as large, up to a size
// of 256 KB, which needs no look at the memory.
const (
	stepsPerEntry  = 16
	largestByRatio = 1 << 14
)

// enlarge makes the cache larger if there were many steps. Results in it are lost.
func (f *Functions) enlarge() {
	if n := len(f.cache); n < largestByRatio && f.Steps >= stepsPerEntry*n {
		f.cache = make([]functionResult, 2*n)
	}
}

// apply combines two functions; its recursion is as deep as there are
// propositions. All three operations are symmetric, so that the smaller number comes first and
// the cache knows a pair in either order.
func (f *Functions) apply(operation functionOperation, g, h Function) Function {
	if r, ok := constantResult(operation, g, h); ok || f.err != nil {
		return r
	}
	if g > h {
		g, h = h, g
	}
	entry := hashFunctions(uint64(operation)<<32, g, h) & uint32(len(f.cache)-1)
	if e := f.cache[entry]; e.operation == operation && e.left == g && e.right == h {
		return e.result
	}
	if !f.step() {
		return FalseFunction
	}
	v := min(f.nodes[g].variable, f.nodes[h].variable)
	g0, g1 := f.cofactors(g, v)
	h0, h1 := f.cofactors(h, v)
	r := f.Choice(v, f.apply(operation, g0, h0), f.apply(operation, g1, h1))
	if f.err != nil {
		return FalseFunction
	}
	// The cache may have grown meanwhile.
	entry = hashFunctions(uint64(operation)<<32, g, h) & uint32(len(f.cache)-1)
	f.cache[entry] = functionResult{operation, g, h, r}
	return r
}

// Implies reports whether g is true only where h is. It makes no nodes, and ends at
// the first valuation that shows otherwise; O(nodes of g × nodes of h). It reports false where
// Err is not nil.
func (f *Functions) Implies(g, h Function) bool { return f.implies(g, h) && f.err == nil }

// implies reports whether g implies h. It walks along both diagrams at once, one variable after the
// other. It remembers pairs of nodes in the cache of operations, as apply does.
func (f *Functions) implies(g, h Function) bool {
	switch {
	case g == FalseFunction || h == TrueFunction || g == h:
		return true
	case g == TrueFunction || h == FalseFunction || f.err != nil:
		return false
	}
	entry := hashFunctions(uint64(functionImplies)<<32, g, h) & uint32(len(f.cache)-1)
	if e := f.cache[entry]; e.operation == functionImplies && e.left == g && e.right == h {
		return e.result == TrueFunction
	}
	if !f.step() {
		return false
	}
	v := min(f.nodes[g].variable, f.nodes[h].variable)
	g0, g1 := f.cofactors(g, v)
	h0, h1 := f.cofactors(h, v)
	r := FalseFunction
	if f.implies(g0, h0) && f.implies(g1, h1) {
		r = TrueFunction
	}
	if f.err == nil {
		// The cache may have grown meanwhile.
		entry = hashFunctions(uint64(functionImplies)<<32, g, h) & uint32(len(f.cache)-1)
		f.cache[entry] = functionResult{functionImplies, g, h, r}
	}
	return r == TrueFunction
}

// Minus returns the function that is true where g is true and h is not.
func (f *Functions) Minus(g, h Function) Function { return f.And(g, f.Not(h)) }

// constantResult returns the result where that needs no look at the nodes; false if it does.
func constantResult(operation functionOperation, g, h Function) (Function, bool) {
	switch operation {
	case functionAnd, functionOr:
		decides, neutral := FalseFunction, TrueFunction
		if operation == functionOr {
			decides, neutral = neutral, decides
		}
		switch {
		case g == decides || h == decides:
			return decides, true
		case g == neutral || g == h:
			return h, true
		case h == neutral:
			return g, true
		}
	case functionXor:
		switch {
		case g == h:
			return FalseFunction, true
		case g == FalseFunction:
			return h, true
		case h == FalseFunction:
			return g, true
		}
	}
	return FalseFunction, false
}

// hashFunctions mixes a key of two functions and a number.
func hashFunctions(number uint64, g, h Function) uint32 {
	return hashing.Sum(hashing.Add(number*hashing.Golden, uint64(g)<<32|uint64(h)))
}

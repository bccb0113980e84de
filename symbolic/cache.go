package symbolic

import (
	"pnmc/internal/bitset"
	"pnmc/internal/hashing"
)

// operationCache remembers results of operations on nodes. Without it a recursion over two diagrams
// would take time in their paths, which can be exponentially many; with it, it takes time in pairs
// of nodes.
//
// It is a table without chains, in which a new result replaces the old one of the same place. So
// its memory is bounded, a look-up is one memory access, and a lost result is only computed again.
// It grows while many results are put in, up to a limit.
type operationCache struct {
	entries []cacheEntry // a power of two of them
	shift   uint8        // 64 minus the logarithm of their number
	inserts int          // since the table last grew
	limit   int          // largest number of entries
}

// A cacheEntry says that operation applied to the nodes a and b gave result. An
// operation is one of the constants below, or stands for a rule of a relation.
type cacheEntry struct {
	operation uint32
	a, b      Node
	result    Node
}

// The operations on sets; those on rules follow at operationRules.
const (
	operationNone uint32 = iota
	operationUnion
	operationIntersection
	operationDifference
	operationRules
)

const initialCache = 1 << 12

// init starts with a small table: races begin with a dozen forests.
func (c *operationCache) init(memory int64) {
	c.setLimit(memory)
	c.resize(initialCache)
}

// setLimit bounds the memory that the cache may grow to, in bytes.
func (c *operationCache) setLimit(memory int64) {
	c.limit = initialCache
	for int64(c.limit)*2*16 <= memory {
		c.limit *= 2
	}
}

// memory returns the number of bytes that the table takes.
func (c *operationCache) memory() int64 { return int64(cap(c.entries)) * 16 }

// at returns the only place for that operation on a and b. Operations have numbers close to each
// other, and are therefore mixed in after the nodes have been. It is hashing.Add without its last
// step, as the place is of the upper bits, which the product mixes; each operation on nodes asks here.
func (c *operationCache) at(operation uint32, a, b Node) *cacheEntry {
	h := (uint64(a)<<32 | uint64(b)) * hashing.Golden
	h ^= h >> 32
	h = (h + uint64(operation)) * hashing.Multiplier
	return &c.entries[h>>c.shift]
}

// find returns the result of the operation on a and b. It reports false if that is not remembered.
func (c *operationCache) find(operation uint32, a, b Node) (Node, bool) {
	e := c.at(operation, a, b)
	return e.result, e.operation == operation && e.a == a && e.b == b
}

// crowded reports whether the table should grow.
func (c *operationCache) crowded() bool {
	return c.inserts > len(c.entries) && len(c.entries) < c.limit
}

// put remembers a result.
func (c *operationCache) put(operation uint32, a, b, result Node) {
	c.inserts++
	*c.at(operation, a, b) = cacheEntry{operation, a, b, result}
}

// resize keeps what is remembered, as far as places allow.
func (c *operationCache) resize(size int) {
	old := c.entries
	c.entries = make([]cacheEntry, size)
	c.inserts = 0
	c.shift = 64
	for s := size; s > 1; s /= 2 {
		c.shift--
	}
	for _, e := range old {
		if e.operation != operationNone {
			*c.at(e.operation, e.a, e.b) = e
		}
	}
}

// forget drops the entries in which a node occurs that is not marked.
func (c *operationCache) forget(marks []uint64) {
	dead := func(n Node) bool { return !bitset.Has(marks, n) }
	for i := range c.entries {
		e := &c.entries[i]
		if e.operation != operationNone && (dead(e.a) || dead(e.b) || dead(e.result)) {
			*e = cacheEntry{}
		}
	}
}

package symbolic

import (
	"context"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"pnmc/internal/account"
	"pnmc/internal/bitset"
)

// How many vectors does a diagram have? A node has as many as its children together, each as often
// as an edge leads to it; Unit has one. So one pass over the nodes, level by level from below, adds
// them up. Take two counters x and y that go from 0 to 9 each. The node of y has ten edges to Unit,
// so it has 10 vectors. The node of x has ten edges to that node, so it has 100.
//
// Numbers are exact and may have thousands of digits. They are kept as words, least significant
// first, all of the same length within one pass, in one flat slice. That length comes from an upper
// bound in floating point. Only two levels are kept at a time.
//
// Firings are counted in a similar way (countFirings). For a rule, the number at a node is the
// number of its vectors that the rule applies to: of children whose value the rule allows, the
// number for the next rule. A rule says nothing of the levels above its own, so that there the
// numbers are only added up.

// A magnitude is mantissa·2^exponent with ½ ≤ mantissa < 1, or zero.
type magnitude struct {
	mantissa float64
	exponent int
}

// plus returns a + b, rounded.
func (a magnitude) plus(b magnitude) magnitude {
	if b.mantissa == 0 {
		return a
	}
	if a.mantissa == 0 {
		return b
	}
	if a.exponent < b.exponent {
		a, b = b, a
	}
	m, e := math.Frexp(a.mantissa + math.Ldexp(b.mantissa, b.exponent-a.exponent))
	return magnitude{m, a.exponent + e}
}

// wordsToCount returns a number of words sure to hold the number of vectors of each
// node of l, times factor. The sums in floating point lose less than one bit.
func (f *Forest) wordsToCount(l *layout, factor int) int {
	var below, sizes []magnitude
	largest := 1
	for level := range f.height + 1 {
		below, sizes = sizes, below[:0]
		for _, n := range l.level(level) {
			size := magnitude{}
			if n == Unit {
				size = magnitude{0.5, 1}
			}
			f.charge(edgeWork * int(f.degree(n)))
			for _, e := range f.Edges(n) {
				size = size.plus(below[l.of(e.Child)-l.starts[level-1]])
			}
			sizes = append(sizes, size)
			largest = max(largest, size.exponent)
		}
	}
	return bitset.WordsFor(largest + 2 + bits.Len(uint(factor)))
}

// addWords adds from to to, which are of equal length and large enough.
func addWords(to, from []uint64) {
	var carry uint64
	for i, w := range from {
		to[i], carry = bits.Add64(to[i], w, carry)
	}
}

// wordsToInt returns the number that the words hold.
func wordsToInt(words []uint64) *big.Int {
	bytes := make([]byte, 8*len(words))
	for i, w := range words {
		for j := range 8 {
			bytes[len(bytes)-1-8*i-j] = byte(w >> (8 * j))
		}
	}
	return new(big.Int).SetBytes(bytes)
}

// addChildren adds, for each node of a level, what its children have in below to what
// it has in here.
func (f *Forest) addChildren(l *layout, level, words int, below, here []uint64) {
	for i, n := range l.level(level) {
		to := here[i*words : (i+1)*words]
		edges := f.Edges(n)
		for _, e := range edges {
			c := l.of(e.Child) - l.starts[level-1]
			addWords(to, below[c*words:(c+1)*words])
		}
		f.charge(len(edges) * (edgeWork + words*wordWork))
	}
}

// zeros returns a slice of size zeros, in the memory of words if that is enough.
func zeros(words []uint64, size int) []uint64 {
	words = slices.Grow(words[:0], size)[:size]
	clear(words)
	return words
}

// Count returns the number of vectors of n. Time is linear in the edges that n
// reaches times the length of the result.
func (f *Forest) Count(n Node) *big.Int {
	defer f.within(context.Background())()
	return f.count(n)
}

// CountWithin counts as Count does, unless ctx ends before.
func (f *Forest) CountWithin(ctx context.Context, n Node) (number *big.Int, err error) {
	defer f.within(ctx)()
	_, err = f.guarded([]Node{n}, func() Node {
		number = f.count(n)
		return Empty
	})
	return number, err
}

// countInTelling counts after a limit has ended a search, to report how far it came. It returns
// an error if that takes more than tellingLooks.
func (f *Forest) countInTelling(n Node) (*big.Int, error) {
	return f.CountWithin(account.EndsAfter(tellingLooks), n)
}

// tellingLooks bounds the work of telling, in looks of an account: some tens of milliseconds.
const tellingLooks = 64

// count counts vectors as Count does, and may stop.
func (f *Forest) count(n Node) *big.Int {
	if n <= Unit {
		return big.NewInt(int64(n))
	}
	l := f.reachable(n)
	words := f.wordsToCount(&l, 1)
	var below, here []uint64
	for level := range int(f.nodes[n].level) + 1 {
		below, here = here, zeros(below, len(l.level(level))*words)
		if level == 0 {
			here[0] = 1
		} else {
			f.addChildren(&l, level, words, below, here)
		}
	}
	return wordsToInt(here) // n is alone at its level
}

// A firingCount counts pairs of a vector of a diagram and a way in which a rule
// applies to it.
type firingCount struct {
	f       *Forest
	layout  layout
	words   int
	vectors []uint64 // by index in layout
	counts  []uint64 // by index in layout: firings of the rule counted there last
	counted []uint32 // by index in layout: that rule
	rounds  []uint32 // by index in layout: the round when it was counted
	round   uint32   // one for each rule of which firings are counted
	zero    []uint64
}

// CountFirings counts the pairs of a vector of n and an event of r that is possible in
// it. An event with alternatives counts once for each alternative that is possible.
// Equal events count once.
func (r *Relation) CountFirings(ctx context.Context, n Node) (*big.Int, error) {
	var weighted []weightedRule
	for _, rules := range r.top {
		for _, rule := range rules {
			weighted = append(weighted, weightedRule{rule, 1})
		}
	}
	total, err := r.forest.countFirings(ctx, n, weighted)
	if err == nil && r.idle {
		var all *big.Int
		if all, err = r.forest.CountWithin(ctx, n); err == nil {
			total.Add(total, all)
		}
	}
	return total, err
}

// A weightedRule is a rule that counts multiplicity times.
type weightedRule struct {
	rule         uint32
	multiplicity uint64
}

// countFirings returns the number of pairs of a vector of n and a rule that applies to
// it. A rule is counted at its own level for all nodes there, each node once; what
// lies above only adds up. So time is that of the nodes at and below each rule's
// level, not of the whole diagram for each rule. It may end with ctx, or since numbers
// for all nodes, twice, don't fit the budget.
func (f *Forest) countFirings(ctx context.Context, n Node, rules []weightedRule) (*big.Int, error) {
	total := new(big.Int)
	if n == Empty || len(rules) == 0 {
		return total, nil
	}
	defer f.within(ctx)()
	_, err := f.guarded(nil, func() Node {
		total = f.addFirings(n, rules)
		return Empty
	})
	return total, err
}

// addFirings counts as countFirings does, and may stop.
func (f *Forest) addFirings(n Node, rules []weightedRule) *big.Int {
	factor := 0
	byLevel := make([][]weightedRule, f.height+1)
	for _, w := range rules {
		level := f.rules.levels[w.rule]
		byLevel[level] = append(byLevel[level], w)
		factor += int(w.multiplicity)
	}
	c := firingCount{f: f, layout: f.reachable(n)}
	c.words = f.wordsToCount(&c.layout, factor)
	size := len(c.layout.nodes) * c.words
	f.afford(2*8*int64(size) + 2*4*int64(len(c.layout.nodes)))
	c.vectors, c.counts = make([]uint64, size), make([]uint64, size)
	c.counted = make([]uint32, len(c.layout.nodes))
	c.rounds = make([]uint32, len(c.layout.nodes))
	c.zero = make([]uint64, c.words)
	c.countVectors()

	// here[i] is the number of firings of all rules at a level or below, over the vectors
	// of the i-th node of that level.
	var below, here []uint64
	for level := range int(f.nodes[n].level) + 1 {
		nodes := c.layout.level(level)
		below, here = here, zeros(below, len(nodes)*c.words)
		for _, w := range byLevel[level] {
			c.round++
			for i, n := range nodes {
				f.charge(int(w.multiplicity) * c.words * wordWork)
				to := here[i*c.words : (i+1)*c.words]
				for range w.multiplicity {
					addWords(to, c.count(w.rule, n))
				}
			}
		}
		if level > 0 {
			f.addChildren(&c.layout, level, c.words, below, here)
		}
	}
	return wordsToInt(here)
}

// countVectors computes vectors.
func (c *firingCount) countVectors() {
	l := &c.layout
	c.vectors[0] = 1 // of Unit
	for level := 1; level <= c.f.height; level++ {
		from, at, to := l.starts[level-1]*c.words, l.starts[level]*c.words, l.starts[level+1]*c.words
		c.f.addChildren(l, level, c.words, c.vectors[from:at], c.vectors[at:to])
	}
}

// count returns the number of firings of the rule over the vectors of n. A node is
// met with one rule only within a round, unless the rule has alternatives; then
// the count kept is that of the last.
func (c *firingCount) count(rule uint32, n Node) []uint64 {
	i := c.layout.of(n)
	at := i * c.words
	if rule == identity {
		return c.vectors[at : at+c.words]
	}
	to := c.counts[at : at+c.words]
	if c.rounds[i] == c.round && c.counted[i] == rule {
		return to
	}
	c.f.step(int(c.f.degree(n)) * c.words)
	sum := make([]uint64, 0, 8) // on the stack, unless numbers are longer
	sum = append(sum, c.zero...)
	edges := c.f.Edges(n)
	if c.f.rules.levels[rule] < c.f.nodes[n].level {
		for _, e := range edges {
			addWords(sum, c.count(rule, e.Child))
		}
	} else {
		for _, a := range c.f.rules.of(rule) {
			for _, e := range edges {
				if a.low <= e.Value && e.Value <= a.high {
					addWords(sum, c.count(a.next, e.Child))
				}
			}
		}
	}
	copy(to, sum)
	c.rounds[i], c.counted[i] = c.round, rule
	return to
}

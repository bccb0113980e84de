package symbolic

import (
	"math"
	"math/big"
	"math/bits"
)

// Numbers of vectors are exact and may have thousands of digits. They are kept
// as words, least significant first, all of the same length within one pass,
// in one flat slice; that length comes from an upper bound in floating point.

// A magnitude is mantissa·2^exponent with ½ ≤ mantissa < 1, or zero.
type magnitude struct {
	mantissa float64
	exponent int
}

// plus is the sum, rounded.
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

// wordsToCount is a number of words sure to hold the number of vectors of each
// node of l, times factor. The sums in floating point lose less than one bit.
func (f *Forest) wordsToCount(l *layout, factor int) int {
	sizes := make([]magnitude, len(l.nodes))
	largest := 1
	for i, n := range l.nodes {
		if n == Unit {
			sizes[i] = magnitude{0.5, 1}
			continue
		}
		for _, e := range f.Edges(n) {
			sizes[i] = sizes[i].plus(sizes[l.of(e.Child)])
		}
		largest = max(largest, sizes[i].exponent)
	}
	return (largest+1+bits.Len(uint(factor)))/64 + 1
}

// addWords adds from to to, which are of equal length and large enough.
func addWords(to, from []uint64) {
	var carry uint64
	for i, w := range from {
		to[i], carry = bits.Add64(to[i], w, carry)
	}
}

// wordsToInt is the number that the words hold.
func wordsToInt(words []uint64) *big.Int {
	bytes := make([]byte, 8*len(words))
	for i, w := range words {
		for j := range 8 {
			bytes[len(bytes)-1-8*i-j] = byte(w >> (8 * j))
		}
	}
	return new(big.Int).SetBytes(bytes)
}

// vectors is, for each node of l, its number of vectors in that many words.
func (f *Forest) vectors(l *layout, words int) []uint64 {
	counts := make([]uint64, len(l.nodes)*words)
	for i, n := range l.nodes {
		to := counts[i*words : (i+1)*words]
		if n == Unit {
			to[0] = 1
			continue
		}
		for _, e := range f.Edges(n) {
			c := l.of(e.Child)
			addWords(to, counts[c*words:(c+1)*words])
		}
	}
	return counts
}

// Count is the number of vectors of n. Time is linear in the edges that n
// reaches times the length of the result.
func (f *Forest) Count(n Node) *big.Int {
	if n <= Unit {
		return big.NewInt(int64(n))
	}
	l := f.reachable(n)
	words := f.wordsToCount(&l, 1)
	counts := f.vectors(&l, words)
	i := l.of(n)
	return wordsToInt(counts[i*words : (i+1)*words])
}

// A firingCount counts pairs of a vector of a diagram and a way in which a rule
// applies to it.
type firingCount struct {
	f       *Forest
	layout  layout
	words   int
	vectors []uint64
	stamp   []uint32 // by index in layout: the number of the rule counted there last
	counts  []uint64 // by index in layout
	below   []uint32 // by index in layout: the rule that counts belongs to
	round   uint32
	zero    []uint64
}

// CountFirings is the number of pairs of a vector of n and an event of r that is
// possible in it; events with alternatives count as often as they are possible.
// Equal events count once.
func (r *Relation) CountFirings(n Node) *big.Int {
	var weighted []weightedRule
	for _, rules := range r.top {
		for _, rule := range rules {
			weighted = append(weighted, weightedRule{rule, 1})
		}
	}
	total := r.forest.countFirings(n, weighted)
	if r.idle {
		total.Add(total, r.forest.Count(n))
	}
	return total
}

// A weightedRule is a rule that counts multiplicity times.
type weightedRule struct {
	rule         uint32
	multiplicity uint64
}

// countFirings is the number of pairs of a vector of n and a rule that applies to
// it. A rule is counted at its own level for all nodes there, each node once; what
// lies above only adds up. So time is that of the nodes at and below each rule's
// level, not of the whole diagram for each rule.
func (f *Forest) countFirings(n Node, rules []weightedRule) *big.Int {
	if n == Empty || len(rules) == 0 {
		return new(big.Int)
	}
	factor := 0
	byLevel := make([][]weightedRule, f.height+1)
	for _, w := range rules {
		level := f.rules.levels[w.rule]
		byLevel[level] = append(byLevel[level], w)
		factor += int(w.multiplicity)
	}
	c := firingCount{f: f, layout: f.reachable(n)}
	c.words = f.wordsToCount(&c.layout, factor)
	c.vectors = f.vectors(&c.layout, c.words)
	c.stamp = make([]uint32, len(c.layout.nodes))
	c.below = make([]uint32, len(c.layout.nodes))
	c.counts = make([]uint64, len(c.vectors))
	c.zero = make([]uint64, c.words)

	// totals[i] is the number of firings of all rules at the level of node i or
	// below, over the vectors of that node.
	totals := make([]uint64, len(c.vectors))
	for level := 0; level <= f.height; level++ {
		first := c.layout.starts[level]
		nodes := c.layout.level(level)
		for _, w := range byLevel[level] {
			c.round++
			for i, n := range nodes {
				to := totals[(first+i)*c.words : (first+i+1)*c.words]
				for range w.multiplicity {
					addWords(to, c.count(w.rule, n))
				}
			}
		}
		for i, n := range nodes {
			to := totals[(first+i)*c.words : (first+i+1)*c.words]
			for _, e := range f.Edges(n) {
				at := c.layout.of(e.Child)
				addWords(to, totals[at*c.words:(at+1)*c.words])
			}
		}
	}
	at := c.layout.of(n)
	return wordsToInt(totals[at*c.words : (at+1)*c.words])
}

// count is the number of firings of the rule over the vectors of n. A node is
// met with one rule only within a round, unless the rule has alternatives; then
// the count kept is that of the last.
func (c *firingCount) count(rule uint32, n Node) []uint64 {
	i := c.layout.of(n)
	at := i * c.words
	if rule == identity {
		return c.vectors[at : at+c.words]
	}
	to := c.counts[at : at+c.words]
	if c.stamp[i] == c.round && c.below[i] == rule {
		return to
	}
	sum := make([]uint64, 0, 8)
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
	c.stamp[i], c.below[i] = c.round, rule
	return to
}

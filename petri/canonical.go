package petri

import (
	"cmp"
	"math/big"

	"pnmc/internal/hashing"
)

// Canonizer finds the marking that stands for a marking and all its images, when components change places,
// and how many images there are. It is for one thread.
//
// The idea is that of canonical labelling (McKay, "Practical graph isomorphism", 1981; for nets Junttila,
// "On the symmetry reduction method for Petri nets and similar formalisms", 2003). Each component gets a
// hash of its tokens: of its places of each class, and of the hashes of the components with which it shares
// places, until that tells no more apart. Components are put in the order of their hashes. What they were
// called before has no influence on that, so that all images of the marking come out alike.
//
// Where hashes are the same, two cases remain. If exchanging two components changes nothing in the marking,
// they are twins, and their order does not matter. Otherwise one of them after the other is put first, the
// hashes are refined, and of all markings that come out the least one is taken. For example, let threads 1
// and 2 work on jobs 3 and 4. Neither the threads nor the jobs are twins; with thread 1 put first, its job is
// told from the other.
//
// The permutations that lead to the least marking are as many as those that keep it: each of them, followed
// by one that keeps it, is another such. So the images are counted: all permutations, divided by these.
//
// Equal hashes of what differs cost time, and no more: twins are compared place by place, and the rest is
// tried. If there is too much to try, one of the images is taken that were met. Then Images reports false: other
// images may lead to another marking.
type Canonizer struct {
	by *Components

	marked []Place // those of components
	tokens []int64 // of marked places
	dense  Marking // the same, by place; others have no tokens
	head   []int32 // of a component: its last entry in chain, plus one
	chain  []entry
	levels []level // of choices that were made

	image   []int32 // of components, by the order at hand
	at      []Place // what marked places become
	leastAt []Place // what they become in the least marking so far
	one     Marking // as at has it, to compare markings
	least   Marking
	leaves  int // orders that were tried
	work    int // places and components that were looked at
	exact   bool
	keeping *big.Int // how many permutations lead to the least marking; nil: not counted
}

// level has the hashes of components after some choices, and their order.
type level struct {
	hash, next []uint64
	order      []int32
}

// entry says that a marked place belongs to a component. before is the entry before it, plus one.
type entry struct{ marked, before int32 }

// mostWork bounds what is done for a marking, in about ten nanoseconds, once some order was tried.
const mostWork = 1 << 20

// NewCanonizer returns one for a net with so many places.
func NewCanonizer(c *Components, places int) *Canonizer {
	return &Canonizer{by: c, dense: make(Marking, places), head: make([]int32, c.Len()), image: make([]int32, c.Len()), one: make(Marking, places), least: make(Marking, places)}
}

// Lower makes m the marking that stands for it, and reports whether that is another one.
func (c *Canonizer) Lower(m Marking) (changed bool) {
	c.read(m)
	if changed = c.find(); changed {
		for _, p := range c.marked {
			m[p] = 0
		}
		for i, p := range c.leastAt {
			m[p] = c.tokens[i]
		}
	}
	return changed
}

// Images returns how many images m has, and reports whether m is the marking that stands for them. It reports false as
// well if there was too much to try.
func (c *Canonizer) Images(m Marking) (images *big.Int, ok bool) {
	c.read(m)
	c.keeping = new(big.Int)
	changed := c.find()
	images, c.keeping = c.keeping, nil
	if changed || !c.exact {
		return nil, false
	}
	return images.Quo(c.by.symmetries, images), true
}

// Work returns about how many nanoseconds the last marking took.
func (c *Canonizer) Work() int { return 16 * c.work }

// read begins with m.
func (c *Canonizer) read(m Marking) {
	c.begin()
	for _, p := range c.by.moved {
		if m[p] != 0 {
			c.mark(p, m[p])
		}
	}
}

// begin begins with a marking.
func (c *Canonizer) begin() {
	c.marked, c.tokens, c.chain = c.marked[:0], c.tokens[:0], c.chain[:0]
	clear(c.head)
}

// mark notes the tokens of a place of some components.
func (c *Canonizer) mark(p Place, tokens int64) {
	for _, e := range c.by.of(p) {
		c.chain = append(c.chain, entry{int32(len(c.marked)), c.head[e]})
		c.head[e] = int32(len(c.chain))
	}
	c.marked, c.tokens = append(c.marked, p), append(c.tokens, tokens)
	c.dense[p] = tokens
}

// find finds what marked places become in the marking that stands for the one at hand, and reports whether
// that is another one.
func (c *Canonizer) find() (changed bool) {
	c.leaves, c.work, c.exact = 0, 0, true
	l := c.level(0)
	clear(l.hash)
	for i, p := range c.marked {
		seed := hashing.Mix(uint64(c.by.class[p])<<32 ^ uint64(c.tokens[i]))
		for k, e := range c.by.of(p) {
			l.hash[e] += hashing.Mix(seed + uint64(k))
		}
	}
	c.refine(0)
	c.branch(0)
	for i, p := range c.leastAt {
		if c.dense[p] != c.tokens[i] {
			changed = true
			break
		}
	}
	for _, p := range c.marked {
		c.dense[p] = 0
	}
	return changed
}

// level returns the level after so many choices.
func (c *Canonizer) level(depth int) *level {
	for depth >= len(c.levels) {
		n := c.by.Len()
		l := level{hash: make([]uint64, n), next: make([]uint64, n), order: make([]int32, n)}
		for e := range l.order {
			l.order[e] = int32(e)
		}
		c.levels = append(c.levels, l)
	}
	return &c.levels[depth]
}

// refine refines the hashes of a level by those of components that share places, as long as that tells more
// components apart, and puts components in order.
func (c *Canonizer) refine(depth int) {
	l := c.level(depth)
	c.work += len(c.marked) + len(l.hash)
	for distinct := c.sort(l); distinct < len(l.hash); {
		c.work += 2*len(c.marked) + len(l.hash)
		for e, h := range l.hash {
			l.next[e] = hashing.Mix(h)
		}
		shared := false
		for i, p := range c.marked {
			members := c.by.of(p)
			if len(members) < 2 {
				continue
			}
			shared = true
			all := hashing.Mix(uint64(c.by.class[p])<<32 ^ uint64(c.tokens[i]))
			for k, e := range members {
				all += hashing.Mix(l.hash[e] + uint64(k)<<56)
			}
			for k, e := range members {
				l.next[e] += hashing.Mix(all + uint64(k))
			}
		}
		if !shared {
			return
		}
		l.hash, l.next = l.next, l.hash
		more := c.sort(l)
		if more <= distinct {
			return
		}
		distinct = more
	}
}

// sort puts the components of each row in order, and returns how many are told apart.
func (c *Canonizer) sort(l *level) (distinct int) {
	for r := range c.by.first[1:] {
		row := l.order[c.by.first[r]:c.by.first[r+1]]
		sortRow(row, l.hash)
		distinct++
		for i := 1; i < len(row); i++ {
			if l.hash[row[i]] != l.hash[row[i-1]] {
				distinct++
			}
		}
	}
	return distinct
}

// branch tries the orders of components that the hashes of a level leave.
func (c *Canonizer) branch(depth int) {
	l := c.level(depth)
	for r := range c.by.first[1:] {
		row := l.order[c.by.first[r]:c.by.first[r+1]]
		for i := 0; i < len(row); {
			end := i + 1
			for end < len(row) && l.hash[row[end]] == l.hash[row[i]] {
				end++
			}
			for j := i + 1; j < end; j++ {
				if !c.twins(row[j-1], row[j]) {
					c.choose(depth, row[i:end])
					return
				}
			}
			i = end
		}
	}
	c.leaf(l)
}

// twins reports whether exchanging two components changes nothing.
func (c *Canonizer) twins(a, b int32) bool {
	for _, e := range [2]int32{a, b} {
		for i := c.head[e]; i > 0; i = c.chain[i-1].before {
			marked := c.chain[i-1].marked
			if c.dense[c.by.exchanged(c.marked[marked], a, b)] != c.tokens[marked] {
				return false
			}
		}
	}
	return true
}

// choose puts one of several components first, each in turn.
func (c *Canonizer) choose(depth int, alike []int32) {
	next := c.level(depth + 1)
	l := c.level(depth) // levels may have moved
	for _, e := range alike {
		if c.leaves > 0 && c.work >= mostWork {
			c.exact = false
			return
		}
		copy(next.hash, l.hash)
		copy(next.order, l.order)
		next.hash[e] = hashing.Mix(^next.hash[e])
		c.refine(depth + 1)
		c.branch(depth + 1)
		next, l = c.level(depth+1), c.level(depth)
	}
}

// leaf notes the image of the marking by the order of a level, if it is less than what came out before.
func (c *Canonizer) leaf(l *level) {
	c.leaves++
	c.work += len(c.marked) + len(l.order)
	for i, e := range l.order {
		c.image[e] = int32(i)
	}
	c.at = c.at[:0]
	for _, p := range c.marked {
		c.at = append(c.at, c.by.placeAt[c.by.index(p, c.image)])
	}
	order := -1
	if c.leaves > 1 {
		c.work += len(c.by.moved)
		order = c.compare()
	}
	if order < 0 {
		c.at, c.leastAt = c.leastAt, c.at
	}
	if c.keeping == nil || order > 0 {
		return
	}
	if order < 0 {
		c.keeping.SetInt64(0)
	}
	c.keeping.Add(c.keeping, c.orders(l))
}

// compare compares the image at hand with the least one.
func (c *Canonizer) compare() int {
	for i, tokens := range c.tokens {
		c.one[c.at[i]], c.least[c.leastAt[i]] = tokens, tokens
	}
	order := 0
	for _, p := range c.by.moved {
		if order = cmp.Compare(c.one[p], c.least[p]); order != 0 {
			break
		}
	}
	for i := range c.tokens {
		c.one[c.at[i]], c.least[c.leastAt[i]] = 0, 0
	}
	return order
}

// orders returns in how many orders the hashes of a level leave the components, all of them twins where
// hashes are the same.
func (c *Canonizer) orders(l *level) *big.Int {
	product, length := big.NewInt(1), int64(1)
	for i, e := range l.order {
		if i > 0 && c.by.row[e] == c.by.row[l.order[i-1]] && l.hash[e] == l.hash[l.order[i-1]] {
			length++
			product.Mul(product, big.NewInt(length))
		} else {
			length = 1
		}
	}
	return product
}

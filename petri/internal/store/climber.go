package store

import (
	"math/bits"
	"sync"
)

// Climber adds markings to a tree, for one thread. A successor has most pieces in common with the marking
// that it comes from, and so most pairs: only the others are looked up, level by level, those of many markings
// together.
type Climber struct {
	_       [cacheLine]byte
	tree    *Tree
	reserve func(bytes int) error
	nodes   int      // numbers of a marking: of its pieces and its joints, but for the last
	from    []uint64 // the pieces of the marking that was loaded last
	parent  []uint32 // its numbers
	pieces  []uint64 // room for those of another
	loaded  bool
	waiting int      // markings that were entered
	numbers []uint32 // theirs, as far as they are known
	changed []bool   // which of these differ from the parent's
	list    []wanted
	sorted  []wanted
	starts  []int // where those of a part begin in sorted
	next    []int
	rounds  rounds // through parts
	known   []knownNumber
	recent  []uint64 // last pairs that are in the tree, each where its hash says
	tiers   [len(tierBits)]tier
	fresh   []uint64
	_       [cacheLine]byte
}

// knownNumber is a word whose number the thread has met lately.
type knownNumber struct {
	word   uint64
	number uint32
	known  bool
}

const (
	// knownBits is the binary logarithm of how many words a thread remembers.
	knownBits = 12
	// pairBits is the same of last pairs.
	pairBits = 14
	// ClimberBytes is about what a climber takes at first.
	ClimberBytes = 16<<knownBits + 8<<pairBits
)

// tier is what a climber has of a set of a tree.
type tier struct {
	batcher     *Batcher
	keys, mixed []uint64
}

// NewClimber returns one that asks reserve before anything grows.
func (t *Tree) NewClimber(reserve func(bytes int) error) *Climber {
	parts := len(t.numbering.parts)
	nodes := t.words + len(t.joints) - 1
	return &Climber{
		tree: t, reserve: reserve, nodes: nodes, parent: Apart[uint32](nodes), from: Apart[uint64](t.words), pieces: Apart[uint64](t.words),
		starts: make([]int, parts+1), next: make([]int, parts+1), rounds: newRounds(t.climbers.Add(1), parts),
		known: make([]knownNumber, 1<<knownBits), recent: make([]uint64, 1<<pairBits),
	}
}

// Load writes the marking of a last pair to packed. What is entered from now on are best its successors.
func (c *Climber) Load(pair uint64, packed []uint64) {
	t := c.tree
	last := len(t.joints) - 1
	for k := last; k >= 0; k-- {
		if k < last {
			pair = t.numbering.word(c.parent[t.words+k])
		}
		j := t.joints[k]
		c.parent[j.left], c.parent[j.right] = uint32(pair>>32), uint32(pair)
	}
	for i := range c.from {
		c.from[i] = t.numbering.word(c.parent[i])
	}
	t.join(c.from, packed)
	c.loaded = true
}

// Enter has the markings that lie one after the other in packed added with the next Add, and returns how many
// wait for that.
func (c *Climber) Enter(packed []uint64) (waiting int) {
	words, nodes := c.tree.words, c.nodes
	for ; len(packed) > 0; packed = packed[words:] {
		at := c.waiting * nodes
		c.waiting++
		if len(c.numbers) < at+nodes {
			c.numbers = append(c.numbers, make([]uint32, at+nodes)...)
			c.changed = append(c.changed, make([]bool, at+nodes)...)
		}
		copy(c.numbers[at:at+nodes], c.parent)
		changed := c.changed[at : at+words]
		c.tree.cut(packed[:words], c.pieces)
		for j, w := range c.pieces {
			if changed[j] = !c.loaded || w != c.from[j]; changed[j] {
				c.want(w, uint32(at+j))
			}
		}
	}
	return c.waiting
}

// want asks for the number of a word, unless the thread remembers it.
func (c *Climber) want(word uint64, to uint32) {
	hash := mix(0, word)
	k := &c.known[hash&(1<<knownBits-1)]
	if k.known && k.word == word {
		c.numbers[to] = k.number
		return
	}
	c.list = append(c.list, wanted{word: word, hash: hash, to: to})
}

// Add adds the markings that were entered. It returns the last pairs of those that are new, which Load takes;
// they are void at the next call. An error is that of reserve, or ErrFull; some markings are not added then.
func (c *Climber) Add() (fresh []uint64, err error) {
	t := c.tree
	defer c.reset()
	if err := c.number(); err != nil {
		return nil, err
	}
	last := len(t.joints) - 1
	for level, first := range t.levels[:len(t.levels)-1] {
		joints := t.joints[first:t.levels[level+1]]
		for at := 0; at < c.waiting*c.nodes; at += c.nodes {
			numbers, changed := c.numbers[at:at+c.nodes], c.changed[at:at+c.nodes]
			for k, j := range joints {
				node := t.words + first + k
				if changed[node] = changed[j.left] || changed[j.right]; changed[node] {
					c.want(uint64(numbers[j.left])<<32|uint64(numbers[j.right]), uint32(at+node))
				}
			}
		}
		if err := c.number(); err != nil {
			return nil, err
		}
	}
	for at := 0; at < c.waiting*c.nodes; at += c.nodes {
		c.file(c.numbers[at+t.joints[last].left], c.numbers[at+t.joints[last].right])
	}
	return c.addPairs()
}

// reset forgets what was entered.
func (c *Climber) reset() {
	c.waiting, c.list = 0, c.list[:0]
	for i := range c.tiers {
		c.tiers[i].keys = c.tiers[i].keys[:0]
	}
}

// number finds the numbers that are wanted, those of a part together.
func (c *Climber) number() error {
	if len(c.list) == 0 {
		return nil
	}
	n := c.tree.numbering
	c.arrange(64 - n.partBits)
	err := c.rounds.each(c.starts, func(part int) *sync.Mutex { return &n.parts[part].mutex }, func(part int) error {
		return n.numbers(part, c.sorted[c.starts[part]:c.starts[part+1]], c.numbers, c.reserve)
	})
	if err != nil {
		return err
	}
	for _, w := range c.list {
		c.known[w.hash&(1<<knownBits-1)] = knownNumber{w.word, c.numbers[w.to], true}
	}
	c.list = c.list[:0]
	return nil
}

// arrange puts what is wanted in order of parts, which the first bits of a hash say.
func (c *Climber) arrange(shift uint8) {
	clear(c.starts)
	for i := range c.list {
		c.starts[c.list[i].hash>>shift+1]++
	}
	for i := range len(c.starts) - 1 {
		c.starts[i+1] += c.starts[i]
	}
	copy(c.next, c.starts)
	if len(c.sorted) < len(c.list) {
		c.sorted = make([]wanted, 2*len(c.list))
	}
	for _, w := range c.list {
		at := &c.next[w.hash>>shift]
		c.sorted[*at] = w
		*at++
	}
}

// file keeps a last pair for the set that it belongs to, unless the thread has met it lately.
func (c *Climber) file(left, right uint32) {
	// No number has all bits set, so that a pair plus one is not the 0 that recent has at first.
	pair := uint64(left)<<32 | uint64(right)
	entry := &c.recent[mix(0, pair)&(1<<pairBits-1)]
	if *entry == pair+1 {
		return
	}
	*entry = pair + 1
	i := tierOf(left | right)
	t := &c.tiers[i]
	t.keys = append(t.keys, uint64(left)<<tierBits[i]|uint64(right))
}

// tierOf returns the tier of pairs whose numbers have these bits.
func tierOf(number uint32) int { return max(0, bits.Len32(number)-5) / 4 }

// addPairs adds the last pairs to their sets, and returns those that are new.
func (c *Climber) addPairs() (fresh []uint64, err error) {
	c.fresh = c.fresh[:0]
	for i := range c.tiers {
		t := &c.tiers[i]
		if len(t.keys) == 0 {
			continue
		}
		if t.batcher == nil {
			set, err := c.tree.set(i, c.reserve)
			if err != nil {
				return c.fresh, err
			}
			t.batcher = set.NewBatcher(c.reserve)
		}
		t.mixed = t.mixed[:0]
		for _, key := range t.keys {
			t.mixed = append(t.mixed, t.batcher.set.Mix(key))
		}
		n, err := t.batcher.Add(t.keys, t.mixed)
		for _, key := range t.keys[:n] {
			c.fresh = append(c.fresh, key>>tierBits[i]<<32|key&(1<<tierBits[i]-1))
		}
		if err != nil {
			return c.fresh, err
		}
	}
	return c.fresh, nil
}

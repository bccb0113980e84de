package symbolic

import (
	"context"
	"fmt"
	"math/big"
	"unsafe"
)

// A state may stand for many. In a reduced net a place may have the tokens of several places of another
// net together: a marking with n tokens there stands for as many markings as there are ways to
// share them out. Then each value of a variable has a weight, a state has the product of the weights of its
// values, and the sum over all states is wanted. That is counting (count.go) with edges that count
// often instead of once. For a firing the weights of the variables that it looks at differ.

// Ways returns how often a state counts because place p has so many tokens, of which needed ones
// are for something that is counted in it. It is zero if there are too few. It calls charge with the work that it does, in
// about nanoseconds, which may stop it: charge does not return then.
type Ways func(p uint32, tokens uint32, needed int64, charge func(work int)) *big.Int

// Weighted are numbers of states that count often.
type Weighted struct {
	space   *StateSpace
	layout  layout
	ways    Ways
	places  [][]uint32            // by level
	factors []map[uint32]*big.Int // by level and value, where nothing is needed
	above   []*big.Int            // by node of the layout: the weights of the ways from the root to it
	below   []*big.Int            // and of those from it to the end
}

// Weigh prepares for counting. Ctx and the memory of the forest limit it. Time and space are those
// of a number for each node, twice.
func (s *StateSpace) Weigh(ctx context.Context, ways Ways) (*Weighted, error) {
	w := &Weighted{space: s, ways: ways, places: make([][]uint32, len(s.Levels)+1), factors: make([]map[uint32]*big.Int, len(s.Levels)+1)}
	for p := range uint32(s.System.Places()) {
		level := s.Levels[s.System.code(p).Variable]
		w.places[level] = append(w.places[level], p)
	}
	for level := range w.factors {
		w.factors[level] = make(map[uint32]*big.Int)
	}
	err := w.within(ctx, func() {
		w.layout = s.Forest.reachable(s.Reachable)
		nodes := len(w.layout.nodes)
		s.Forest.afford(int64(2 * nodes * weightBytes))
		w.above, w.below = numbers(nodes), numbers(nodes)
		w.weighBelow()
		w.weighAbove()
	})
	return w, err
}

// weightBytes is about what a number for a node takes: its pointer, its head, and some words.
const weightBytes = 8 + int(unsafe.Sizeof(big.Int{})) + 32

// numbers returns so many zeros.
func numbers(n int) []*big.Int {
	values, list := make([]big.Int, n), make([]*big.Int, n)
	for i := range values {
		list[i] = &values[i]
	}
	return list
}

// within runs an operation on the forest that may stop.
func (w *Weighted) within(ctx context.Context, operation func()) error {
	f := w.space.Forest
	defer f.within(ctx)()
	_, err := f.guarded([]Node{w.space.Reachable}, func() Node {
		operation()
		return Empty
	})
	return err
}

// factor returns the weight of a value of the variable of a level.
func (w *Weighted) factor(level int, value uint32) *big.Int {
	known := w.factors[level][value]
	if known == nil {
		known = w.product(level, value, nil)
		w.factors[level][value] = known
	}
	return known
}

// product returns the weight of a value of the variable of a level, if tokens are needed as needs says.
func (w *Weighted) product(level int, value uint32, needs map[uint32]int64) *big.Int {
	product := big.NewInt(1)
	for _, p := range w.places[level] {
		product.Mul(product, w.ways(p, w.space.System.code(p).tokens(value), needs[p], w.space.Forest.charge))
	}
	w.space.Forest.charge(wordWork * 16 * len(w.places[level]))
	return product
}

// addUp adds to sum, for each edge of n, its weight times what of gives its child.
func (w *Weighted) addUp(sum *big.Int, n Node, weight func(value uint32) *big.Int, of func(Node) *big.Int) {
	f := w.space.Forest
	var product big.Int
	for _, e := range f.Edges(n) {
		if factor := weight(e.Value); factor.Sign() > 0 {
			sum.Add(sum, product.Mul(factor, of(e.Child)))
		}
		f.charge(edgeWork + 2*wordWork*(1+len(sum.Bits())))
	}
}

// weighBelow computes below.
func (w *Weighted) weighBelow() {
	l := &w.layout
	if len(l.nodes) == 0 {
		return
	}
	w.below[0].SetInt64(1) // of Unit
	below := func(child Node) *big.Int { return w.below[l.of(child)] }
	for level := 1; level < len(l.starts)-1; level++ {
		weight := func(value uint32) *big.Int { return w.factor(level, value) }
		for _, n := range l.level(level) {
			w.addUp(w.below[l.of(n)], n, weight, below)
		}
	}
}

// weighAbove computes above.
func (w *Weighted) weighAbove() {
	l, f := &w.layout, w.space.Forest
	if len(l.nodes) == 0 {
		return
	}
	w.above[l.of(w.space.Reachable)].SetInt64(1)
	var product big.Int
	for level := len(l.starts) - 2; level > 0; level-- {
		for _, n := range l.level(level) {
			from := w.above[l.of(n)]
			for _, e := range f.Edges(n) {
				to := w.above[l.of(e.Child)]
				to.Add(to, product.Mul(from, w.factor(level, e.Value)))
				f.charge(edgeWork + 2*wordWork*(1+len(to.Bits())))
			}
		}
	}
}

// States returns the sum of the weights of all states.
func (w *Weighted) States() *big.Int {
	if len(w.layout.nodes) == 0 {
		return new(big.Int)
	}
	return new(big.Int).Set(w.below[w.layout.of(w.space.Reachable)])
}

// Count returns the sum of the weights of all states if tokens are needed as needs says, by place.
// Time is that of the nodes at the levels of these places and between them. Ctx and the memory
// limit it.
func (w *Weighted) Count(ctx context.Context, needs map[uint32]int64) (*big.Int, error) {
	if len(w.layout.nodes) == 0 || len(needs) == 0 {
		return w.States(), nil
	}
	low, high := len(w.space.Levels)+1, 0
	weights := make(map[int]func(uint32) *big.Int) // of the levels where something is needed
	for p := range needs {
		if int(p) >= w.space.System.Places() {
			return nil, fmt.Errorf("no place %d of %d", p, w.space.System.Places())
		}
		level := w.space.Levels[w.space.System.code(p).Variable]
		low, high = min(low, level), max(high, level)
		weights[level] = w.needing(level, needs)
	}
	total := new(big.Int)
	err := w.within(ctx, func() {
		l := &w.layout
		known := make(map[Node]*big.Int)
		var of func(n Node, level int) *big.Int
		of = func(n Node, level int) *big.Int {
			if level < low {
				return w.below[l.of(n)]
			}
			if sum := known[n]; sum != nil {
				return sum
			}
			weight := weights[level]
			if weight == nil {
				weight = func(value uint32) *big.Int { return w.factor(level, value) }
			}
			sum := new(big.Int)
			w.addUp(sum, n, weight, func(child Node) *big.Int { return of(child, level-1) })
			known[n] = sum
			w.space.Forest.charge(weightBytes)
			return sum
		}
		var product big.Int
		for _, n := range l.level(high) {
			total.Add(total, product.Mul(w.above[l.of(n)], of(n, high)))
		}
	})
	return total, err
}

// needing returns the weights of the values at a level with what is needed there, each found once.
func (w *Weighted) needing(level int, needs map[uint32]int64) func(value uint32) *big.Int {
	known := make(map[uint32]*big.Int)
	return func(value uint32) *big.Int {
		if known[value] == nil {
			known[value] = w.product(level, value, needs)
		}
		return known[value]
	}
}

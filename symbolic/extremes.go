package symbolic

import (
	"fmt"
	"math/big"
)

// MaxValues returns the largest values of the variables over the vectors of n: that
// of level k at k-1. All are zero if n is empty.
func (f *Forest) MaxValues(n Node) []uint32 {
	l := f.reachable(n)
	return f.maxValues(&l)
}

// maxValues returns the largest values, as MaxValues does, for a layout.
func (f *Forest) maxValues(l *layout) []uint32 {
	values := make([]uint32, f.height)
	for k := 1; k <= f.height; k++ {
		for _, n := range l.level(k) {
			edges := f.Edges(n)
			values[k-1] = max(values[k-1], edges[len(edges)-1].Value)
		}
	}
	return values
}

// A weighting says what a variable's value counts for in a sum: Of[value] if that
// is given, otherwise Each times the value.
type weighting struct {
	Each int64
	Of   []int64
}

// add makes each token of a place count weight more. Places of a group have a weight each, by their
// marks.
func (w *weighting) add(code Code, weight int64) {
	if code.Mark == 0 {
		w.Each += weight
		return
	}
	for len(w.Of) <= int(code.Mark) {
		w.Of = append(w.Of, 0)
	}
	w.Of[code.Mark] += weight
}

// small returns the weight of a value where sumsFit.
func (w *weighting) small(value uint32) int64 {
	switch {
	case w.Of == nil:
		return w.Each * int64(value)
	case int(value) < len(w.Of):
		return w.Of[value]
	}
	return 0
}

// exact returns the weight of a value.
func (w *weighting) exact(value uint32) *big.Int {
	if w.Of != nil {
		return big.NewInt(w.small(value))
	}
	product := big.NewInt(w.Each)
	return product.Mul(product, big.NewInt(int64(value)))
}

// largest returns the largest magnitude of a weight of values up to most.
func (w *weighting) largest(most uint32) *big.Int {
	if w.Of == nil {
		product := w.exact(most)
		return product.Abs(product)
	}
	best := new(big.Int)
	for _, x := range w.Of {
		if b := big.NewInt(x); b.CmpAbs(best) > 0 {
			best.Abs(b)
		}
	}
	return best
}

// MaxSum returns the largest Σ weights[k-1]·v(k) over the vectors v of n, which must
// not be empty; sums that do not fit 64 bits are exact too.
func (f *Forest) MaxSum(n Node, weights []int64) (*big.Int, error) {
	each := make([]weighting, len(weights))
	for i, w := range weights {
		each[i].Each = w
	}
	return f.maxWeight(n, each)
}

// maxWeight returns the largest sum of weights over the vectors of n, which must not be empty. The
// weight of a value of level k is that of weightings[k-1]. From below, the largest sum of a node is
// the largest, over its edges, of the value's weight plus the largest sum of the child. So time is
// linear in the edges that n reaches. Limits of the forest may end it.
func (f *Forest) maxWeight(n Node, weightings []weighting) (*big.Int, error) {
	if n == Empty {
		return nil, fmt.Errorf("largest sum over an empty set")
	}
	if len(weightings) != f.height {
		return nil, fmt.Errorf("%d weights for %d variables", len(weightings), f.height)
	}
	var weight *big.Int
	_, err := f.guarded([]Node{n}, func() Node {
		l := f.reachable(n)
		if f.sumsFit(weightings) {
			weight = big.NewInt(f.maxSmallSum(&l, weightings))
		} else {
			weight = f.maxLargeSum(&l, weightings)
		}
		return Empty
	})
	return weight, err
}

// maxLargeSum returns the largest weight, whatever the numbers are.
func (f *Forest) maxLargeSum(l *layout, weightings []weighting) *big.Int {
	// Children come before their parents in the layout.
	best := make([]*big.Int, len(l.nodes))
	for i, n := range l.nodes {
		if n == Unit {
			best[i] = new(big.Int)
		}
		level := f.nodes[n].level
		f.charge(64 * edgeWork * int(f.degree(n)))
		for _, e := range f.Edges(n) {
			sum := weightings[level-1].exact(e.Value)
			sum.Add(sum, best[l.of(e.Child)])
			if best[i] == nil || sum.Cmp(best[i]) > 0 {
				best[i] = sum
			}
		}
	}
	return best[len(best)-1]
}

// sumsFit reports whether no sum of weights exceeds 2^62.
func (f *Forest) sumsFit(weightings []weighting) bool {
	var bound big.Int
	for k := range weightings {
		bound.Add(&bound, weightings[k].largest(f.largest[k+1]))
	}
	return bound.BitLen() <= 62
}

// maxSmallSum returns the largest weight where sumsFit.
func (f *Forest) maxSmallSum(l *layout, weightings []weighting) int64 {
	best := make([]int64, len(l.nodes))
	for i, n := range l.nodes {
		level := f.nodes[n].level
		f.charge(edgeWork * int(f.degree(n)))
		for j, e := range f.Edges(n) {
			sum := best[l.of(e.Child)] + weightings[level-1].small(e.Value)
			if j == 0 || sum > best[i] {
				best[i] = sum
			}
		}
	}
	return best[len(best)-1]
}

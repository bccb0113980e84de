package symbolic

import (
	"fmt"
	"math/big"
)

// MaxValues are the largest values of the variables over the vectors of n: that
// of level k at k-1. All are zero if n is empty.
func (f *Forest) MaxValues(n Node) []uint32 {
	values := make([]uint32, f.height)
	l := f.reachable(n)
	for k := 1; k <= f.height; k++ {
		for _, n := range l.level(k) {
			edges := f.Edges(n)
			values[k-1] = max(values[k-1], edges[len(edges)-1].Value)
		}
	}
	return values
}

// MaxSum is the largest Σ weights[k-1]·v(k) over the vectors v of n, which must
// not be empty; sums that do not fit 64 bits are exact too.
func (f *Forest) MaxSum(n Node, weights []int64) (*big.Int, error) {
	if n == Empty {
		return nil, fmt.Errorf("largest sum over an empty set")
	}
	if len(weights) != f.height {
		return nil, fmt.Errorf("%d weights for %d variables", len(weights), f.height)
	}
	l := f.reachable(n)
	if f.sumsFit(weights) {
		return big.NewInt(f.maxSmallSum(&l, weights)), nil
	}
	best := make([]*big.Int, len(l.nodes))
	for i, n := range l.nodes {
		if n == Unit {
			best[i] = new(big.Int)
		}
		level := f.nodes[n].level
		for _, e := range f.Edges(n) {
			sum := big.NewInt(int64(e.Value))
			sum.Mul(sum, big.NewInt(weights[level-1]))
			sum.Add(sum, best[l.of(e.Child)])
			if best[i] == nil || sum.Cmp(best[i]) > 0 {
				best[i] = sum
			}
		}
	}
	return best[l.of(n)], nil
}

// sumsFit tells whether no sum of values times weights exceeds 2^62.
func (f *Forest) sumsFit(weights []int64) bool {
	var bound big.Int
	for k, w := range weights {
		term := big.NewInt(w)
		term.Mul(term.Abs(term), big.NewInt(int64(f.largest[k+1])))
		bound.Add(&bound, term)
	}
	return bound.BitLen() <= 62
}

func (f *Forest) maxSmallSum(l *layout, weights []int64) int64 {
	best := make([]int64, len(l.nodes))
	for i, n := range l.nodes {
		level := f.nodes[n].level
		for j, e := range f.Edges(n) {
			sum := best[l.of(e.Child)] + weights[level-1]*int64(e.Value)
			if j == 0 || sum > best[i] {
				best[i] = sum
			}
		}
	}
	return best[len(best)-1]
}

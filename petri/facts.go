package petri

import (
	"cmp"
	"slices"
)

// Unbounded is the bound of a place for which none is known.
const Unbounded int64 = -1

// Semiflow is a non-negative place invariant: Σ Weight·m(Place) = Value in every
// reachable marking m, over Terms sorted by place.
type Semiflow struct {
	Terms []Arc
	Value int64
}

// Weight returns the weight of a place, 0 if the semiflow leaves it out. It takes
// logarithmic time.
func (f *Semiflow) Weight(p Place) int64 {
	i, found := slices.BinarySearchFunc(f.Terms, p, func(a Arc, p Place) int { return cmp.Compare(a.Place, p) })
	if !found {
		return 0
	}
	return f.Terms[i].Weight
}

// Facts are what is proven of all reachable markings of a net before any is
// explored. The zero value claims nothing.
type Facts struct {
	// Bounds gives each place the most tokens it can hold, or Unbounded. Nil:
	// nothing is known.
	Bounds []int64
	// Semiflows are place invariants, in no particular order.
	Semiflows []Semiflow
}

// Bound returns the proven bound of p, or Unbounded.
func (f Facts) Bound(p Place) int64 {
	if f.Bounds == nil {
		return Unbounded
	}
	return f.Bounds[p]
}

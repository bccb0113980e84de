package bdd

import (
	"math/big"

	"pnmc/automata"
	"pnmc/internal/bitset"
)

// HoldsFor reports whether g is true for the valuation v.
func (f *Functions) HoldsFor(g Function, v automata.Valuation) bool {
	for g > TrueFunction {
		n := f.nodes[g]
		if bitset.Has(v, n.variable) {
			g = n.high
		} else {
			g = n.low
		}
	}
	return g == TrueFunction
}

// Holds reports whether g is true for the valuation v of at most 64 propositions.
func (f *Functions) Holds(g Function, v uint64) bool {
	for g > TrueFunction {
		n := f.nodes[g]
		if v>>n.variable&1 == 1 {
			g = n.high
		} else {
			g = n.low
		}
	}
	return g == TrueFunction
}

// Valuations returns the number of valuations that make g true, of 2^n for n propositions. It
// counts each node once. For example, p0 | p1 over three propositions has 6: 4 with p0, where
// the other two are free, and 2 with p1 and without p0.
func (f *Functions) Valuations(g Function) *big.Int {
	// below counts over the propositions from the node's own on; a child that
	// tests a later one leaves those between free.
	known := map[Function]*big.Int{FalseFunction: big.NewInt(0), TrueFunction: big.NewInt(1)}
	var below func(g Function) *big.Int
	free := func(g Function, from uint32) *big.Int {
		return new(big.Int).Lsh(below(g), uint(f.nodes[g].variable-from))
	}
	below = func(g Function) *big.Int {
		if n, ok := known[g]; ok {
			return n
		}
		n := f.nodes[g]
		sum := free(n.low, n.variable+1)
		sum.Add(sum, free(n.high, n.variable+1))
		known[g] = sum
		return sum
	}
	return free(g, 0)
}

// Share returns the share of all valuations for which g holds, from 0 to 1. A node's share is
// the mean of its children's; propositions that are skipped on the way change nothing.
func (f *Functions) Share(g Function) float64 {
	known := map[Function]float64{FalseFunction: 0, TrueFunction: 1}
	var of func(Function) float64
	of = func(g Function) float64 {
		if s, ok := known[g]; ok {
			return s
		}
		n := f.nodes[g]
		s := (of(n.low) + of(n.high)) / 2
		known[g] = s
		return s
	}
	return of(g)
}

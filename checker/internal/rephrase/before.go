package rephrase

import (
	"maps"
	"slices"

	"pnmc/internal/arithmetic"
	"pnmc/logic"
	"pnmc/petri"
)

// mostBefore bounds the predicates that Before makes, in comparisons.
const mostBefore = 400

// Before returns a predicate that holds in each marking that has a successor with p. Either p holds
// already, or a transition that changes places of p is enabled, and p holds after it. For example,
// let t take a token from a and put one on q, and let nothing else change q. Then "before q ≥ 1" is
// q ≥ 1 ∨ (a ≥ 1 ∧ q + 1 ≥ 1), that is q ≥ 1 ∨ a ≥ 1. If the result would be too large, or its
// numbers, it is true.
func Before(net *petri.Net, p *logic.Predicate) *logic.Predicate {
	anything := &logic.Predicate{Operator: logic.True}
	if !net.Plain() || LooksAtDeadlock(p) {
		return anything
	}
	p = OverPlaces(net, p)
	changing := make(map[petri.Transition]bool)
	for _, place := range placesOf(p, nil) {
		for _, around := range [][]petri.Transition{net.Consumers(petri.Place(place)), net.Producers(petri.Place(place))} {
			for _, t := range around {
				changing[t] = true
			}
		}
		if len(changing)*Comparisons(p) > mostBefore {
			return anything
		}
	}
	or := &logic.Predicate{Operator: logic.Or, Operands: []*logic.Predicate{p}}
	for _, t := range slices.Sorted(maps.Keys(changing)) {
		effect := make(map[uint32]int64)
		for _, a := range net.Pre(t) {
			effect[uint32(a.Place)] -= a.Weight
		}
		for _, a := range net.Post(t) {
			effect[uint32(a.Place)] += a.Weight
		}
		after, ok := shifted(p, effect)
		if !ok {
			return anything
		}
		fires := OverPlaces(net, FireableAmong([]uint32{uint32(t)}))
		or.Operands = append(or.Operands, &logic.Predicate{Operator: logic.And, Operands: []*logic.Predicate{fires, after}})
	}
	return or.Simplify()
}

// placesOf appends the places that p, over places, looks at.
func placesOf(p *logic.Predicate, list []uint32) []uint32 {
	for s := range p.Sums() {
		for _, t := range s.Terms {
			list = append(list, t.Place)
		}
	}
	for _, o := range p.Operands {
		list = placesOf(o, list)
	}
	return list
}

// Comparisons returns the number of leaves of p.
func Comparisons(p *logic.Predicate) int {
	if len(p.Operands) == 0 {
		return 1
	}
	n := 0
	for _, o := range p.Operands {
		n += Comparisons(o)
	}
	return n
}

// shifted returns the predicate that holds in a marking if p, which is over places, holds after an
// effect: what the effect adds to each sum goes to the sum's constant. ok is false if 64 bits do
// not suffice.
func shifted(p *logic.Predicate, effect map[uint32]int64) (after *logic.Predicate, ok bool) {
	ok = true
	after = p.WithSums(func(s logic.Sum) logic.Sum {
		for _, t := range s.Terms {
			change, fits := arithmetic.Multiply(t.Coefficient, effect[t.Place])
			if fits {
				s.Constant, fits = arithmetic.Add(s.Constant, change)
			}
			ok = ok && fits
		}
		return s
	})
	if !ok {
		return nil, false
	}
	for _, o := range p.Operands {
		operand, fits := shifted(o, effect)
		if !fits {
			return nil, false
		}
		after.Operands = append(after.Operands, operand)
	}
	return after, true
}

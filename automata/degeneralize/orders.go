package degeneralize

import (
	"context"
	"slices"

	"pnmc/automata/internal/marked"
	"pnmc/internal/account"
)

// bestLevelling finds the marks and the order with the fewest copies of a component, among
// the acceptance sets that it needs.
//
// Why the order matters: let each cycle of a component pass an edge in set 0, then one in set 1,
// then one in set 2, three states in all. In the order 0, 1, 2 a run climbs all levels in one round
// of the cycle, and there is one copy of each state. In the order 2, 1, 0 it takes two rounds, and
// there are two.
//
// There are n! orders of n sets. Up to orderedSets all are tried. With more sets two of them are
// exchanged, as long as that makes fewer copies: a local optimum, which may not be the best. Every
// order is tried with every placement of marks (placement.go). orderWork bounds the orders, and
// placementWork the placements, so that a large component tries few.
// What trying takes is charged.
func bestLevelling(ctx context.Context, charged *account.Account, p *part, needed uint64, how levels) (levelling, error) {
	order := marked.Members(needed)
	var best levelling
	var failed error
	work := 0
	try := func(marks []uint64, order []int) bool {
		t := levelling{of: p, order: slices.Clone(order), marks: marks}
		if failed = t.useCopies(charged); failed != nil {
			return false
		}
		if best.used == nil || t.copies < best.copies {
			best = t
		}
		work += len(p.to) * (len(order) + 1)
		failed = charged.Charge(copyWork * len(p.to) * (len(order) + 1))
		return failed == nil && work < orderWork
	}
	for _, placement := range placements {
		if how.asMarked && placement != asMarked || best.used != nil && work > placementWork {
			continue
		}
		marks, err := p.place(ctx, placement)
		if err != nil {
			return best, err
		}
		switch {
		case how.order != nil:
			try(marks, slices.DeleteFunc(slices.Clone(how.order), func(set int) bool { return needed>>set&1 == 0 }))
		case len(order) <= orderedSets:
			eachOrder(order, len(order), func(order []int) bool { return try(marks, order) })
		default:
			try(marks, order)
			improveOrder(order, func() bool {
				copies := best.copies
				return try(marks, order) && best.copies < copies
			}, func() bool { return failed == nil && work < orderWork })
		}
		if failed != nil {
			return best, failed
		}
	}
	return best, nil
}

// eachOrder calls f with the orders of the first n members of list, in place, until f
// returns false (Heap's algorithm). It reports whether f never did.
//
// Each order differs from the one before by an exchange of two members, so that nothing is
// copied. Of 0 1 2 the orders are 012, 102, 201, 021, 120 and 210.
func eachOrder(list []int, n int, f func([]int) bool) bool {
	if n <= 1 {
		return f(list)
	}
	for i := range n {
		if !eachOrder(list, n-1, f) {
			return false
		}
		j := 0
		if n%2 == 0 {
			j = i
		}
		list[j], list[n-1] = list[n-1], list[j]
	}
	return true
}

// improveOrder exchanges two members of list as long as that is better.
func improveOrder(list []int, better, more func() bool) {
	for improved := true; improved; {
		improved = false
		for i := range list {
			for j := range i {
				if !more() {
					return
				}
				list[i], list[j] = list[j], list[i]
				if better() {
					improved = true
				} else {
					list[i], list[j] = list[j], list[i]
				}
			}
		}
	}
}

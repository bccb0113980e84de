package branching

import (
	"context"
	"math/bits"
	"math/rand/v2"

	"pnmc/internal/account"
	"pnmc/petri"
)

// Terminal components, strongly connected ones that no edge leaves, are found here by searches that
// several threads make: Tarjan's algorithm is one of a single thread, and costs as much as to find
// the edges.
//
// A pivot is taken from the states that are left. Let into be those of them that lead to the pivot,
// and from those that it leads to. If all of from lead back to it, from is a terminal component, and
// no other state of into is in one: it leads to the pivot, and is not in from. Otherwise no state of
// into is in a terminal component: it would be that of the pivot, which leads to a state that does not
// lead back. So into is left out in either case. What is left has no edge to what is not: a
// successor that led to the pivot would have put the state into into.
//
// A pivot at the end of a long walk is mostly in a terminal component, and most graphs have one
// or a few. So a few searches do, whose work is that of EF for each.

const (
	// mostPivots is how many pivots are tried.
	mostPivots = 1 << 5
	// pivotSteps is how many steps a walk to one has.
	pivotSteps = 1 << 12
)

// Terminal calls visit with the states of one terminal component after the other, until it reports
// false. known reports whether there are no others: it is false if there are more than this search is
// made for, or if one thread has explored the graph. An error is that of visit, or a reason to stop.
func (g *Graph) Terminal(ctx context.Context, visit func(members []uint32) (more bool, err error)) (known bool, err error) {
	if g.crew == nil {
		return false, nil
	}
	g.kripke.Begin(ctx)
	g.crew.begin(ctx)
	if err := g.account.Reserve(5 * g.states / 8); err != nil { // five sets
		return false, err
	}
	left := g.not(newStateSet(g.states))
	start := uint32(g.kripke.Initial())
	for range mostPivots {
		pivot, err := g.walkFrom(start)
		if err != nil {
			return false, err
		}
		into, from := newStateSet(g.states), newStateSet(g.states)
		into.add(pivot)
		from.add(pivot)
		if err := g.untilTogether(left, into, nil); err != nil {
			return false, err
		}
		if err := g.reachTogether(from); err != nil {
			return false, err
		}
		for w := range left {
			left[w] &^= into[w]
		}
		away, leadsAway := from.leastBeyond(into)
		if !leadsAway {
			members, err := g.list(from)
			if err != nil {
				return false, err
			}
			if more, err := visit(members); !more || err != nil {
				return true, err
			}
		}
		if leadsAway {
			start = away
		} else if start, leadsAway = left.leastBeyond(nil); !leadsAway {
			return true, nil // nothing is left
		}
	}
	return false, nil
}

// leastBeyond returns the least state of s that is not in t, if there is one. A nil t is empty.
func (s stateSet) leastBeyond(t stateSet) (state uint32, ok bool) {
	for w, word := range s {
		if t != nil {
			word &^= t[w]
		}
		if word != 0 {
			return uint32(w*64 + bits.TrailingZeros64(word)), true
		}
	}
	return 0, false
}

// list returns the states of a set.
func (g *Graph) list(s stateSet) ([]uint32, error) {
	n := 0
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	if err := g.account.Reserve(4 * n); err != nil {
		return nil, err
	}
	list := make([]uint32, 0, n)
	s.each(func(i uint32) { list = append(list, i) })
	return list, nil
}

// walkFrom returns a state that edges lead to, as many as a walk has unless a deadlock ends it.
func (g *Graph) walkFrom(s uint32) (uint32, error) {
	random := rand.New(rand.NewPCG(uint64(s), 1))
	for range pivotSteps {
		row, deadlock := g.kripke.Row(petri.StateID(s))
		if deadlock {
			break
		}
		if err := g.account.Charge(account.EdgeWork); err != nil {
			return 0, err
		}
		s = row[random.IntN(len(row))]
	}
	return s, nil
}

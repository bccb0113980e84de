package invariant

import (
	"cmp"
	"context"
	"slices"

	"pnmc/internal/account"
	"pnmc/petri"
)

// Two questions about all reachable markings may be answered by a look at the arcs of each transition
// and of one other.
//
// Whether every firing can be undone. Let each transition t have a u that needs no more than t gives,
// and that changes the marking the other way round. After t there is all that t gives. So u can fire
// then, and leads back to the marking before. Hence each edge of the state graph has one in the other
// direction: from every reachable marking the initial one is reached, and from it every other. A
// transition that can fire at all can then fire again from everywhere.
//
// Whether something can always fire. Let each transition t have a u that needs no more than t gives.
// Then no firing leads to a deadlock, and none is reachable unless the initial marking is one.
//
// For example, a robot goes from a to b if b is free: t takes a and free-b, and gives b and free-a. If
// another transition takes it from b to a, that one undoes t. So a grid of robots has no deadlock, and
// each robot can come again and again to wherever it comes at all, which no exploration of its
// markings would show.
//
// Both are proofs only: nothing follows if there is no such u. Nets with inhibitor arcs, reset arcs or
// capacities are given up, as u may then need more than what its arcs take.

// Undoes reports whether it was shown that each firing of the net can be undone by another one: so the
// markings that are reachable all reach each other. It gives up after looking at about work arcs, or
// when ctx ends.
func Undoes(ctx context.Context, net *petri.Net, work int) bool {
	if !net.Plain() {
		return false
	}
	s := &undoSearch{net: net, account: account.Of(ctx), work: work}
	// What changes the marking as -t does has the sum -of(t), if sums do not overflow otherwise: they
	// are computed modulo 2^64, as a hash.
	type keyed struct {
		sum uint64
		t   petri.Transition
	}
	var list []keyed
	of := func(t petri.Transition) (sum uint64) {
		for _, a := range net.Post(t) {
			sum += mixed(a.Place) * uint64(a.Weight)
		}
		for _, a := range net.Pre(t) {
			sum -= mixed(a.Place) * uint64(a.Weight)
		}
		return sum
	}
	for t := range petri.Transition(net.Transitions()) {
		if !s.charge(len(net.Pre(t)) + len(net.Post(t))) {
			return false
		}
		list = append(list, keyed{of(t), t})
	}
	compare := func(a keyed, sum uint64) int { return cmp.Compare(a.sum, sum) }
	slices.SortFunc(list, func(a, b keyed) int { return cmp.Or(compare(a, b.sum), cmp.Compare(a.t, b.t)) })
	for _, k := range list {
		at, _ := slices.BinarySearchFunc(list, -k.sum, compare)
		undone := false
		for ; at < len(list) && list[at].sum == -k.sum && !undone; at++ {
			u := list[at].t
			if !s.charge(len(net.Post(k.t)) + len(net.Pre(u))) {
				return false
			}
			undone = s.follows(k.t, u) && s.opposite(k.t, u)
		}
		if !undone {
			return false
		}
	}
	return true
}

// GoesOn reports whether it was shown that after each firing of the net some transition can fire. It
// gives up as Undoes does.
func GoesOn(ctx context.Context, net *petri.Net, work int) bool {
	if !net.Plain() {
		return false
	}
	s := &undoSearch{net: net, account: account.Of(ctx), work: work}
	// Each transition is looked for under one of the places that it needs, one with few consumers.
	filed := make([][]petri.Transition, net.Places())
	for t := range petri.Transition(net.Transitions()) {
		pre := net.Pre(t)
		if len(pre) == 0 {
			return true // it can always fire
		}
		if !s.charge(len(pre)) {
			return false
		}
		rarest := slices.MinFunc(pre, func(a, b petri.Arc) int {
			return cmp.Compare(len(net.Consumers(a.Place)), len(net.Consumers(b.Place)))
		})
		filed[rarest.Place] = append(filed[rarest.Place], t)
	}
	for t := range petri.Transition(net.Transitions()) {
		if !slices.ContainsFunc(net.Post(t), func(a petri.Arc) bool {
			return slices.ContainsFunc(filed[a.Place], func(u petri.Transition) bool {
				return s.charge(len(net.Pre(u))) && s.follows(t, u)
			})
		}) {
			return false
		}
	}
	return true
}

// undoSearch looks for transitions that can fire after others.
type undoSearch struct {
	net         *petri.Net
	account     *account.Account
	work        int // that is left
	there, back []petri.Arc
}

// charge charges a look at so many arcs. It reports false once the work or the question is over.
func (s *undoSearch) charge(arcs int) bool {
	s.work -= arcs + 1
	return s.work >= 0 && s.account.Charge(arcWork*(arcs+1)) == nil
}

// arcWork is about what it costs to look at an arc, in nanoseconds.
const arcWork = 4

// follows reports whether u needs no more than t gives.
func (s *undoSearch) follows(t, u petri.Transition) bool {
	post := s.net.Post(t)
	for _, need := range s.net.Pre(u) {
		for len(post) > 0 && post[0].Place < need.Place {
			post = post[1:]
		}
		if len(post) == 0 || post[0].Place != need.Place || post[0].Weight < need.Weight {
			return false
		}
	}
	return true
}

// opposite reports whether u takes what t adds, and adds what t takes.
func (s *undoSearch) opposite(t, u petri.Transition) bool {
	s.there, s.back = s.net.AppendEffect(s.there[:0], t), s.net.AppendEffect(s.back[:0], u)
	return slices.EqualFunc(s.there, s.back, func(a, b petri.Arc) bool { return a.Place == b.Place && a.Weight == -b.Weight })
}

// mixed spreads the number of a place over 64 bits. Tests lower it, so that unlike transitions have the
// same sum.
var mixed = func(p petri.Place) uint64 {
	x := (uint64(p) + 1) * 0x9e3779b97f4a7c15
	x ^= x >> 29
	x *= 0xbf58476d1ce4e5b9
	return x ^ x>>32
}

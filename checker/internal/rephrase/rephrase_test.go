package rephrase_test

import (
	"slices"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"pnmc/checker/internal/checkertest"
	"pnmc/checker/internal/rephrase"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// holds evaluates p in a marking of net, by the definitions.
func holds(net *petri.Net, m petri.Marking, p *logic.Predicate) bool {
	return p.Holds(m, net.Transitions(), func(t uint32) bool { return net.Enabled(m, petri.Transition(t)) })
}

// forbidden returns a function of enabled transitions for predicates that look at places only.
func forbidden(t *rapid.T) func(uint32) bool {
	return func(uint32) bool { t.Fatal("a predicate over places asks what is enabled"); return false }
}

// TestOverPlaces compares predicates in all markings of random nets with what they are over
// places only, and with those again after places were numbered from behind.
func TestOverPlaces(t *testing.T) {
	looking := 0
	rapid.Check(t, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		p := checkertest.Goal(t, net, 3)
		fireless := rephrase.OverPlaces(net, p)
		over := rephrase.DeadlockOverPlaces(net, fireless)
		if rephrase.LooksAtDeadlock(over) || rephrase.LooksAtDeadlock(p) != rephrase.LooksAtDeadlock(fireless) {
			t.Fatalf("%+v looks at deadlocks", over)
		}
		if rephrase.LooksAtDeadlock(p) {
			looking++
		}
		written := (rephrase.Comparisons(over) - rephrase.Comparisons(fireless)) * int(unsafe.Sizeof(*p))
		if bytes := rephrase.BytesOfDeadlockOverPlaces(net, p); bytes < written || bytes > 0 != rephrase.LooksAtDeadlock(p) {
			t.Fatalf("%d bytes for %+v, which takes %d", bytes, over, written)
		}
		backwards := make([]int32, net.Places())
		for i := range backwards {
			backwards[i] = int32(net.Places() - 1 - i)
		}
		renamed := rephrase.Renamed(over, backwards)
		protected := make([]bool, net.Places())
		rephrase.Protect(over, protected)
		for _, m := range g.Markings {
			want := holds(net, m, p)
			if holds(net, m, fireless) != want || holds(net, m, rephrase.Not(p)) == want {
				t.Fatalf("%+v in %v: %t", p, m, want)
			}
			seen := slices.Clone(m)
			for i := range seen {
				if !protected[i] {
					seen[i] = 77 // nothing looks there
				}
			}
			if over.Holds(seen, net.Transitions(), forbidden(t)) != want {
				t.Fatalf("%+v over places is not %t in %v", over, want, seen)
			}
			slices.Reverse(seen)
			if renamed.Holds(seen, net.Transitions(), forbidden(t)) != want {
				t.Fatalf("%+v renamed is not %t in %v", renamed, want, seen)
			}
		}
	})
	if looking == 0 {
		t.Error("no predicate looks at deadlocks")
	}
}

// TestDeadlockIsWrittenOnce: a predicate that has deadlock many times gets one copy of what that is in the net, and its bytes are asked for
// as if each had its own.
func TestDeadlockIsWrittenOnce(t *testing.T) {
	const times = 100
	net := petritest.Grid(6)
	p := &logic.Predicate{Operator: logic.And}
	for range times {
		p.Operands = append(p.Operands, rephrase.Not(&logic.Predicate{Operator: logic.Deadlocked}))
	}
	nodes := make(map[*logic.Predicate]bool)
	var count func(p *logic.Predicate)
	count = func(p *logic.Predicate) {
		nodes[p] = true
		for _, o := range p.Operands {
			count(o)
		}
	}
	over := rephrase.DeadlockOverPlaces(net, p)
	count(over)
	if most := 1 + times + 3*net.Transitions() + net.Arcs(); len(nodes) > most {
		t.Errorf("%d nodes, want %d or fewer", len(nodes), most)
	}
	if bytes, least := rephrase.BytesOfDeadlockOverPlaces(net, p), times*net.Transitions()*int(unsafe.Sizeof(*p)); bytes < least {
		t.Errorf("%d bytes, want %d or more", bytes, least)
	}
}

// TestNodes compares predicates about nodes that several nodes of a net stand for with what
// they are over that net's: here node i stands for 2i and 2i+1, whose tokens add up, and the
// last place and transition for none.
func TestNodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		if net.Places() == 0 || net.Transitions() == 0 {
			return
		}
		p := checkertest.Goal(t, net, 3)
		pairs := func(n int) [][]uint32 {
			list := make([][]uint32, n)
			for i := range uint32(n - 1) {
				list[i] = []uint32{2 * i, 2*i + 1}
			}
			return list
		}
		nodes := &rephrase.Nodes{Places: pairs(net.Places()), Transitions: pairs(net.Transitions())}
		same := rephrase.SameNodes(net.Places(), net.Transitions())
		if same.Predicate(p) != p {
			t.Fatal("a predicate about the net itself is another one")
		}
		q := nodes.Predicate(p)
		for _, m := range g.Markings {
			twice := make(petri.Marking, 2*net.Places())
			sums := slices.Clone(m)
			for i := range m {
				twice[2*i], twice[2*i+1] = m[i]/2, m[i]-m[i]/2
			}
			sums[len(sums)-1] = 0
			last := uint32(net.Transitions() - 1)
			want := p.Holds(sums, net.Transitions(), func(t uint32) bool { return t != last && net.Enabled(m, petri.Transition(t)) })
			got := q.Holds(twice, 2*net.Transitions(), func(t uint32) bool {
				return t/2 != last && t%2 == 1 && net.Enabled(m, petri.Transition(t/2))
			})
			if rephrase.LooksAtDeadlock(p) {
				continue // all transitions of the net are asked for that, of any node
			}
			if got != want {
				t.Fatalf("%+v about nodes is %t, over the net %t", p, want, got)
			}
		}
	})
}

// TestBefore: where a marking of a random net has a successor with a predicate, what Before says
// of it holds.
func TestBefore(t *testing.T) {
	told := 0
	if !petritest.CheckUntil(t, func() bool { return told > 1000 }, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		p := checkertest.Goal(t, net, 2)
		before := rephrase.Before(net, p)
		for i, m := range g.Markings {
			now := holds(net, m, before)
			if !now {
				told++
			}
			for _, e := range g.Edges[i] {
				if holds(net, g.Markings[e.To], p) && !now {
					t.Fatalf("%+v holds after %v, but before it not %+v", p, m, before)
				}
			}
		}
	}) {
		t.Errorf("%d markings are told to have no such successor", told)
	}
}

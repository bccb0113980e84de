package stateequation

import (
	"context"
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
)

// TestTraps: the largest trap among some places is the union of all there are by the definition, and
// a small one is marked, has no smaller marked one in it, and keeps its tokens in each firing.
func TestTraps(t *testing.T) {
	smaller, resets := 0, 0
	if !petritest.CheckUntil(t, func() bool { return smaller > 20 && resets > 20 }, func(t *rapid.T) {
		net := rapid.OneOf(petritest.AnyNet(), petritest.Net()).Draw(t, "net")
		e := New(context.Background(), net)
		if e == nil || net.Places() > 10 {
			return
		}
		var isTrap []uint // each trap as a set of bits
		for set := range uint(1) << net.Places() {
			if isATrap(net, set) {
				isTrap = append(isTrap, set)
			}
		}
		for range 3 { // what one search leaves behind does not disturb the next
			among := rapid.UintRange(0, 1<<net.Places()-1).Draw(t, "among")
			union := uint(0)
			for _, set := range isTrap {
				if set&^among == 0 {
					union |= set
				}
			}
			largest := e.largestTrap(listOf(net, among))
			if setOf(largest) != union {
				t.Fatalf("%v is the largest trap among %b, not %b", largest, among, union)
			}
			if !e.marked(largest) {
				continue
			}
			small := setOf(e.smallTrap(context.Background(), largest))
			if small&^union != 0 || !isATrap(net, small) || !e.marked(listOf(net, small)) {
				t.Fatalf("%b is no marked trap in %b", small, union)
			}
			for _, set := range isTrap {
				if set != small && set&^small == 0 && e.marked(listOf(net, set)) {
					t.Fatalf("%b is smaller than %b", set, small)
				}
			}
			if small != union {
				smaller++
			}
			if net.HasResets() {
				resets++
			}
		}
	}) {
		t.Errorf("%d traps are smaller than the largest, %d in nets with resets", smaller, resets)
	}
}

// isATrap follows the definition.
func isATrap(net *petri.Net, set uint) bool {
	for t := range petri.Transition(net.Transitions()) {
		takes, gives := false, false
		for _, a := range net.Pre(t) {
			takes = takes || set>>a.Place&1 == 1
		}
		for _, p := range net.Resets(t) {
			takes = takes || set>>p&1 == 1
		}
		for _, a := range net.Post(t) {
			gives = gives || set>>a.Place&1 == 1
		}
		if takes && !gives {
			return false
		}
	}
	return true
}

func listOf(net *petri.Net, set uint) (list []petri.Place) {
	for p := range petri.Place(net.Places()) {
		if set>>p&1 == 1 {
			list = append(list, p)
		}
	}
	return list
}

func setOf(list []petri.Place) (set uint) {
	for _, p := range list {
		set |= 1 << p
	}
	if bits.OnesCount(set) != len(list) {
		panic("a place twice")
	}
	return set
}

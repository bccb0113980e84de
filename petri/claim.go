package petri

import (
	"fmt"
	"slices"
)

// A FalseClaim names a unit that is not safe though the net's structure claims so: some
// reachable marking has more than one token in the unit's own places. Whatever rests on
// such a claim is checked. So a false claim costs time and memory, but never a right
// answer.
type FalseClaim struct {
	Unit string
	unit int // its number
}

// String returns a line that says what is claimed, and why it is false.
func (c *FalseClaim) String() string {
	return fmt.Sprintf("the net claims that unit %q is safe, which is false: its places can have two tokens at a time", c.Unit)
}

// FalseClaim returns a claim of the net's units that was found to be false so far, or nil. Of
// several it is that of the first unit, in whatever order they were found. Safe for concurrent use.
func (n *Net) FalseClaim() *FalseClaim {
	if n.nupn == nil {
		return nil
	}
	return n.nupn.refuted.Load()
}

// Refute notes that these places have two tokens at a time in some reachable marking,
// which refutes the claim of the first safe unit that has one of them among its own places.
// It does nothing if there is no such unit. Safe for concurrent use.
func (n *Net) Refute(places ...Place) {
	if n.nupn == nil || !n.nupn.Safe {
		return
	}
	for i, u := range n.nupn.Units {
		for _, p := range u.Places {
			if slices.Contains(places, p) {
				n.nupn.refute(&FalseClaim{u.ID, i})
				return
			}
		}
	}
}

// RefuteAs notes the claim that was found to be false of another net, whose units are those of n under the
// same numbers, with places that stand for those of n. Safe for concurrent use.
func (n *Net) RefuteAs(other *Net) {
	if c := other.FalseClaim(); c != nil && n.nupn != nil {
		n.nupn.refute(c)
	}
}

// refute notes c, unless a claim of an earlier unit was noted.
func (n *NUPN) refute(c *FalseClaim) {
	for {
		known := n.refuted.Load()
		if known != nil && known.unit <= c.unit || n.refuted.CompareAndSwap(known, c) {
			return
		}
	}
}

// RefuteInitially notes a claim that the initial marking refutes, if there is one.
func (n *Net) RefuteInitially() {
	if n.nupn == nil || !n.nupn.Safe {
		return
	}
	for _, u := range n.nupn.Units {
		tokens := int64(0)
		for _, p := range u.Places {
			if tokens += min(2, n.InitialTokens(p)); tokens > 1 {
				n.Refute(p)
				return
			}
		}
	}
}

package petri

import (
	"cmp"
	"slices"
)

// ruleOrder keeps the edges of a state in one order while layouts are widened.
//
// The problem. Rules are tried bucket by bucket, so the order of a state's edges is that of the
// layout. A claim that turns out false splits a group, and its rules are filed elsewhere. A state
// whose edges are not kept, and are found once before that and once after it, would have them in two
// orders. Who has followed the first three edges goes on with the fourth: one edge would be followed
// twice, and another never. A selection, too, may choose others among the same transitions.
//
// The idea. The order of the first layout counts. Where that of a wider one is another, the rules that
// are enabled are sorted. Nothing is sorted, nor kept, before that.
//
// Transitions that have no rule in the first layout come last: they are enabled in no marking that
// it holds.
type ruleOrder struct {
	rank    []uint32 // of each transition; nil while there was but one layout
	mixed   bool     // the rules of the present layout lie in another order
	noted   bool     // enabled is asked for
	enabled []uint32 // the rules that are enabled in the last marking looked at
}

// begin notes the order of the rules of the first layout.
func (o *ruleOrder) begin(f *firing) {
	if o.rank != nil {
		return
	}
	transitions := f.layout.net.Transitions()
	o.rank = make([]uint32, transitions)
	for t := range o.rank {
		o.rank[t] = uint32(transitions + t)
	}
	for i := range f.rules {
		o.rank[f.rules[i].transition] = uint32(i)
	}
}

// follow notes whether the rules of a wider layout lie in another order.
func (o *ruleOrder) follow(f *firing) {
	o.mixed = !slices.IsSortedFunc(f.rules, func(a, b rule) int {
		return cmp.Compare(o.rank[a.transition], o.rank[b.transition])
	})
}

// sort sorts the numbers of rules.
func (o *ruleOrder) sort(f *firing, rules []uint32) {
	slices.SortFunc(rules, func(a, b uint32) int {
		return cmp.Compare(o.rank[f.rules[a].transition], o.rank[f.rules[b].transition])
	})
}

// successors does what those of f does, in the order of the first layout.
func (o *ruleOrder) successors(f *firing, packed []uint64, implied []int64, out *[]uint64, c *cursor) int {
	o.enabled = f.enabledRules(packed, implied, o.enabled[:0])
	if o.mixed {
		o.sort(f, o.enabled)
	}
	most := len(*out) + batchWords
	for int(c.rule) < len(o.enabled) {
		if len(*out) >= most {
			return -1
		}
		r := o.enabled[c.rule]
		if narrow := f.fireAll(r, r+1, packed, implied, out); narrow >= 0 {
			return narrow
		}
		c.rule++
	}
	c.part = len(f.indexed) + 1
	return -1
}

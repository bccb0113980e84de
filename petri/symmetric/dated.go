package symmetric

import (
	"math"
	"slices"
)

// A plan binds the variables of a transition one after the other, and what a conjunct of the guard
// says of those that are bound is tested at once. With x bound, x = 1 ∧ y = 2 says x = 1, and
// x = 1 ∨ y = 2 says nothing. What it says holds wherever the conjunct does, whatever the others are,
// so that a binding which fails it can be given up.
//
// A disjunction of conjunctions says more with each variable. To write down anew what it says at each
// step would take the square of its length. So it is written down once, with dates: the step from
// which on each part says something. A comparison does once its variables are bound, a disjunction
// once all its operands do, and a conjunction once one of them does. Operands of a conjunction are
// sorted by date. A test at some step goes through the parts that are dated up to then, and ends at
// the first later one.

// dated is a guard in normal form with dates. Dates are numbers of steps; 0 is that of the trigger.
type dated struct {
	date     int32
	operator Operator // And, Or, or that of leaf
	leaf     *Guard   // a comparison or the negation of one; nil for And and Or
	operands []dated  // of And ascending by date
}

// never is the date of what says nothing, as an empty conjunction.
const never = math.MaxInt32

// test is what a guard says of the variables that are bound at date.
type test struct {
	guard *dated
	date  int32
}

// dating gives dates to the parts of guards.
type dating struct {
	dates []int32 // of the variables
	said  []int32 // the dates from which on comparisons are looked at
}

// leaf returns the date of a comparison or of a negated one.
func (d *dating) leaf(g *Guard) int32 {
	if g.Operator == Not {
		g = g.Operands[0]
	}
	date := int32(0)
	if g.Left.Kind == Variable {
		date = d.dates[g.Left.Variable]
	}
	if g.Right.Kind == Variable {
		date = max(date, d.dates[g.Right.Variable])
	}
	return date
}

// of returns g with dates.
func (d *dating) of(g *Guard) dated {
	if g.Operator > Or {
		return dated{date: d.leaf(g), operator: g.Operator, leaf: g}
	}
	n := dated{operator: g.Operator, operands: make([]dated, len(g.Operands))}
	if g.Operator == And {
		n.date = never
	}
	for i, o := range g.Operands {
		n.operands[i] = d.of(o)
		if date := n.operands[i].date; g.Operator == And {
			n.date = min(n.date, date)
		} else {
			n.date = max(n.date, date)
		}
	}
	if g.Operator == And {
		slices.SortStableFunc(n.operands, func(a, b dated) int { return int(a.date) - int(b.date) })
	}
	return n
}

// say appends to said for each comparison of n the date from which on it is looked at: its own, or that
// of a part around it if that is later, such as since.
func (d *dating) say(n *dated, since int32) {
	since = max(since, n.date)
	if n.leaf != nil && since < never {
		d.said = append(d.said, since)
	}
	for i := range n.operands {
		d.say(&n.operands[i], since)
	}
}

// holds reports whether what n says at date now, which is not before its own, holds.
func (n *dated) holds(binding []int64, now int32) bool {
	switch {
	case n.leaf != nil:
		return n.leaf.Holds(binding)
	case n.operator == Or:
		for i := range n.operands {
			if n.operands[i].holds(binding, now) {
				return true
			}
		}
		return false
	}
	for i := range n.operands {
		o := &n.operands[i]
		if o.date > now {
			break
		}
		if !o.holds(binding, now) {
			return false
		}
	}
	return true
}

// narrow does what Guard.narrow does, for what n says at date now. With y = 4, x < y ∧ x ≥ 2 narrows
// 0 to below 100 to 2 to below 4.
func (n *dated) narrow(variable int, binding []int64, low, high int64, now int32) (int64, int64) {
	switch {
	case n.leaf != nil:
		return n.leaf.narrow(variable, binding, low, high)
	case n.operator == Or:
		from, to := high, low
		for i := range n.operands {
			if l, h := n.operands[i].narrow(variable, binding, low, high, now); l < h {
				from, to = min(from, l), max(to, h)
			}
		}
		return from, to
	}
	for i := range n.operands {
		o := &n.operands[i]
		if o.date > now {
			break
		}
		low, high = o.narrow(variable, binding, low, high, now)
	}
	return low, high
}

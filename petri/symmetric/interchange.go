package symmetric

import (
	"fmt"
	"slices"
)

// interchangeable returns groups of variables of t that can change places without changing guard or
// arcs. Bindings that differ only by that do the same, so that one of them, with ascending colours,
// is enough. For example, if t takes x and y from p and its guard is x ≠ y, the bindings (1, 2) and
// (2, 1) do the same. With k variables in a group there are up to k! bindings that become one.
//
// Two variables can change places if the guard and the arcs, written down in an order that does not
// depend on how they were written, are the same text with the two names exchanged. That overlooks
// some, but never takes two that differ. Only the parts that have one of the two need be written down:
// monomials of arcs, and operands of the guard if it is a conjunction.
//
// Groups have at least two members, ascending. It takes the variables times the length of guard and
// arcs. The limits are asked for that; if one is reached, groups may be missing.
func (t *Transition) interchangeable(limits planLimits) [][]int {
	x := newExchange(t, limits)
	var groups [][]int
	grouped := make([]bool, len(t.Variables))
	for i := range t.Variables {
		if grouped[i] {
			continue
		}
		group := []int{i}
		for j := i + 1; j < len(t.Variables); j++ {
			if !x.goesOn(1, 0) {
				return groups
			}
			if !grouped[j] && t.Variables[i].Class == t.Variables[j].Class && x.leavesAll(i, j) {
				group = append(group, j)
				grouped[j] = true
			}
		}
		if len(group) > 1 {
			groups = append(groups, group)
		}
	}
	return groups
}

// exchange finds out what changes if two variables change places.
type exchange struct {
	parts  []part
	users  uses  // parts, by their variables; each once
	names  []int // of the variables
	limits planLimits
	over   bool // a limit was reached
}

// part is a part of a transition: a guard, or a monomial of an arc.
type part struct {
	guard *Guard // nil for a monomial
	side  int    // of the arc
	place int
	Monomial
}

// What it takes to list a part, in a list that doubles, and to write a term down.
const (
	partOfExchangeBytes = 200
	termText            = 12 // as much as so many comparisons of guards
)

// newExchange lists the parts of a transition.
func newExchange(t *Transition, limits planLimits) *exchange {
	x := &exchange{names: make([]int, len(t.Variables)), limits: limits}
	for i := range x.names {
		x.names[i] = i
	}
	add := func(p part) {
		if x.goesOn(1, partOfExchangeBytes) {
			x.parts = append(x.parts, p)
		}
	}
	switch {
	case t.Guard == nil:
	case t.Guard.Operator == And:
		for _, o := range t.Guard.Operands {
			add(part{guard: o})
		}
	default:
		add(part{guard: t.Guard})
	}
	for side, arcs := range [][]Arc{t.Pre, t.Post} {
		for _, a := range arcs {
			for _, m := range a.Expression {
				add(part{side: side, place: a.Place, Monomial: m})
			}
		}
	}
	last := make([]int, len(t.Variables)) // the part that has a variable, from 1 on
	x.users = usesOf(len(t.Variables), func(use func(variable, user int)) {
		clear(last)
		for i := range x.parts {
			note := func(term Term) {
				if v := term.Variable; term.Kind == Variable && last[v] != i+1 && x.goesOn(1, 8) {
					last[v] = i + 1
					use(v, i)
				}
			}
			for _, term := range x.parts[i].Terms {
				note(term)
			}
			if g := x.parts[i].guard; g != nil {
				g.eachTerm(note)
			}
		}
	})
	return x
}

// goesOn asks the limits, and reports whether none was reached so far.
func (x *exchange) goesOn(work, bytes int) bool {
	x.over = x.over || !x.limits.look(work) || !x.limits.reserve(bytes)
	return !x.over
}

// eachTerm calls visit with both sides of all comparisons.
func (g *Guard) eachTerm(visit func(Term)) {
	for _, o := range g.Operands {
		o.eachTerm(visit)
	}
	if g.Operator >= Equal {
		visit(g.Left.Term)
		visit(g.Right.Term)
	}
}

// leavesAll reports whether guard and arcs are the same with two variables exchanged. So are the parts
// that have none of the two.
func (x *exchange) leavesAll(i, j int) bool {
	if len(x.users.of(i)) != len(x.users.of(j)) {
		return false
	}
	parts := slices.Concat(x.users.of(i), x.users.of(j))
	slices.Sort(parts)
	parts = slices.Compact(parts)
	texts := func() []string {
		var list []string
		for _, k := range parts {
			list = append(list, x.text(&x.parts[k]))
		}
		slices.Sort(list)
		return list
	}
	before := texts()
	x.names[i], x.names[j] = j, i
	after := texts()
	x.names[i], x.names[j] = i, j
	return !x.over && slices.Equal(before, after)
}

// text writes a part down, in an order that does not depend on how it was written.
func (x *exchange) text(p *part) string {
	if p.guard != nil {
		return x.guard(p.guard)
	}
	list := make([]string, len(p.Terms))
	for i, term := range p.Terms {
		list[i] = x.term(term)
	}
	return x.written(fmt.Sprint(p.side, p.place, p.Coefficient, list))
}

// written charges for a text that was made of others, and returns it.
func (x *exchange) written(text string) string {
	x.goesOn(1+len(text)/16, len(text))
	return text
}

// term writes a term.
func (x *exchange) term(t Term) string {
	if !x.goesOn(termText, 0) {
		return ""
	}
	if t.Kind == Variable {
		return fmt.Sprint("x", x.names[t.Variable], "+", t.Value)
	}
	return fmt.Sprint("k", t.Kind, ":", t.Value)
}

// guard writes a guard. Operands of And, Or and Equal are sorted.
func (x *exchange) guard(g *Guard) string {
	if g == nil || x.over {
		return ""
	}
	if g.Operator >= Equal {
		sides := []string{x.term(g.Left.Term), x.term(g.Right.Term)}
		for i, o := range []*Operand{&g.Left, &g.Right} {
			if o.Element != nil {
				sides[i] += fmt.Sprintf("in%p", o.Element) // one partition, one slice
			}
		}
		if g.Operator == Equal {
			slices.Sort(sides)
		}
		return x.written(fmt.Sprint(g.Operator, sides))
	}
	var parts []string
	for _, o := range g.Operands {
		parts = append(parts, x.guard(o))
	}
	slices.Sort(parts)
	return x.written(fmt.Sprint(g.Operator, parts))
}

package symmetric

import "slices"

// plan is an order in which to bind the variables of a transition, chosen once
// and then run for each token that may complete a binding: match arcs against
// the colours that places may hold, follow equations of the guard, and
// enumerate classes only where neither helps, between the limits that the guard
// sets. Each part of the guard is tested as soon as its variables are bound, and of
// a disjunction what it says of those that are.
type plan struct {
	trigger *atom // the arc that the new token matches; nil for none
	steps   []step
	before  []*Guard // tested when the trigger is matched
}

// atom is a monomial of an input arc without All: it needs a token whose colour
// is the tuple of its terms.
type atom struct {
	place int
	terms []Term
	order int // among the atoms of the transition
}

// step binds variables. Exactly one of the three ways is set.
type step struct {
	match    *matching
	equation *equation
	variable int // enumerate the class of this variable
	tests    []*Guard
}

// equation binds variable to the colour of an operand, steps back.
type equation struct {
	variable int
	steps    int64
	other    *Operand
}

// matching looks up an atom with those tuples that have the colours of the
// terms that are bound already.
type matching struct {
	atom  *atom
	index *index
	bound []int // positions in atom.terms that are bound before
	free  []int // positions of the others
}

// planner makes plans for one transition.
type planner struct {
	net        *Net
	transition *Transition
	atoms      []*atom
	conjuncts  []*Guard
	register   func(place int, positions []int) *index
}

// newPlanner plans for t, with further conditions beside its guard.
func newPlanner(net *Net, t *Transition, conditions []*Guard, register func(int, []int) *index) *planner {
	p := &planner{net: net, transition: t, register: register}
	p.conjuncts = slices.Concat(t.Guard.conjuncts(), conditions)
	for _, arc := range t.Pre {
		if hasNegative(arc.Expression) {
			continue
		}
		for _, m := range arc.Expression {
			if !hasAll(m) {
				p.atoms = append(p.atoms, &atom{arc.Place, m.Terms, len(p.atoms)})
			}
		}
	}
	return p
}

func hasNegative(e Expression) bool {
	for _, m := range e {
		if m.Coefficient < 0 {
			return true
		}
	}
	return false
}

func hasAll(m Monomial) bool {
	for _, t := range m.Terms {
		if t.Kind == All {
			return true
		}
	}
	return false
}

// plan makes the plan that starts from trigger. With useAtoms unset no arc is
// matched: all bindings that the guard allows come out.
func (p *planner) plan(trigger *atom, useAtoms bool) *plan {
	bound := make([]bool, len(p.transition.Variables))
	tested := make([]int, len(p.conjuncts))
	for i := range tested {
		tested[i] = -1
	}
	result := &plan{trigger: trigger}
	left := map[*atom]bool{}
	if useAtoms {
		for _, a := range p.atoms {
			left[a] = a != trigger
		}
	}
	if trigger != nil {
		bindTerms(trigger.terms, bound)
	}
	result.before = p.ready(bound, tested)
	for {
		next := p.equation(bound)
		if next == nil {
			next = p.match(left, bound)
		}
		if next == nil {
			next = p.enumerate(bound)
		}
		if next == nil {
			return result
		}
		next.tests = p.ready(bound, tested)
		result.steps = append(result.steps, *next)
	}
}

func bindTerms(terms []Term, bound []bool) {
	for _, t := range terms {
		if t.Kind == Variable {
			bound[t.Variable] = true
		}
	}
}

// ready lists what the conjuncts say of the variables that are bound now, unless it
// has as many comparisons as what was tested of them before: then it is the same.
func (p *planner) ready(bound []bool, tested []int) []*Guard {
	var list []*Guard
	for i, g := range p.conjuncts {
		if part := g.within(bound); part != nil && part.comparisons() != tested[i] {
			tested[i] = part.comparisons()
			list = append(list, part)
		}
	}
	return list
}

// equation finds a variable that the guard determines.
func (p *planner) equation(bound []bool) *step {
	for _, g := range p.conjuncts {
		for v := range bound {
			if bound[v] {
				continue
			}
			steps, other := g.determines(v)
			if other != nil && (other.Kind == Constant || bound[other.Variable]) {
				bound[v] = true
				return &step{equation: &equation{v, steps, other}, variable: -1}
			}
		}
	}
	return nil
}

// match chooses the atom with the fewest terms that are not bound, which is a
// mere test if there are none.
func (p *planner) match(left map[*atom]bool, bound []bool) *step {
	var best *matching
	for _, a := range p.atoms {
		if !left[a] {
			continue
		}
		m := &matching{atom: a}
		for i, t := range a.terms {
			if t.Kind == Constant || bound[t.Variable] {
				m.bound = append(m.bound, i)
			} else {
				m.free = append(m.free, i)
			}
		}
		// An atom with no term bound multiplies: it is still better than to
		// enumerate classes, since places hold few of their colours.
		if best == nil || len(m.free) < len(best.free) ||
			len(m.free) == len(best.free) && len(m.bound) > len(best.bound) {
			best = m
		}
	}
	if best == nil {
		return nil
	}
	left[best.atom] = false
	best.index = p.register(best.atom.place, best.bound)
	bindTerms(best.atom.terms, bound)
	return &step{match: best, variable: -1}
}

// enumerate chooses the free variable with the smallest class.
func (p *planner) enumerate(bound []bool) *step {
	best := -1
	for v := range bound {
		if !bound[v] && (best < 0 || p.transition.Variables[v].Class.Size < p.transition.Variables[best].Class.Size) {
			best = v
		}
	}
	if best < 0 {
		return nil
	}
	bound[best] = true
	return &step{variable: best}
}

package symmetric

import "slices"

// plan is an order in which to bind the variables of a transition. It is chosen once, and then run
// for each token that may complete a binding.
//
// The problem. A transition with four variables over a class of a thousand colours has 10^12
// bindings. Perhaps a thousand of these have their tokens and satisfy the guard. Databases call
// this a join. Input arcs are the relations, tokens are their rows, and the relations are joined
// by the variables that several arcs share.
//
// The idea. Bind as much as possible by what is known already. There are three ways to bind a
// variable, and the first that applies is taken:
//
//  1. The guard says what it is, as in x = y + 1 with y bound: one colour.
//  2. An input arc takes a token with it: the tokens that have the right colours at the positions
//     which are bound, looked up in an index. Of several arcs the one with fewest unbound positions
//     is taken.
//  3. Nothing helps: all colours of its class, but only between the limits that the guard sets
//     (narrow).
//
// For example, t takes (x, y) from p and (y, z) from q, with the guard z ≠ x. A new token (1, 2) on
// p triggers the plan: x = 1 and y = 2. Next the arc from q has one position bound: the index of q
// by its first position gives the tokens with y = 2. Each binds z, and the guard is tested at once.
//
// Each part of the guard is tested as soon as its variables are bound, and of a disjunction what it
// says of those that are.
type plan struct {
	trigger *atom // the arc that the new token matches; nil for none
	steps   []step
	before  []*Guard // tested when the trigger is matched
	work    int      // comparisons of before
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
	work     int // comparisons of tests
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

// planner makes the plans of one transition: one for each input arc from which a new token may come.
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

// hasNegative reports whether something is subtracted in e.
func hasNegative(e Expression) bool {
	for _, m := range e {
		if m.Coefficient < 0 {
			return true
		}
	}
	return false
}

// hasAll reports whether m stands for several tuples.
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
	result.before, result.work = p.ready(bound, tested)
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
		next.tests, next.work = p.ready(bound, tested)
		result.steps = append(result.steps, *next)
	}
}

// bindTerms sets bound for the variables of terms.
func bindTerms(terms []Term, bound []bool) {
	for _, t := range terms {
		if t.Kind == Variable {
			bound[t.Variable] = true
		}
	}
}

// ready returns the tests that can be made now: what the conjuncts say of the variables that are
// bound. A test with as many comparisons as the last one of the same conjunct is the same, and is
// left out. It also returns how many comparisons they make together.
func (p *planner) ready(bound []bool, tested []int) (list []*Guard, work int) {
	for i, g := range p.conjuncts {
		if part := g.within(bound); part != nil && part.comparisons() != tested[i] {
			tested[i] = part.comparisons()
			list = append(list, part)
			work += tested[i]
		}
	}
	return list, work
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

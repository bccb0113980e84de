package symmetric

import "slices"

// The naive twin of planner goes through all conjuncts, atoms and variables for each step, and writes
// down anew what the guard says.

type naivePlan struct {
	trigger *atom
	steps   []naiveStep
	before  []*Guard
	work    int
}

type naiveStep struct {
	match    *matching
	equation *equation
	variable int
	tests    []*Guard
	work     int
}

// naivePlanner makes the plans of one transition: one for each input arc from which a new token may come.
type naivePlanner struct {
	net        *Net
	transition *Transition
	atoms      []*atom
	conjuncts  []*Guard
	register   func(place int, positions []int) *index
}

// newNaivePlanner plans for t, with further conditions beside its guard.
func newNaivePlanner(net *Net, t *Transition, conditions []*Guard, register func(int, []int) *index) *naivePlanner {
	p := &naivePlanner{net: net, transition: t, register: register}
	p.conjuncts = slices.Concat(naiveConjuncts(t.Guard), conditions)
	for _, arc := range t.Pre {
		if arc.Expression.Subtracts() {
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

// plan makes the plan that starts from trigger. With useAtoms unset no arc is
// matched: all bindings that the guard allows come out.
func (p *naivePlanner) plan(trigger *atom, useAtoms bool) *naivePlan {
	bound := make([]bool, len(p.transition.Variables))
	tested := make([]int, len(p.conjuncts))
	for i := range tested {
		tested[i] = -1
	}
	result := &naivePlan{trigger: trigger}
	left := map[*atom]bool{}
	if useAtoms {
		for _, a := range p.atoms {
			left[a] = a != trigger
		}
	}
	if trigger != nil {
		naiveBindTerms(trigger.terms, bound)
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

// naiveBindTerms sets bound for the variables of terms.
func naiveBindTerms(terms []Term, bound []bool) {
	for _, t := range terms {
		if t.Kind == Variable {
			bound[t.Variable] = true
		}
	}
}

// ready returns the tests that can be made now: what the conjuncts say of the variables that are
// bound. A test with as many comparisons as the last one of the same conjunct is the same, and is
// left out. It also returns how many comparisons they make together.
func (p *naivePlanner) ready(bound []bool, tested []int) (list []*Guard, work int) {
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
func (p *naivePlanner) equation(bound []bool) *naiveStep {
	for _, g := range p.conjuncts {
		for v := range bound {
			if bound[v] {
				continue
			}
			steps, other := g.determines(v)
			if other != nil && (other.Kind == Constant || bound[other.Variable]) {
				bound[v] = true
				return &naiveStep{equation: &equation{v, steps, other}, variable: -1}
			}
		}
	}
	return nil
}

// match chooses the atom with the fewest terms that are not bound, which is a
// mere test if there are none.
func (p *naivePlanner) match(left map[*atom]bool, bound []bool) *naiveStep {
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
	naiveBindTerms(best.atom.terms, bound)
	return &naiveStep{match: best, variable: -1}
}

// enumerate chooses the free variable with the smallest class.
func (p *naivePlanner) enumerate(bound []bool) *naiveStep {
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
	return &naiveStep{variable: best}
}

func naiveConjuncts(g *Guard) []*Guard {
	if g == nil {
		return nil
	}
	if g = g.naiveNormal(false); g.Operator == And {
		return g.Operands
	}
	return []*Guard{g}
}

// naiveNormal returns g, or if negated its negation, in a form in which Not stands before equations
// only, and And and Or neither nest in themselves nor have one operand. Not (x < y) becomes y ≤ x,
// for example.
func (g *Guard) naiveNormal(negated bool) *Guard {
	switch g.Operator {
	case Not:
		return g.Operands[0].naiveNormal(!negated)
	case And, Or:
		n := &Guard{Operator: g.Operator}
		if negated {
			n.Operator = And + Or - g.Operator
		}
		for _, o := range g.Operands {
			if o = o.naiveNormal(negated); o.Operator == n.Operator {
				n.Operands = append(n.Operands, o.Operands...)
			} else {
				n.Operands = append(n.Operands, o)
			}
		}
		if len(n.Operands) == 1 {
			return n.Operands[0]
		}
		return n
	}
	switch {
	case !negated:
		return g
	case g.Operator == Less:
		return &Guard{Operator: AtMost, Left: g.Right, Right: g.Left}
	case g.Operator == AtMost:
		return &Guard{Operator: Less, Left: g.Right, Right: g.Left}
	}
	return &Guard{Operator: Not, Operands: []*Guard{g}}
}

// within returns what g, in normal form, says of the variables that are bound. It holds wherever g
// does, whatever the others are, so that a binding which fails it can be given up at once. With x
// bound, x = 1 ∧ y = 2 says x = 1, and x = 1 ∨ y = 2 says nothing. It returns nil for nothing.
func (g *Guard) within(bound []bool) *Guard {
	switch g.Operator {
	case And, Or:
		n := &Guard{Operator: g.Operator}
		for _, o := range g.Operands {
			part := o.within(bound)
			if part == nil && g.Operator == Or {
				return nil
			}
			if part != nil {
				n.Operands = append(n.Operands, part)
			}
		}
		if g.Operator == And && len(n.Operands) == 0 {
			return nil
		}
		return n
	case Not:
		if g.Operands[0].within(bound) == nil {
			return nil
		}
		return g
	}
	for _, o := range []*Operand{&g.Left, &g.Right} {
		if o.Kind == Variable && !bound[o.Variable] {
			return nil
		}
	}
	return g
}

// comparisons returns how many g has.
func (g *Guard) comparisons() int {
	if g.Operator >= Equal {
		return 1
	}
	count := 0
	for _, o := range g.Operands {
		count += o.comparisons()
	}
	return count
}

// determines returns the operand that the variable's colour, moved on by steps, must equal for the
// guard to hold. It returns nil if the guard is no equation for the variable.
func (g *Guard) determines(variable int) (steps int64, other *Operand) {
	if g.Operator != Equal || g.Left.Element != nil || g.Right.Element != nil {
		return 0, nil
	}
	for _, sides := range [][2]*Operand{{&g.Left, &g.Right}, {&g.Right, &g.Left}} {
		this, other := sides[0], sides[1]
		if this.Kind == Variable && this.Variable == variable &&
			!(other.Kind == Variable && other.Variable == variable) {
			return this.Value, other
		}
	}
	return 0, nil
}

// naiveNarrow narrows the interval of colours from low to below high. Outside of the result, g cannot
// hold. g is in normal form, and all variables but the given one are bound. Colours inside must
// still be tested. For example, with y = 4, x < y ∧ x ≥ 2 narrows 0 to below 100 to 2 to below 4.
func (g *Guard) naiveNarrow(variable int, binding []int64, low, high int64) (int64, int64) {
	switch {
	case g.Operator == And:
		for _, o := range g.Operands {
			low, high = o.naiveNarrow(variable, binding, low, high)
		}
		return low, high
	case g.Operator == Or:
		from, to := high, low
		for _, o := range g.Operands {
			if l, h := o.naiveNarrow(variable, binding, low, high); l < h {
				from, to = min(from, l), max(to, h)
			}
		}
		return from, to
	}
	equation := g
	if g.Operator == Not {
		equation = g.Operands[0]
	}
	is := func(o *Operand) bool { return o.Kind == Variable && o.Variable == variable }
	this, other := &equation.Left, &equation.Right
	isLeft, isRight := is(this), is(other)
	switch {
	case !isLeft && !isRight && !g.Holds(binding):
		return low, low
	case isLeft == isRight || g.Operator == Not || this.Element != nil || other.Element != nil:
		return low, high
	case isRight:
		this, other = other, this
	}
	limit := other.Number(binding)
	slack := int64(0)
	if g.Operator == AtMost {
		slack = 1
	}
	switch {
	case g.Operator == Equal:
		colour := (limit - this.Value + this.Class.Size) % this.Class.Size
		low, high = max(low, colour), min(high, colour+1)
	case this.Value != 0: // steps lead from the last colour to the first
	case isLeft:
		high = min(high, limit+slack)
	default:
		low = max(low, limit+1-slack)
	}
	return low, high
}

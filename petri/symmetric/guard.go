package symmetric

// Operator is what the root of a Guard says. It is not logic.Operator: a Guard speaks of the colours of
// one binding, not of markings, and this package needs nothing else of package logic.
type Operator uint8

// The operators of guards.
const (
	And Operator = iota // all operands hold (none: true)
	Or                  // some operand holds (none: false)
	Not                 // the one operand does not hold
	Equal
	Less
	AtMost
)

// Guard is a condition on the colours of variables, as a tree.
type Guard struct {
	Operator    Operator
	Operands    []*Guard // And, Or, Not
	Left, Right Operand  // Equal, Less, AtMost
}

// Operand is a side of a comparison: a constant or variable of Class. Where
// Element is not nil, the colour c counts as number Element[c], that of its
// part in a partition of the class.
type Operand struct {
	Term
	Class   *Class
	Element []int64
}

// eval returns the number that the operand counts as.
func (o *Operand) eval(binding []int64) int64 {
	colour := o.Term.eval(o.Class, binding)
	if o.Element != nil {
		return o.Element[colour]
	}
	return colour
}

// Holds reports whether g holds where variables have the given colours.
func (g *Guard) Holds(binding []int64) bool {
	switch g.Operator {
	case And:
		for _, o := range g.Operands {
			if !o.Holds(binding) {
				return false
			}
		}
		return true
	case Or:
		for _, o := range g.Operands {
			if o.Holds(binding) {
				return true
			}
		}
		return false
	case Not:
		return !g.Operands[0].Holds(binding)
	case Equal:
		return g.Left.eval(binding) == g.Right.eval(binding)
	case Less:
		return g.Left.eval(binding) < g.Right.eval(binding)
	default:
		return g.Left.eval(binding) <= g.Right.eval(binding)
	}
}

// conjuncts returns guards in normal form whose conjunction is g; a nil g has none. Each can be
// tested as soon as its own variables are bound.
func (g *Guard) conjuncts() []*Guard {
	if g == nil {
		return nil
	}
	if g = g.normal(false); g.Operator == And {
		return g.Operands
	}
	return []*Guard{g}
}

// normal returns g, or if negated its negation, in a form in which Not stands before equations
// only, and And and Or neither nest in themselves nor have one operand. Not (x < y) becomes y ≤ x,
// for example.
func (g *Guard) normal(negated bool) *Guard {
	switch g.Operator {
	case Not:
		return g.Operands[0].normal(!negated)
	case And, Or:
		n := &Guard{Operator: g.Operator}
		if negated {
			n.Operator = And + Or - g.Operator
		}
		for _, o := range g.Operands {
			if o = o.normal(negated); o.Operator == n.Operator {
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

// narrow narrows the interval of colours from low to below high. Outside of the result, g cannot
// hold. g is in normal form, and all variables but the given one are bound. Colours inside must
// still be tested. For example, with y = 4, x < y ∧ x ≥ 2 narrows 0 to below 100 to 2 to below 4.
func (g *Guard) narrow(variable int, binding []int64, low, high int64) (int64, int64) {
	switch {
	case g.Operator == And:
		for _, o := range g.Operands {
			low, high = o.narrow(variable, binding, low, high)
		}
		return low, high
	case g.Operator == Or:
		from, to := high, low
		for _, o := range g.Operands {
			if l, h := o.narrow(variable, binding, low, high); l < h {
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
	limit := other.eval(binding)
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

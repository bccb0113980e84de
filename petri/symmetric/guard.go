package symmetric

// Operator is what the root of a Guard says.
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

func (o *Operand) eval(binding []int64) int64 {
	colour := o.Term.eval(o.Class, binding)
	if o.Element != nil {
		return o.Element[colour]
	}
	return colour
}

// Holds tells whether g holds where variables have the given colours.
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

// conjuncts appends the guards whose conjunction g is.
func (g *Guard) conjuncts(list []*Guard) []*Guard {
	if g == nil {
		return list
	}
	if g.Operator != And {
		return append(list, g)
	}
	for _, o := range g.Operands {
		list = o.conjuncts(list)
	}
	return list
}

// variables marks the variables that g reads.
func (g *Guard) variables(used []bool) {
	for _, o := range g.Operands {
		o.variables(used)
	}
	if g.Operator >= Equal {
		for _, o := range []*Operand{&g.Left, &g.Right} {
			if o.Kind == Variable {
				used[o.Variable] = true
			}
		}
	}
}

// determines gives the operand that the variable's colour, moved on by steps,
// must equal for the guard to hold; nil if it is no equation for the variable.
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

// narrow restricts the colours from low to below high, of which the variable is
// to take one, to those between which g can hold, the other variables being
// bound. What remains must be tested still.
func (g *Guard) narrow(variable int, binding []int64, low, high int64) (int64, int64) {
	if g.Operator != Less && g.Operator != AtMost || g.Left.Element != nil || g.Right.Element != nil {
		return low, high
	}
	is := func(o *Operand) bool { return o.Kind == Variable && o.Variable == variable }
	isLeft, isRight := is(&g.Left), is(&g.Right)
	slack := int64(0)
	if g.Operator == AtMost {
		slack = 1
	}
	switch {
	case isLeft && !isRight && g.Left.Value == 0:
		high = min(high, g.Right.eval(binding)+slack)
	case isRight && !isLeft && g.Right.Value == 0:
		low = max(low, g.Left.eval(binding)+1-slack)
	}
	return low, high
}

package symmetric

import "unsafe"

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

// Number returns the number that the operand counts as.
func (o *Operand) Number(binding []int64) int64 {
	colour := o.Term.Colour(o.Class, binding)
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
		return g.Left.Number(binding) == g.Right.Number(binding)
	case Less:
		return g.Left.Number(binding) < g.Right.Number(binding)
	default:
		return g.Left.Number(binding) <= g.Right.Number(binding)
	}
}

// Conjuncts returns guards in normal form whose conjunction is g; a nil g has none. Each can be
// tested as soon as its own variables are bound.
func (g *Guard) Conjuncts() []*Guard {
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
		n := &Guard{Operator: g.Operator.negated(negated)}
		if n.Operands = g.flatten(n.Operator, negated, nil); len(n.Operands) == 1 {
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

// negated returns o, an And or Or, or if negated the operator that its negation has.
func (o Operator) negated(negated bool) Operator {
	if negated {
		return And + Or - o
	}
	return o
}

// flatten appends the normal forms of g's operands, or if negated of their negations, to list. Operands
// of a nested guard that becomes the given operator stand for it. Each is appended once, however deep
// it is.
func (g *Guard) flatten(operator Operator, negated bool, list []*Guard) []*Guard {
	for _, o := range g.Operands {
		negated := negated
		for o.Operator == Not || o.Operator <= Or && len(o.Operands) == 1 {
			negated = negated != (o.Operator == Not)
			o = o.Operands[0]
		}
		if o.Operator <= Or && o.Operator.negated(negated) == operator {
			list = o.flatten(operator, negated, list)
		} else if o = o.normal(negated); o.Operator == operator {
			list = append(list, o.Operands...)
		} else {
			list = append(list, o)
		}
	}
	return list
}

// normalBytes returns about how many bytes normal takes.
func (g *Guard) normalBytes(negated bool) int {
	const node, pointer = int(unsafe.Sizeof(Guard{})), int(unsafe.Sizeof(g))
	switch {
	case g == nil || g.Operator >= Equal && !negated:
		return 0
	case g.Operator >= Equal:
		return node + pointer
	case g.Operator == Not:
		return g.Operands[0].normalBytes(!negated)
	}
	bytes := node + 3*pointer*len(g.Operands)
	for _, o := range g.Operands {
		bytes += o.normalBytes(negated)
	}
	return bytes
}

// isEquation reports whether g says that two colours are equal.
func (g *Guard) isEquation() bool {
	return g.Operator == Equal && g.Left.Element == nil && g.Right.Element == nil
}

// Parts returns how many operators and comparisons g has.
func (g *Guard) Parts() int {
	count := 1
	for _, o := range g.Operands {
		count += o.Parts()
	}
	return count
}

// narrow narrows the interval of colours from low to below high. Outside of the result, g cannot
// hold. g is a comparison or the negation of an equation, and all variables but the given one are
// bound. Colours inside must still be tested. For example, with y = 4, x < y narrows 2 to below 100
// to 2 to below 4.
func (g *Guard) narrow(variable int, binding []int64, low, high int64) (int64, int64) {
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

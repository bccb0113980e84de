package logic

import (
	"math"

	"pnmc/internal/arithmetic"
)

// Simplify returns a predicate that holds in the same markings of non-negative token counts. It
// has no constants below the root, no conjunctions in conjunctions, no disjunctions in
// disjunctions, and no negations of negations or of ≤. Comparisons are divided by what their
// coefficients have in common. It shares unchanged parts with p, which stays as it is.
//
// Token counts are whole numbers and not negative, which decides more than it seems. For example,
// with the comparison of a sum with zero:
//
//	p + q + 1 ≤ 0      false: the left side is positive
//	-p - q ≤ 0         true
//	2p + 4q - 5 ≤ 0    p + 2q - 2 ≤ 0, as half of 5 is 2 in whole numbers
//	2p - 5 = 0         false: 5 is odd
//	!(p - 3 ≤ 0)       4 - p ≤ 0, as p > 3 is p ≥ 4
//
// Where a number would not fit into 64 bits, the predicate stays as it is.
func (p *Predicate) Simplify() *Predicate {
	switch p.Operator {
	case Not:
		return complement(p.Operands[0].Simplify())
	case And:
		return junction(p.Operands, And, True, False)
	case Or:
		return junction(p.Operands, Or, False, True)
	case AtMost, Equal:
		return p.simplifyComparison()
	case PolynomialAtMost, PolynomialEqual:
		return p.simplifyPolynomial()
	case Fireable:
		if len(p.Transitions) == 0 {
			return &Predicate{Operator: False}
		}
	case Equivalent:
		a, b := p.Operands[0].Simplify(), p.Operands[1].Simplify()
		switch {
		case a.Operator == True:
			return b
		case b.Operator == True:
			return a
		case a.Operator == False:
			return complement(b)
		case b.Operator == False:
			return complement(a)
		}
		return &Predicate{Operator: Equivalent, Operands: []*Predicate{a, b}}
	}
	return p
}

// complement returns the negation of the simplified p, simplified.
func complement(p *Predicate) *Predicate {
	switch p.Operator {
	case False:
		return &Predicate{Operator: True}
	case True:
		return &Predicate{Operator: False}
	case Not:
		return p.Operands[0]
	case AtMost: // not S ≤ 0, which is 1-S ≤ 0 for integers
		if constant, ok := arithmetic.Add(1, -p.Sum.Constant); ok && p.Sum.Constant != math.MinInt64 {
			s := Sum{Constant: constant, Terms: make([]Term, len(p.Sum.Terms))}
			for i, t := range p.Sum.Terms {
				if t.Coefficient == math.MinInt64 {
					return negate(p)
				}
				s.Terms[i] = Term{t.Place, -t.Coefficient}
			}
			return (&Predicate{Operator: AtMost, Sum: s}).simplifyComparison()
		}
	case PolynomialAtMost:
		n := p.Polynomial().negative()
		var ok bool
		if n.Sum.Constant, ok = arithmetic.Add(n.Sum.Constant, 1); ok {
			return (&Predicate{Operator: PolynomialAtMost, Sum: n.Sum, Products: n.Products}).simplifyPolynomial()
		}
	}
	return negate(p)
}

// junction simplifies operands joined by operator, whose neutral element is
// unit and to which zero is all.
func junction(operands []*Predicate, operator, unit, zero Operator) *Predicate {
	var kept []*Predicate
	for _, o := range operands {
		switch o = o.Simplify(); o.Operator {
		case unit:
		case zero:
			return &Predicate{Operator: zero}
		case operator:
			kept = append(kept, o.Operands...)
		default:
			kept = append(kept, o)
		}
	}
	switch len(kept) {
	case 0:
		return &Predicate{Operator: unit}
	case 1:
		return kept[0]
	}
	return &Predicate{Operator: operator, Operands: kept}
}

// simplifyComparison decides a comparison whose sides are constants or have
// opposite signs, and divides any other by the common divisor of coefficients.
func (p *Predicate) simplifyComparison() *Predicate {
	s := p.Sum
	positive, negative := s.Constant > 0, s.Constant < 0
	var divisor uint64
	for _, t := range s.Terms {
		positive = positive || t.Coefficient > 0
		negative = negative || t.Coefficient < 0
		divisor = arithmetic.CommonDivisor(divisor, arithmetic.Magnitude(t.Coefficient))
	}
	verdict := func(holds bool) *Predicate {
		if holds {
			return &Predicate{Operator: True}
		}
		return &Predicate{Operator: False}
	}
	switch {
	case len(s.Terms) == 0:
		return verdict(!positive && (p.Operator == AtMost || !negative))
	case p.Operator == AtMost && !positive:
		return verdict(true)
	case s.Constant > 0 && !negative:
		return verdict(false)
	case p.Operator == Equal && s.Constant < 0 && !positive:
		return verdict(false)
	case divisor == 1 || divisor > math.MaxInt64:
		return p
	}
	d := int64(divisor)
	quotient := s.Constant / d
	if s.Constant%d != 0 {
		if p.Operator == Equal {
			return verdict(false)
		}
		if s.Constant > 0 { // Σ ≤ -c, so Σ/d ≤ -⌈c/d⌉
			quotient++
		}
	}
	reduced := Sum{Constant: quotient, Terms: make([]Term, len(s.Terms))}
	for i, t := range s.Terms {
		reduced.Terms[i] = Term{t.Place, t.Coefficient / d}
	}
	return (&Predicate{Operator: p.Operator, Sum: reduced})
}

package logic

import (
	"cmp"
	"math"
	"math/big"
	"math/bits"
	"slices"
)

// Holds reports whether p holds in a marking, given by the token count of each place.
// The net has the given number of transitions, and enabled reports whether one of them
// is enabled. It follows the definitions word for word. Engines do not run it; they are
// tested against it. Numbers never wrap around.
func (p *Predicate) Holds(marking []int64, transitions int, enabled func(t uint32) bool) bool {
	holds := func(o *Predicate) bool { return o.Holds(marking, transitions, enabled) }
	switch p.Operator {
	case False:
		return false
	case True:
		return true
	case Not:
		return !holds(p.Operands[0])
	case And:
		for _, o := range p.Operands {
			if !holds(o) {
				return false
			}
		}
		return true
	case Or:
		return slices.ContainsFunc(p.Operands, holds)
	case AtMost:
		return p.Sum.Sign(marking) <= 0
	case Equal:
		return p.Sum.Sign(marking) == 0
	case PolynomialAtMost:
		return p.Polynomial().Sign(marking) <= 0
	case PolynomialEqual:
		return p.Polynomial().Sign(marking) == 0
	case Fireable:
		return slices.ContainsFunc(p.Transitions, enabled)
	case Deadlocked:
		for t := range transitions {
			if enabled(uint32(t)) {
				return false
			}
		}
		return true
	case Equivalent:
		return holds(p.Operands[0]) == holds(p.Operands[1])
	}
	panic("logic: unknown operator of a predicate")
}

// Sign returns -1, 0 or 1, as s is negative, zero or positive in a marking. It adds with 64 bits.
// If only a part of a sum does not fit, the sum is computed with large numbers, too, and has the
// same sign.
func (s Sum) Sign(marking []int64) int {
	if total, ok := s.Value(marking); ok {
		return cmp.Compare(total, 0)
	}
	return s.valueBig(marking).Sign()
}

// Value returns that of s in a marking; ok is false if a product or a partial sum is beyond ±(2^63-1).
//
// It does what Multiply and Add of package arithmetic do, without calls and without branches on
// signs: engines evaluate sums in each marking, and it takes half of the time. The 128 bits of a
// product without signs become those with signs when each factor is taken off the upper half where
// the other is negative. The product fits if the upper half only repeats the sign of the lower. A
// sum has wrapped around if its sign is neither that of the total so far nor that of the product.
func (s *Sum) Value(marking []int64) (total int64, ok bool) {
	total = s.Constant
	for _, t := range s.Terms {
		c, m := t.Coefficient, marking[t.Place]
		high, low := bits.Mul64(uint64(c), uint64(m))
		upper, product := int64(high)-c>>63&m-m>>63&c, int64(low)
		next := total + product
		if upper != product>>63 || (total^next)&(product^next) < 0 || product == math.MinInt64 || next == math.MinInt64 {
			return 0, false
		}
		total = next
	}
	return total, true
}

// valueBig returns the value of s in a marking.
func (s Sum) valueBig(marking []int64) *big.Int {
	total := big.NewInt(s.Constant)
	var product big.Int
	for _, t := range s.Terms {
		total.Add(total, product.Mul(big.NewInt(t.Coefficient), big.NewInt(marking[t.Place])))
	}
	return total
}

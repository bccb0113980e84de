package logic

import (
	"cmp"
	"math/big"
	"math/bits"
	"slices"

	"pnmc/internal/arithmetic"
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

// Sign returns -1, 0 or 1, as s is negative, zero or positive in a marking. It adds
// with 64 bits, and with as many as needed where those do not suffice.
//
// The magnitudes of a product are multiplied to 128 bits; more than 63 bits do not fit. A sum has
// wrapped around if it did not grow although something positive was added, or did not shrink
// although something negative was. If only a part of a sum does not fit, the sum is computed with
// large numbers, too, and has the same sign.
func (s Sum) Sign(marking []int64) int {
	total, ok := s.Constant, true
	for _, t := range s.Terms {
		high, low := bits.Mul64(arithmetic.Magnitude(t.Coefficient), arithmetic.Magnitude(marking[t.Place]))
		product := t.Coefficient * marking[t.Place]
		next := total + product
		if high != 0 || low >= 1<<63 || (next > total) != (product > 0) {
			ok = false
			break
		}
		total = next
	}
	if !ok {
		return s.valueBig(marking).Sign()
	}
	return cmp.Compare(total, 0)
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

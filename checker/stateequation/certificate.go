package stateequation

import (
	"math"
	"math/big"
)

// A certificate gives some forms integer multipliers of at least 0: a form that is used by its
// lower bound is added, one that is used by its upper bound is subtracted. In the sum no column has
// a coefficient above 0. Columns count firings and are at least 0, so the value of the sum is at
// most 0. If the bounds of the forms say that it is above 0, they contradict each other (Farkas'
// lemma). The multipliers come from a row of the simplex, in floating point, and are turned into
// fractions; if that fails, the result is not certified.
//
// The example of simplex.go: p = -σ with p ≥ 0, and x = σ with x ≥ 1. The row p = -x gives both the
// multiplier 1. The sum p + x has no σ left, so that it is 0 in every solution; but the bounds say
// that it is at least 1. In terms of slacks, (p - 0) + (x - 1) would have to be at least 0 and is
// -1: that is the limit which combination returns, and it is negative.
//
// For a maximum the same sum is read another way: the bounds of the other forms limit the form
// whose maximum is looked for, which needs no bound of its own. With p ≥ -1 instead and no bound of
// x, the slack (p + 1) is at least 0, and x + (p + 1) = 1. So x is at most 1.
//
// Why floating point at all: exact fractions of any size would make each pivot slower, and most pivots
// are no part of an answer. So only answers are proven.

// multiplier says that a form is used by its lower bound, or its upper one.
type multiplier struct {
	form  int32
	lower bool
	value float64
}

// multipliers reads off row r why its basic variable cannot grow (with above), or cannot shrink
// (without): for each other form in the row it returns the bound that is in the way, and its
// weight. It reports false if such a bound is infinite.
func (s *simplex) multipliers(r int32, above bool) ([]multiplier, bool) {
	var ms []multiplier
	for _, e := range s.entriesOf(r) {
		if int(e.variable) < s.columns {
			continue // columns are at their bound 0, which needs no multiplier
		}
		f := e.variable - int32(s.columns)
		if math.Abs(e.value) < 10*tiny {
			continue
		}
		lower := (e.value < 0) == above
		if lower && s.forms[f].lower == minInfinite || !lower && s.forms[f].upper == maxInfinite {
			return nil, false
		}
		ms = append(ms, multiplier{f, lower, math.Abs(e.value)})
	}
	return ms, true
}

// certifiedImpossible reports whether integers confirm the contradiction that check returned.
func (s *simplex) certifiedImpossible(r int32) bool {
	_, ok := s.contradiction(r)
	return ok
}

// contradiction returns the bounds of forms that contradict each other, as check found. It reports
// false if integers do not confirm that.
func (s *simplex) contradiction(r int32) ([]multiplier, bool) {
	if r < 0 {
		f := -1 - r
		return []multiplier{{f, true, 1}, {f, false, 1}}, s.forms[f].lower > s.forms[f].upper
	}
	ms, ok := s.reasons(r)
	if !ok {
		return nil, false
	}
	scaled, ok := integerMultipliers(ms)
	if !ok {
		return nil, false
	}
	limit, ok := s.combination(ms, scaled)
	// In a solution each slack λ·sign·(form - bound) is at least 0, and their sum is at most
	// limit. So a negative limit shows that there is no solution.
	return ms, ok && limit.Sign() < 0
}

// reasons returns the bounds that contradict each other by row r, as far as floating point knows. It
// reports false if one of them is infinite.
func (s *simplex) reasons(r int32) ([]multiplier, bool) {
	b := s.rows[r].basic
	// A column counts firings. Its bound 0 is built in and needs no multiplier.
	column := int(b) < s.columns
	below := column || s.value[b] < s.lower[b]
	ms, ok := s.multipliers(r, below)
	if !column {
		ms = append(ms, multiplier{b - int32(s.columns), below, 1})
	}
	return ms, ok
}

// certifiedMaximum returns an integer that form f never exceeds, as the row proves in which it is
// basic. It reports false if integers do not confirm the row.
func (s *simplex) certifiedMaximum(f, r int32) (*big.Int, bool) {
	ms, ok := s.multipliers(r, true)
	if !ok {
		return nil, false
	}
	ms = append(ms, multiplier{f, true, 1})
	scaled, ok := integerMultipliers(ms)
	if !ok {
		return nil, false
	}
	own := scaled[len(scaled)-1]
	// With 0 as the lower bound of f the slack of f is own·f, which limit then bounds.
	saved := s.forms[f].lower
	s.forms[f].lower = 0
	limit, ok := s.combination(ms, scaled)
	s.forms[f].lower = saved
	if !ok || own.Sign() <= 0 {
		return nil, false
	}
	return limit.Div(limit, own), true // Euclidean, hence rounded down
}

// combination adds up the slacks of the forms, each with its multiplier λ: form - bound by a lower
// bound (sign 1), bound - form by an upper one (sign -1). It is ok if no column is left with a
// positive coefficient: then the sum of slacks is at most limit = -Σ λ·sign·bound in every
// solution. Slacks are never negative, so that a negative limit is a contradiction.
func (s *simplex) combination(ms []multiplier, scaled []*big.Int) (limit *big.Int, ok bool) {
	columns := make(map[int32]*big.Int)
	limit = new(big.Int)
	product := new(big.Int)
	for i, m := range ms {
		f := &s.forms[m.form]
		sign, bound := int64(1), f.lower
		if !m.lower {
			sign, bound = -1, f.upper
		}
		for _, t := range f.terms {
			c := columns[t.column]
			if c == nil {
				c = new(big.Int)
				columns[t.column] = c
			}
			c.Add(c, product.Mul(scaled[i], big.NewInt(sign*t.coefficient)))
		}
		product.Mul(scaled[i], big.NewInt(bound))
		if sign > 0 {
			limit.Sub(limit, product)
		} else {
			limit.Add(limit, product)
		}
	}
	for _, c := range columns {
		if c.Sign() > 0 {
			return nil, false
		}
	}
	return limit, true
}

// Fractions are looked for with denominators up to maxDenominator, and must be
// within fractionError.
const (
	maxDenominator = 20_000
	fractionError  = 1e-6
)

// integerMultipliers turns the values into fractions and scales them by the least common denominator.
// It reports false if a value is close to no fraction, or the denominator has more than 256 bits.
func integerMultipliers(ms []multiplier) ([]*big.Int, bool) {
	numerators, denominators := make([]int64, len(ms)), make([]int64, len(ms))
	common := big.NewInt(1)
	for i, m := range ms {
		var ok bool
		numerators[i], denominators[i], ok = fraction(m.value)
		if !ok {
			return nil, false
		}
		d := big.NewInt(denominators[i])
		common.Mul(common, new(big.Int).Div(d, new(big.Int).GCD(nil, nil, common, d)))
		if common.BitLen() > 256 {
			return nil, false
		}
	}
	scaled := make([]*big.Int, len(ms))
	for i := range ms {
		scaled[i] = new(big.Int).Div(common, big.NewInt(denominators[i]))
		scaled[i].Mul(scaled[i], big.NewInt(numerators[i]))
	}
	return scaled, true
}

// fraction returns the first convergent of the continued fraction of x that is close to x. For
// 0.3333333333 these are 0 and 1/3. It reports false if none is close enough.
func fraction(x float64) (numerator, denominator int64, ok bool) {
	if x > 1e12 {
		return 0, 0, false
	}
	n0, d0, n1, d1 := int64(0), int64(1), int64(1), int64(0)
	for y := x; ; {
		whole := math.Floor(y)
		if whole > 1e12 {
			return 0, 0, false
		}
		a := int64(whole)
		n0, d0, n1, d1 = n1, d1, a*n1+n0, a*d1+d0
		if d1 > maxDenominator || n1 > 1<<52 {
			return 0, 0, false
		}
		if math.Abs(float64(n1)/float64(d1)-x) <= fractionError*max(1, x)*0.01 {
			return n1, d1, true
		}
		if y-whole < 1e-12 {
			return 0, 0, false
		}
		y = 1 / (y - whole)
	}
}

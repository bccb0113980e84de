package asking

import (
	"math/big"
	"slices"

	"pnmc/checker/inquiry"
	"pnmc/internal/arithmetic"
	"pnmc/logic"
)

// Divided returns the questions without the common factors of large coefficients in bounds, which
// engines do not compute with, and a function that is to be given their answers. It corrects the
// values and hands the answers over to found. Asked for the largest value of 10¹² p + 3·10¹² q + 7,
// for example, engines look for that of p + 3q. If that is 5, the answer is 5·10¹² + 7. The factor
// is positive, so that the largest value remains the largest.
func Divided(questions []inquiry.Question, found func(inquiry.Answer)) ([]inquiry.Question, func(inquiry.Answer)) {
	questions = slices.Clone(questions)
	factors := make(map[int]uint64)
	constants := make(map[int]int64)
	for i, q := range questions {
		if q, ok := q.(inquiry.Bound); ok && len(q.Products) == 0 {
			if factor := commonFactor(q.Sum.Terms); factor > 1 {
				factors[i], constants[i] = factor, q.Sum.Constant
				questions[i] = inquiry.Bound{Sum: logic.Sum{Terms: dividedBy(q.Sum.Terms, factor)}}
			}
		}
	}
	if len(factors) == 0 || found == nil {
		return questions, found
	}
	return questions, func(a inquiry.Answer) {
		if n, ok := a.Value.Number(); ok && factors[a.Question] > 0 {
			n.Mul(n, new(big.Int).SetUint64(factors[a.Question]))
			a.Value = inquiry.LargeNumber(n.Add(n, big.NewInt(constants[a.Question])))
		}
		found(a)
	}
}

// commonFactor returns the greatest common divisor of coefficients of which one is large; 1 if
// none is.
func commonFactor(terms []logic.Term) (factor uint64) {
	large := false
	for _, t := range terms {
		c := arithmetic.Magnitude(t.Coefficient)
		large = large || c > arithmetic.Small
		factor = arithmetic.CommonDivisor(factor, c)
	}
	if !large {
		return 1
	}
	return factor
}

// dividedBy returns terms with their coefficients divided by a common factor.
func dividedBy(terms []logic.Term, factor uint64) []logic.Term {
	terms = slices.Clone(terms)
	for i := range terms {
		c := int64(arithmetic.Magnitude(terms[i].Coefficient) / factor)
		if terms[i].Coefficient < 0 {
			c = -c
		}
		terms[i].Coefficient = c
	}
	return terms
}

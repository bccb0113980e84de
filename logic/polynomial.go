package logic

import (
	"cmp"
	"iter"
	"math/big"
	"slices"

	"pnmc/internal/arithmetic"
)

// Product is Coefficient times each of Factors.
type Product struct {
	Coefficient int64 // not zero
	// Factors are two or more sums, each with a place. The coefficients and the constant of
	// each have no common divisor, and its first coefficient is positive.
	Factors []Sum
}

// Polynomial is a sum and products of sums, which add up. They stay products of sums:
// multiplied out, two coloured places of a thousand colours would be a million terms.
//
// In normal form, two polynomials that differ only in how they were written are the same. Common
// divisors and signs are in the coefficients: (2a + 2b)·(1 - c) is -2·(a + b)·(c - 1). Factors are in
// order, a factor that is a number is part of the coefficient, a product of one sum is part of Sum,
// and products of the same factors are added up. So a·b - b·a vanishes. It is no normal form of the
// polynomial's values: a·(b + c) and a·b + a·c stay different, as products are not multiplied out.
//
// All arithmetic is in 64 bits and reports what does not fit; Sign takes as many bits as it needs.
type Polynomial struct {
	Sum      Sum
	Products []Product
}

// Polynomial returns what a comparison compares with zero.
func (p *Predicate) Polynomial() Polynomial { return Polynomial{p.Sum, p.Products} }

// Sums returns those of a comparison: Sum, and the factors of its products. Of other predicates
// they have no terms.
func (p *Predicate) Sums() iter.Seq[*Sum] {
	return func(yield func(*Sum) bool) {
		if !yield(&p.Sum) {
			return
		}
		for i := range p.Products {
			for j := range p.Products[i].Factors {
				if !yield(&p.Products[i].Factors[j]) {
					return
				}
			}
		}
	}
}

// Grows reports whether p is known to grow without end if a step from before to after is repeated
// for ever. After has at least as many tokens in each place, and each time the same are added.
// False means unknown.
//
// A sum grows by as much each time, so that the first time shows it. A product need not: it may grow
// once and shrink later, as (3 - a)·b does. But without negative coefficients and constants the value
// is a polynomial of the number of times without negative coefficients. That grows for ever if it
// does so the first time, or if a place grows that Sum counts.
func (p Polynomial) Grows(before, after []int64) bool {
	first, ok := p.Value(before)
	second, fits := p.Value(after)
	known := ok && fits
	if known && len(p.Products) == 0 {
		return second > first
	}
	if slices.ContainsFunc(p.Sum.Terms, isNegative) {
		return false
	}
	for _, product := range p.Products {
		if product.Coefficient < 0 || slices.ContainsFunc(product.Factors, func(f Sum) bool {
			return f.Constant < 0 || slices.ContainsFunc(f.Terms, isNegative)
		}) {
			return false
		}
	}
	return known && second > first ||
		slices.ContainsFunc(p.Sum.Terms, func(t Term) bool { return t.Coefficient > 0 && after[t.Place] > before[t.Place] })
}

func isNegative(t Term) bool { return t.Coefficient < 0 }

// Sums returns those of p: Sum, and the factors of its products.
func (p Polynomial) Sums() iter.Seq[*Sum] {
	return (&Predicate{Sum: p.Sum, Products: p.Products}).Sums()
}

// WithSums returns p with other sums in the places of its own.
func (p Polynomial) WithSums(other func(Sum) Sum) Polynomial {
	return (&Predicate{Sum: p.Sum, Products: p.Products}).WithSums(other).Polynomial()
}

// WithSums returns the comparison p with other sums in the places of its own.
func (p *Predicate) WithSums(other func(Sum) Sum) *Predicate {
	q := &Predicate{Operator: p.Operator, Sum: other(p.Sum)}
	for _, product := range p.Products {
		factors := make([]Sum, len(product.Factors))
		for i, f := range product.Factors {
			factors[i] = other(f)
		}
		q.Products = append(q.Products, Product{product.Coefficient, factors})
	}
	return q
}

// Sign returns -1, 0 or 1, as p is negative, zero or positive in a marking; it does not wrap
// around.
func (p Polynomial) Sign(marking []int64) int {
	if v, ok := p.Value(marking); ok {
		return cmp.Compare(v, 0)
	}
	total := p.Sum.valueBig(marking)
	for _, product := range p.Products {
		v := big.NewInt(product.Coefficient)
		for _, f := range product.Factors {
			v.Mul(v, f.valueBig(marking))
		}
		total.Add(total, v)
	}
	return total.Sign()
}

// Value returns that in a marking; ok is false if 64 bits do not suffice on the way.
func (p Polynomial) Value(marking []int64) (total int64, ok bool) {
	if total, ok = p.Sum.Value(marking); !ok {
		return 0, false
	}
	for _, product := range p.Products {
		v := product.Coefficient
		for _, f := range product.Factors {
			factor, fits := f.Value(marking)
			if fits {
				v, fits = arithmetic.Multiply(v, factor)
			}
			if !fits {
				return 0, false
			}
		}
		if total, ok = arithmetic.Add(total, v); !ok {
			return 0, false
		}
	}
	return total, true
}

// mostTerms bounds the products that a multiplication leads to, by the terms of their factors.
const mostTerms = 1 << 16

// Times returns p times q. ok is false where that gets too large, or numbers do.
func (p Polynomial) Times(q Polynomial) (product Polynomial, ok bool) {
	left, right := p.summands(), q.summands()
	size := 0
	for _, a := range left {
		for _, b := range right {
			coefficient, fits := arithmetic.Multiply(a.Coefficient, b.Coefficient)
			next := Product{coefficient, slices.Concat(a.Factors, b.Factors)}
			if size += next.size(); !fits || size > mostTerms {
				return Polynomial{}, false
			}
			product.Products = append(product.Products, next)
		}
	}
	return product.normal()
}

// size returns the number of factors of p and their terms.
func (p Product) size() int {
	n := 0
	for _, f := range p.Factors {
		n += 1 + len(f.Terms)
	}
	return n
}

// summands returns the products of p, of which the sum is one, too.
func (p Polynomial) summands() []Product {
	if p.Sum.Constant == 0 && len(p.Sum.Terms) == 0 {
		return p.Products
	}
	return slices.Concat([]Product{{1, []Sum{p.Sum}}}, p.Products)
}

// normal returns p in normal form: sums and products are in order, and no two differ in the
// coefficient only. Terms of sums may come in any order, with repetitions. ok is false where
// numbers get too large.
func (p Polynomial) normal() (n Polynomial, ok bool) {
	constant, terms := p.Sum.Constant, slices.Clone(p.Sum.Terms)
	for _, product := range p.Products {
		reduced, fits := product.normal()
		switch {
		case !fits:
			return Polynomial{}, false
		case reduced.Coefficient == 0:
		case len(reduced.Factors) == 0:
			if constant, fits = arithmetic.Add(constant, reduced.Coefficient); !fits {
				return Polynomial{}, false
			}
		case len(reduced.Factors) == 1:
			f := reduced.Factors[0]
			more, fits := arithmetic.Multiply(f.Constant, reduced.Coefficient)
			if fits {
				constant, fits = arithmetic.Add(constant, more)
			}
			for _, t := range f.Terms {
				coefficient, small := arithmetic.Multiply(t.Coefficient, reduced.Coefficient)
				terms, fits = append(terms, Term{t.Place, coefficient}), fits && small
			}
			if !fits {
				return Polynomial{}, false
			}
		default:
			n.Products = append(n.Products, reduced)
		}
	}
	if terms, ok = merged(terms); !ok {
		return Polynomial{}, false
	}
	n.Sum = Sum{constant, terms}
	n.Products, ok = mergedProducts(n.Products)
	return n, ok
}

// normal returns p with factors as they should be, perhaps none or one, and perhaps 0.
func (p Product) normal() (n Product, ok bool) {
	n.Coefficient = p.Coefficient
	for _, f := range p.Factors {
		terms, fits := merged(f.Terms)
		if !fits {
			return Product{}, false
		}
		by := f.Constant
		if len(terms) > 0 {
			divisor := arithmetic.Magnitude(f.Constant)
			for _, t := range terms {
				divisor = arithmetic.CommonDivisor(divisor, arithmetic.Magnitude(t.Coefficient))
			}
			if by = int64(divisor); by < 0 {
				return Product{}, false
			}
			if terms[0].Coefficient < 0 {
				by = -by
			}
			for i := range terms {
				terms[i].Coefficient /= by
			}
			n.Factors = append(n.Factors, Sum{f.Constant / by, terms})
		}
		if n.Coefficient, ok = arithmetic.Multiply(n.Coefficient, by); !ok {
			return Product{}, false
		}
	}
	slices.SortStableFunc(n.Factors, compareSums)
	return n, true
}

// merged returns terms with one a place, ascending, without coefficients of zero; nil if none is
// left.
func merged(terms []Term) (list []Term, ok bool) {
	terms = slices.Clone(terms)
	slices.SortStableFunc(terms, func(a, b Term) int { return cmp.Compare(a.Place, b.Place) })
	list = terms[:0]
	for i := 0; i < len(terms); {
		place, coefficient := terms[i].Place, int64(0)
		for ; i < len(terms) && terms[i].Place == place; i++ {
			if coefficient, ok = arithmetic.Add(coefficient, terms[i].Coefficient); !ok {
				return nil, false
			}
		}
		if coefficient != 0 {
			list = append(list, Term{place, coefficient})
		}
	}
	if len(list) == 0 {
		return nil, true
	}
	return list, true
}

// mergedProducts returns products in order. No two of them have the same factors.
func mergedProducts(products []Product) (list []Product, ok bool) {
	factors := func(a, b Product) int { return slices.CompareFunc(a.Factors, b.Factors, compareSums) }
	slices.SortStableFunc(products, factors)
	for _, p := range products {
		last := len(list) - 1
		if last < 0 || factors(list[last], p) != 0 {
			list = append(list, p)
			continue
		}
		if list[last].Coefficient, ok = arithmetic.Add(list[last].Coefficient, p.Coefficient); !ok {
			return nil, false
		}
	}
	if list = slices.DeleteFunc(list, func(p Product) bool { return p.Coefficient == 0 }); len(list) == 0 {
		return nil, true
	}
	return list, true
}

// compareSums orders sums by their terms, place by place, and then by their constants: equal
// products so come to stand beside each other.
func compareSums(a, b Sum) int {
	terms := func(a, b Term) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Coefficient, b.Coefficient))
	}
	return cmp.Or(slices.CompareFunc(a.Terms, b.Terms, terms), cmp.Compare(a.Constant, b.Constant))
}

// Compare returns the predicate that p ≤ 0, for AtMost, or p = 0, for Equal. Terms of sums may
// come in any order, with repetitions. The first coefficient of an equation is positive: of
// its first product if it has one. ok is false where numbers get too large.
func (p Polynomial) Compare(operator Operator) (q *Predicate, ok bool) {
	n, ok := p.normal()
	if !ok {
		return nil, false
	}
	return n.compare(operator), true
}

// Below returns the predicate that p < 0, as Compare does that p ≤ 0. For integers it is that p + 1 ≤ 0. Where
// 1 more does not fit into 64 bits, it is that -p ≤ 0 does not hold: both ends of the range have the same
// magnitude, so that -p fits.
func (p Polynomial) Below() (q *Predicate, ok bool) {
	n, ok := p.normal()
	if !ok {
		return nil, false
	}
	constant, fits := arithmetic.Add(n.Sum.Constant, 1)
	if !fits {
		return negate(n.negative().compare(AtMost)), true
	}
	n.Sum.Constant = constant
	return n.compare(AtMost), true
}

// compare returns what Compare does for n in normal form.
func (n Polynomial) compare(operator Operator) *Predicate {
	first := n.Sum.Constant
	switch {
	case len(n.Products) > 0:
		first = n.Products[0].Coefficient
	case len(n.Sum.Terms) > 0:
		first = n.Sum.Terms[0].Coefficient
	}
	if operator == Equal && first < 0 {
		n = n.negative()
	}
	if len(n.Products) > 0 {
		operator += PolynomialAtMost - AtMost
	}
	return &Predicate{Operator: operator, Sum: n.Sum, Products: n.Products}
}

// negative returns -p, which is p's own no more.
func (p Polynomial) negative() Polynomial {
	n := Polynomial{Sum{-p.Sum.Constant, slices.Clone(p.Sum.Terms)}, slices.Clone(p.Products)}
	for i := range n.Sum.Terms {
		n.Sum.Terms[i].Coefficient = -n.Sum.Terms[i].Coefficient
	}
	for i := range n.Products {
		n.Products[i].Coefficient = -n.Products[i].Coefficient
	}
	return n
}

// simplifyPolynomial decides a comparison with products whose sides are constants or have
// opposite signs, and makes one without products of it if it can be.
func (p *Predicate) simplifyPolynomial() *Predicate {
	operator := p.Operator - PolynomialAtMost + AtMost
	q, ok := p.Polynomial().Compare(operator)
	switch {
	case !ok:
		return p
	case q.Operator == operator:
		return q.simplifyComparison()
	}
	positive, negative := q.Sum.Constant > 0, q.Sum.Constant < 0
	for _, t := range q.Sum.Terms {
		positive, negative = positive || t.Coefficient > 0, negative || t.Coefficient < 0
	}
	for _, product := range q.Products {
		either := slices.ContainsFunc(product.Factors, Sum.mayBeNegative)
		positive = positive || either || product.Coefficient > 0
		negative = negative || either || product.Coefficient < 0
	}
	switch {
	case operator == AtMost && !positive:
		return &Predicate{Operator: True}
	case q.Sum.Constant > 0 && !negative, operator == Equal && q.Sum.Constant < 0 && !positive:
		return &Predicate{Operator: False}
	}
	return q
}

// mayBeNegative reports whether a constant or coefficient of s is negative.
func (s Sum) mayBeNegative() bool {
	return s.Constant < 0 || slices.ContainsFunc(s.Terms, func(t Term) bool { return t.Coefficient < 0 })
}

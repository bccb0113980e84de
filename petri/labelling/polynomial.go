package labelling

import (
	"cmp"
	"math/big"

	"pnmc/internal/arithmetic"
	"pnmc/petri"
)

// Linear is Constant + Σ Weight·m(Place). Weights may be negative.
type Linear struct {
	Constant int64
	Terms    []petri.Arc
}

// Product is Coefficient times each of Factors.
type Product struct {
	Coefficient int64
	Factors     []Linear
}

// polynomial is a sum and products of sums, by the numbers of these in a Proposition.
type polynomial struct {
	sum      uint32
	products []sumProduct
}

type sumProduct struct {
	coefficient int64
	factors     []uint32
}

// PolynomialAtMostZero pushes whether sum and products add up to at most 0.
func (p *Proposition) PolynomialAtMostZero(sum Linear, products []Product) {
	p.push(pushPolynomialAtMost, p.polynomial(sum, products))
}

// PolynomialEqualZero pushes whether sum and products add up to 0.
func (p *Proposition) PolynomialEqualZero(sum Linear, products []Product) {
	p.push(pushPolynomialEqual, p.polynomial(sum, products))
}

// polynomial keeps a polynomial, and returns its number.
func (p *Proposition) polynomial(sum Linear, products []Product) uint32 {
	made := polynomial{sum: p.sum(sum.Constant, sum.Terms)}
	for _, product := range products {
		factors := make([]uint32, len(product.Factors))
		for i, f := range product.Factors {
			factors[i] = p.sum(f.Constant, f.Terms)
		}
		made.products = append(made.products, sumProduct{product.Coefficient, factors})
	}
	p.polynomials = append(p.polynomials, made)
	return uint32(len(p.polynomials) - 1)
}

// signOf returns the sign of q, computed without wrapping around.
func (p *Proposition) signOf(q *polynomial, counts []int64) int {
	if total, ok := p.valueOf(q, counts); ok {
		return cmp.Compare(total, 0)
	}
	total := p.exact(&p.sums[q.sum], counts).number()
	for _, product := range q.products {
		v := big.NewInt(product.coefficient)
		for _, f := range product.factors {
			v.Mul(v, p.exact(&p.sums[f], counts).number())
		}
		total.Add(total, v)
	}
	return total.Sign()
}

// valueOf returns the value of q; ok is false if 64 bits do not suffice on the way.
func (p *Proposition) valueOf(q *polynomial, counts []int64) (total int64, ok bool) {
	if total, ok = p.value(&p.sums[q.sum], counts); !ok {
		return 0, false
	}
	for _, product := range q.products {
		v := product.coefficient
		for _, f := range product.factors {
			factor, fits := p.value(&p.sums[f], counts)
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

// value returns the value of a sum; ok is false if 64 bits do not suffice on the way.
func (p *Proposition) value(s *linearSum, counts []int64) (total int64, ok bool) {
	total = s.constant
	for _, a := range p.terms[s.first:s.end] {
		product, fits := arithmetic.Multiply(a.Weight, counts[a.Place])
		if fits {
			total, fits = arithmetic.Add(total, product)
		}
		if !fits {
			return 0, false
		}
	}
	return total, true
}

// exact returns the value of a sum.
func (p *Proposition) exact(s *linearSum, counts []int64) wide {
	var total wide
	total.add(s.constant, 1)
	for _, a := range p.terms[s.first:s.end] {
		total.add(a.Weight, counts[a.Place])
	}
	return total
}

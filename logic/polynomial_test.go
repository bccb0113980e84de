package logic

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/logic/internal/logictest"
)

// A multiplication that grows without end is refused, and so is a product as a bound.
func TestProductsAreBounded(t *testing.T) {
	text := strings.Repeat("(p*q + q*r + r) * ", 50) + "p = 1"
	if _, err := ParsePredicate(text, logictest.Small); err == nil || !strings.Contains(err.Error(), "the product of these sums is too large") {
		t.Errorf("fifty factors: %v", err)
	}
	if _, err := ParseSum("p * q", logictest.Small); err == nil || !strings.Contains(err.Error(), "a product of places") {
		t.Errorf("a bound of p * q: %v", err)
	}
}

// Sign agrees with integers of any size, and brought to its form a polynomial means the same.
func TestPolynomialSign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Int64Range(-3, 3), rapid.Int64Range(-math.MaxInt64, -math.MaxInt64+3),
			rapid.Int64Range(math.MaxInt64-3, math.MaxInt64))
		draw := func() Sum {
			s := Sum{Constant: rapid.Int64Range(-3, 3).Draw(t, "constant")}
			for range rapid.IntRange(0, 3).Draw(t, "terms") {
				s.Terms = append(s.Terms, Term{rapid.Uint32Range(0, 2).Draw(t, "place"), rapid.Int64Range(-4, 4).Draw(t, "coefficient")})
			}
			return s
		}
		p := Polynomial{Sum: draw()}
		for range rapid.IntRange(0, 3).Draw(t, "products") {
			product := Product{Coefficient: number.Draw(t, "coefficient")}
			for range rapid.IntRange(0, 3).Draw(t, "factors") {
				product.Factors = append(product.Factors, draw())
			}
			p.Products = append(p.Products, product)
		}
		marking := rapid.SliceOfN(number, 3, 3).Draw(t, "marking")
		want := p.Sum.valueBig(marking)
		for _, product := range p.Products {
			v := big.NewInt(product.Coefficient)
			for _, f := range product.Factors {
				v.Mul(v, f.valueBig(marking))
			}
			want.Add(want, v)
		}
		if got := p.Sign(marking); got != want.Sign() {
			t.Fatalf("%v in %v: %d, want %d", p, marking, got, want)
		}
		for _, operator := range []Operator{AtMost, Equal} {
			q, ok := p.Compare(operator)
			if !ok {
				continue
			}
			holds := want.Sign() == 0 || want.Sign() < 0 && operator == AtMost
			if q.Holds(marking, 0, nil) != holds {
				t.Fatalf("%v compares as %v in %v: not %t", p, q, marking, holds)
			}
			same := q.WithSums(func(s Sum) Sum { return s })
			if same.Holds(marking, 0, nil) != holds {
				t.Fatalf("%v is not %v", q, same)
			}
		}
	})
}

package bounds

import (
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/internal/checkertest"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// TestInvariantsAgreeWithNaiveTwin compares bounds of sums, and goals said to be
// impossible, with all markings.
func TestInvariantsAgreeWithNaiveTwin(t *testing.T) {
	bounded, impossible := 0, 0
	if !petritest.CheckUntil(t, func() bool { return bounded > 0 && impossible > 0 }, func(t *rapid.T) {
		net, g := petritest.SmallNet(t)
		facts := invariant.Prove(context.Background(), net, 0)
		facts.Semiflows = append(facts.Semiflows, Units(net)...)
		for range 5 {
			goal := drawComparisons(t, net, 3)
			sum := logic.Sum{Constant: 1}
			for p := range uint32(net.Places()) {
				if w := rapid.Int64Range(0, 2).Draw(t, "coefficient"); w > 0 {
					sum.Terms = append(sum.Terms, logic.Term{Place: p, Coefficient: w})
				}
			}
			bound, isBounded := Of(sum, facts)
			number := logic.Polynomial{Sum: sum, Products: checkertest.Products(t, net)}
			most, isLimited := OfNumber(number, facts)
			possible := Possible(account.Of(t.Context()), goal, true, facts)
			if isBounded {
				bounded++
			}
			if !possible {
				impossible++
			}
			for _, m := range g.Markings {
				for _, f := range facts.Semiflows {
					if s := (logic.Sum{Constant: -f.Value}); f.Terms != nil {
						for _, a := range f.Terms {
							s.Terms = append(s.Terms, logic.Term{Place: uint32(a.Place), Coefficient: a.Weight})
						}
						if v, ok := witness.ValueOf(&s, m); !ok || v != 0 {
							t.Fatalf("semiflow %v is not one in %v", f, m)
						}
					}
				}
				if v, _ := witness.ValueOf(&sum, m); isBounded && v > bound {
					t.Fatalf("sum %d, said to be at most %d", v, bound)
				}
				if v, _ := number.Value(m); isLimited && v > most {
					t.Fatalf("number %d, said to be at most %d", v, most)
				}
				if simple := Settled(account.Of(t.Context()), net, goal, facts); witness.Satisfies(net, m, simple) != witness.Satisfies(net, m, goal) {
					t.Fatalf("the simplified goal differs in %v", m)
				}
				if !possible && witness.Satisfies(net, m, goal) {
					t.Fatalf("a goal said to be impossible holds in %v", m)
				}
			}
		}
	}) {
		t.Errorf("%d sums bounded, %d goals impossible", bounded, impossible)
	}
}

func TestRangeOfLargeNumbers(t *testing.T) {
	s := logic.Sum{Terms: []logic.Term{{Place: 0, Coefficient: 1 << 40}}}
	if _, _, ok := rangeByPlaces(s, []int64{1}); ok {
		t.Error("a coefficient of 2^40 was taken for small")
	}
	s.Terms[0].Coefficient = 1
	if _, most, ok := rangeByPlaces(s, []int64{petri.Unbounded}); !ok || most < 1<<60 {
		t.Errorf("without a bound the sum is at most %d", most)
	}
}

// drawComparisons draws a Boolean combination of comparisons of token counts.
func drawComparisons(t *rapid.T, net *petri.Net, depth int) *logic.Predicate {
	if depth == 0 || rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
		sum := logic.Sum{Constant: rapid.Int64Range(-3, 3).Draw(t, "constant")}
		for p := range uint32(net.Places()) {
			if c := rapid.SampledFrom([]int64{0, 0, 1, -1}).Draw(t, "coefficient"); c != 0 {
				sum.Terms = append(sum.Terms, logic.Term{Place: p, Coefficient: c})
			}
		}
		return &logic.Predicate{Operator: logic.AtMost, Sum: sum}
	}
	p := &logic.Predicate{Operator: rapid.SampledFrom([]logic.Operator{logic.Not, logic.And, logic.Or}).Draw(t, "operator")}
	for len(p.Operands) == 0 || p.Operator != logic.Not && len(p.Operands) < 2 {
		p.Operands = append(p.Operands, drawComparisons(t, net, depth-1))
	}
	return p
}

// TestCoveredBySeveral: a sum over places of several machines is bounded by all of them together,
// and what no machine has by its own bound.
func TestCoveredBySeveral(t *testing.T) {
	facts := petri.Facts{
		Semiflows: []petri.Semiflow{
			{Terms: []petri.Arc{{Place: 0, Weight: 1}, {Place: 1, Weight: 1}, {Place: 2, Weight: 1}}, Value: 1},
			{Terms: []petri.Arc{{Place: 2, Weight: 1}, {Place: 3, Weight: 2}, {Place: 4, Weight: 1}}, Value: 3},
		},
		Bounds: []int64{1, 1, 1, 1, 3, 2, petri.Unbounded},
	}
	sum := func(constant int64, places ...uint32) logic.Sum {
		s := logic.Sum{Constant: constant}
		for _, p := range places {
			s.Terms = append(s.Terms, logic.Term{Place: p, Coefficient: 1})
		}
		return s
	}
	for _, c := range []struct {
		sum  logic.Sum
		want int64
		ok   bool
	}{
		{sum(0, 0, 1), 1, true},
		{sum(0, 0, 1, 3, 4), 4, true},
		{sum(5, 0, 1, 2, 3, 4), 9, true},
		{sum(0, 0, 1, 5), 3, true},
		{sum(0, 0, 1, 6), 0, false},
		{sum(0, 5, 6), 0, false},
	} {
		if got, ok := Of(c.sum, facts); ok != c.ok || ok && got != c.want {
			t.Errorf("%v: bound %d, %v, want %d, %v", c.sum, got, ok, c.want, c.ok)
		}
	}
}

// TestCoveredByLongSemiflows: places of a sum are looked up in semiflows that are much longer, and told from those that are
// passed otherwise; the bound is the same.
func TestCoveredByLongSemiflows(t *testing.T) {
	var facts petri.Facts
	for i, value := range []int64{3, 2} {
		f := petri.Semiflow{Value: value}
		for p := range petri.Place(100) {
			f.Terms = append(f.Terms, petri.Arc{Place: petri.Place(100*i) + p, Weight: 1 + int64(p)%2})
		}
		facts.Semiflows = append(facts.Semiflows, f)
	}
	for _, each := range []uint32{2, 80} {
		var sum logic.Sum
		for p := range each {
			sum.Terms = append(sum.Terms, logic.Term{Place: 199 - p, Coefficient: 1}, logic.Term{Place: p, Coefficient: 1})
		}
		if bound, ok := Of(sum, facts); !ok || bound != 5 {
			t.Errorf("%d places of each semiflow: at most %d, %t; want 5", each, bound, ok)
		}
	}
}

// TestSettledEnds: after the end of the account nothing is settled, and nothing is impossible.
func TestSettledEnds(t *testing.T) {
	net := petritest.Kanban(1)
	facts := invariant.Prove(t.Context(), net, 0)
	p := &logic.Predicate{Operator: logic.And}
	for range 100_000 {
		p.Operands = append(p.Operands, &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: -100, Terms: []logic.Term{{Place: 0, Coefficient: 1}, {Place: 1, Coefficient: 1}}}})
	}
	reason := errors.New("time is over")
	ctx, cancel := context.WithCancelCause(t.Context())
	work := account.Of(ctx)
	if Possible(work, p, false, facts) {
		t.Error("places with 100 tokens are possible")
	}
	cancel(reason)
	if !Possible(work, p, false, facts) {
		t.Error("all parts are looked at after the end")
	}
	if settled := Settled(work, net, p, facts); len(settled.Operands) == 0 {
		t.Errorf("settled after the end: %d", settled.Operator)
	}
}

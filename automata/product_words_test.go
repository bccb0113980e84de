package automata_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"pnmc/automata"
	"pnmc/internal/automatatest"
)

func TestProductAcceptsWhatBothAccept(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	both := 0
	for seed := range uint64(400) {
		one := func(names []string, seed uint64) *automata.Automaton {
			return automatatest.Random(automatatest.RandomSettings{
				States: 1 + int(seed%7), Propositions: names, Density: 0.5, LiteralProbability: 0.4,
				Sets: int(seed % 4), MarkProbability: 0.4, Condition: automatatest.RandomCondition(seed % 3),
			}, seed)
		}
		a, b := one([]string{"a", "b"}, 2*seed), one([]string{"b", "c", "a"}, 3*seed+1)
		p, err := automata.Product(context.Background(), a, b)
		if err != nil {
			t.Fatal(err)
		}
		l := automata.Lasso{Propositions: []string{"a", "b", "c"}}
		for range r.IntN(3) {
			l.Prefix = append(l.Prefix, automata.Valuation{r.Uint64() & 7})
		}
		for range 1 + r.IntN(3) {
			l.Cycle = append(l.Cycle, automata.Valuation{r.Uint64() & 7})
		}
		left, _ := automata.Accepts(a, l)
		right, _ := automata.Accepts(b, l)
		got, err := automata.Accepts(p, l)
		if err != nil || got != (left && right) {
			t.Errorf("seed %d: %v by the product of automata that say %v and %v (%v)", seed, got, left, right, err)
		}
		if got {
			both++
		}
	}
	if both < 40 || both > 360 {
		t.Errorf("%d of 400 words accepted: the sample is lopsided", both)
	}
}

// TestProductClaimsNothingFalse multiplies automata that are deterministic by their
// labels' cubes overlapping within an edge only, which the product makes two edges of.
func TestProductClaimsNothingFalse(t *testing.T) {
	one := func() *automata.Automaton {
		b := automata.NewBuilder([]string{"a", "b"}, automata.GeneralizedBuchi(0))
		b.AddStates(1)
		b.AddInitial(0)
		b.AddEdge(0, automata.Label{automata.NewCube(2).With(0, true), automata.NewCube(2).With(1, true)}, automata.NewMarks(0), 0)
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		a.Claims = automata.DetectClaims(context.Background(), a)
		return a
	}
	p, err := automata.Product(context.Background(), one(), one())
	if err != nil {
		t.Fatal(err)
	}
	if wrong := p.Claims &^ automata.DetectClaims(context.Background(), p); wrong != 0 {
		t.Errorf("claims %b that do not hold", wrong)
	}
}

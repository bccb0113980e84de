package checker

import (
	"context"
	"errors"
	"testing"

	"pnmc/automata"
)

// smallAutomaton is random, over propositions a and maybe b.
func smallAutomaton(seed uint64) *automata.Automaton {
	return automata.Random(automata.RandomSettings{
		States: 1 + int(seed%4), Propositions: []string{"a", "b"}[:1+seed/4%2], Density: []float64{0.2, 0.6}[seed/8%2],
		LiteralProbability: []float64{0.4, 1}[seed/16%2], Sets: int(seed / 32 % 3), MarkProbability: 0.5,
		Condition: automata.RandomCondition(seed / 96 % 3),
	}, seed)
}

func TestIncludedAgreesWithAnExplicitComplement(t *testing.T) {
	answers := map[bool]int{}
	for seed := range uint64(400) {
		a, b := smallAutomaton(seed), smallAutomaton(7*seed+3)
		c, err := automata.Complement(context.Background(), b, 3000)
		if errors.Is(err, automata.ErrComplementTooLarge) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		want := !naiveIntersects(a, c)
		answers[want]++
		for _, known := range []*automata.Automaton{nil, c} {
			r, err := Included(a, b, InclusionOptions{Complement: known})
			if err != nil || r.Holds != want || want != (r.Word == nil) {
				t.Fatalf("seed %d: %v, %v; want %v", seed, r, err, want)
			}
			if r.Word == nil {
				continue
			}
			left, _ := automata.Accepts(a, *r.Word)
			right, _ := automata.Accepts(b, *r.Word)
			if !left || right {
				t.Fatalf("seed %d: the word %v is accepted by the smaller: %v, by the larger: %v", seed, r.Word, left, right)
			}
		}
	}
	if answers[true] < 40 || answers[false] < 40 {
		t.Errorf("lopsided sample: %v", answers)
	}
}

func TestEquivalentToItselfInOtherForms(t *testing.T) {
	for seed := range uint64(200) {
		a := smallAutomaton(seed)
		p, err := automata.Product(a, a)
		if err != nil {
			t.Fatal(err)
		}
		c, err := automata.Complement(context.Background(), a, 500)
		if errors.Is(err, automata.ErrComplementTooLarge) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		// The product of an automaton with itself may have many more states, but
		// the complement of the automaton is one of the product too.
		if r, err := Equivalent(a, p, InclusionOptions{Complement: c, FirstComplement: c}); err != nil || !r.Holds {
			t.Errorf("seed %d: the product with itself: %v, %v", seed, r, err)
		}
		if r, err := Equivalent(a, c, InclusionOptions{Complement: a, FirstComplement: c}); err != nil || r.Holds {
			t.Errorf("seed %d: the complement is called equivalent (%v)", seed, err)
		}
	}
}

func TestIncludedKeepsToItsLimit(t *testing.T) {
	a := automata.Random(automata.RandomSettings{
		States: 15, Propositions: []string{"a"}, Density: 0.2, LiteralProbability: 0.5, Sets: 1, MarkProbability: 0.2,
	}, 1)
	p, err := automata.Product(a, a)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Included(p, a, InclusionOptions{Limit: 50}); !errors.Is(err, automata.ErrComplementTooLarge) {
		t.Errorf("error %v, want ErrComplementTooLarge", err)
	}
}

func TestEmptyAgreesWithTheNaiveProduct(t *testing.T) {
	answers := map[bool]int{}
	for seed := range uint64(2000) {
		a, _ := randomOperandPair(seed)
		want := !naiveIntersects(a, universalAutomaton())
		answers[want]++
		if got := Empty(a); got != want {
			t.Fatalf("seed %d: %v, want %v", seed, got, want)
		}
	}
	if answers[true] < 200 || answers[false] < 200 {
		t.Errorf("lopsided sample: %v", answers)
	}
}

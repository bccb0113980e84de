package inclusion

import (
	"context"
	"errors"
	"testing"

	"pnmc/automata"
	"pnmc/automata/complement"
	"pnmc/automata/degeneralize"
	"pnmc/automata/emptiness"
	"pnmc/internal/automatatest"
)

// smallAutomaton returns a random automaton over propositions a and maybe b.
func smallAutomaton(seed uint64) *automata.Automaton {
	return automatatest.Random(automatatest.RandomSettings{
		States: 1 + int(seed%4), Propositions: []string{"a", "b"}[:1+seed/4%2], Density: []float64{0.2, 0.6}[seed/8%2],
		LiteralProbability: []float64{0.4, 1}[seed/16%2], Sets: int(seed / 32 % 3), MarkProbability: 0.5,
		Condition: automatatest.RandomCondition(seed / 96 % 3),
	}, seed)
}

func TestIncludedAgreesWithAnExplicitComplement(t *testing.T) {
	answers := map[bool]int{}
	for seed := range uint64(400) {
		a, b := smallAutomaton(seed), smallAutomaton(7*seed+3)
		c, err := complement.Complement(context.Background(), b, 3000)
		if errors.Is(err, complement.ErrTooLarge) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		want := !automatatest.NaiveIntersects(a, c)
		answers[want]++
		for _, known := range []*automata.Automaton{nil, c} {
			r, err := Included(a, b, Options{Complement: known})
			if err != nil || r.Holds != want || want != (r.Word == nil) {
				t.Fatalf("seed %d: %v, %v; want %v", seed, r, err, want)
			}
			distinguishes(t, seed, a, b, r.Word)
		}
	}
	if answers[true] < 40 || answers[false] < 40 {
		t.Errorf("lopsided sample: %v", answers)
	}
}

// distinguishes checks that a word, if there is one, is accepted by a and not by b.
func distinguishes(t *testing.T, seed uint64, a, b *automata.Automaton, word *automata.Lasso) {
	t.Helper()
	if word == nil {
		return
	}
	left, _ := automata.Accepts(a, *word)
	right, _ := automata.Accepts(b, *word)
	if !left || right {
		t.Fatalf("seed %d: the word %v is accepted by the smaller: %v, by the larger: %v", seed, word, left, right)
	}
}

func TestEquivalentToItselfInOtherForms(t *testing.T) {
	for seed := range uint64(200) {
		a := smallAutomaton(seed)
		p, err := automata.Product(context.Background(), a, a)
		if err != nil {
			t.Fatal(err)
		}
		c, err := complement.Complement(context.Background(), a, 500)
		if errors.Is(err, complement.ErrTooLarge) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		// The product of an automaton with itself may have many more states, but
		// the complement of the automaton is one of the product too.
		if r, err := Equivalent(a, p, Options{Complement: c, FirstComplement: c}); err != nil || !r.Holds {
			t.Errorf("seed %d: the product with itself: %v, %v", seed, r, err)
		}
		if r, err := Equivalent(a, c, Options{Complement: a, FirstComplement: c}); err != nil || r.Holds {
			t.Errorf("seed %d: the complement is called equivalent (%v)", seed, err)
		}
	}
}

func TestIncludedKeepsToItsLimit(t *testing.T) {
	given := 0
	for seed := range uint64(10) {
		switch _, err := Included(automata.EveryWord(), automatatest.RandomBuchi(seed), Options{Limit: 5}); {
		case errors.Is(err, complement.ErrTooLarge):
			given++
		case err != nil:
			t.Fatal(err)
		}
	}
	if given < 2 {
		t.Errorf("only %d of 10 inclusions were given up at 5 states", given)
	}
}

// TestIncludedWithoutComplement: an automaton of which no complement is within reach is
// included in itself, in itself with more words, and in what a fair simulation shows;
// and where a word shows that it is not, none is needed.
func TestIncludedWithoutComplement(t *testing.T) {
	a := automatatest.RandomBuchi(1)
	degeneral, err := degeneralize.Degeneralize(context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	none := automata.NewBuilder(a.Propositions, automata.GeneralizedBuchi(1))
	none.AddStates(2)
	none.AddInitial(0)
	none.AddEdge(0, automata.Label{automata.NewCube(1).With(0, true)}, automata.NewMarks(1), 1)
	none.AddEdge(0, automata.Label{automata.NewCube(1)}, automata.NewMarks(1), 1)
	none.AddEdge(1, automata.Label{automata.NewCube(1)}, automata.NewMarks(1), 0)
	empty, err := none.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		a, b *automata.Automaton
		want bool
	}{
		{"itself", a, a, true}, {"degeneralized", degeneral, a, true}, {"from degeneralized", a, degeneral, true},
		{"nothing", empty, a, true}, {"not in nothing", a, empty, false}, {"of many in few", automata.EveryWord(), empty, false},
	} {
		r, err := Included(test.a, test.b, Options{Limit: 100})
		if err != nil || r.Holds != test.want || r.Holds != (r.Word == nil) {
			t.Errorf("%s: %v, error %v; want %v", test.name, r, err, test.want)
		}
	}
}

func TestIncludedOverOtherPropositions(t *testing.T) {
	answers := map[bool]int{}
	for seed := range uint64(300) {
		a, b := automatatest.RandomOperandPair(seed)
		c, err := complement.Complement(context.Background(), b, 60)
		if errors.Is(err, complement.ErrTooLarge) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		want := !automatatest.NaiveIntersects(a, c)
		answers[want]++
		r, err := Included(a, b, Options{})
		if err != nil || r.Holds != want || want != (r.Word == nil) {
			t.Fatalf("seed %d: %v, %v; want %v", seed, r, err, want)
		}
		distinguishes(t, seed, a, b, r.Word)
	}
	if answers[true] < 30 || answers[false] < 30 {
		t.Errorf("lopsided sample: %v", answers)
	}
}

// TestInclusionSearchAgreesWithAnExplicitComplement: the search alone, without the
// words that are tried and the simulations that answer first.
func TestInclusionSearchAgreesWithAnExplicitComplement(t *testing.T) {
	answers, simulated := map[bool]int{}, 0
	for seed := range uint64(400) {
		a, b := automatatest.RandomOperandPair(seed)
		if seed%2 == 0 {
			a, b = smallAutomaton(seed), smallAutomaton(7*seed+3)
		}
		c, err := complement.Complement(context.Background(), b, 60)
		if errors.Is(err, complement.ErrTooLarge) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		want := automatatest.NaiveIntersects(a, c)
		answers[want]++
		s, err := newInclusionSearch(a, b, nonemptyStates(t, a), Options{Context: context.Background()})
		if err != nil {
			t.Fatal(err)
		}
		if s.simulated.Initial(a, s.complement.Buchi()) && len(a.Initial()) > 0 {
			simulated++
			if want {
				t.Fatalf("seed %d: not included, but simulated", seed)
			}
		}
		for _, relation := range []*complement.Simulations{s.simulated, nil} {
			s.simulated = relation
			if r, err := emptiness.Intersect(emptiness.Lazy(s), emptiness.Explicit(automata.EveryWord()), emptiness.Options{Word: true}); err != nil || r.Nonempty != want {
				t.Fatalf("seed %d: words that break the inclusion: %v, %v; want %v", seed, r, err, want)
			}
		}
	}
	if answers[true] < 40 || answers[false] < 40 || simulated < 20 {
		t.Errorf("lopsided sample: %v, simulated %d", answers, simulated)
	}
}

func nonemptyStates(t *testing.T, a *automata.Automaton) []bool {
	t.Helper()
	useful, err := emptiness.NonemptyStates(context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	return useful
}

func TestEmptyAgreesWithTheNaiveProduct(t *testing.T) {
	answers := map[bool]int{}
	for seed := range uint64(2000) {
		a, _ := automatatest.RandomOperandPair(seed)
		want := !automatatest.NaiveIntersects(a, automatatest.UniversalAutomaton())
		answers[want]++
		if got, err := emptiness.Empty(context.Background(), a); err != nil || got != want {
			t.Fatalf("seed %d: %v, want %v", seed, got, want)
		}
	}
	if answers[true] < 200 || answers[false] < 200 {
		t.Errorf("lopsided sample: %v", answers)
	}
}

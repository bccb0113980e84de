package automata_test

import (
	"math/rand/v2"
	"testing"

	"pnmc/automata"
	"pnmc/internal/automatatest"
)

func TestAcceptsIsTheSameForTheSameWord(t *testing.T) {
	// A word may be written with its cycle unrolled into the prefix, turned, or
	// repeated; propositions unknown to the automaton do not matter.
	r := rand.New(rand.NewPCG(1, 1))
	accepted := 0
	for seed := range uint64(300) {
		a := automatatest.Random(automatatest.RandomSettings{
			States: 6, Propositions: []string{"a", "b"}, Density: 0.3, LiteralProbability: 0.6,
			Sets: 3, MarkProbability: 0.3, Condition: automatatest.RandomEmersonLei,
		}, seed)
		l := automata.Lasso{Propositions: []string{"b", "c", "a"}}
		for range r.IntN(4) {
			l.Prefix = append(l.Prefix, automata.Valuation{r.Uint64() & 7})
		}
		for range 1 + r.IntN(4) {
			l.Cycle = append(l.Cycle, automata.Valuation{r.Uint64() & 7})
		}
		turned := automata.Lasso{Propositions: l.Propositions}
		turned.Prefix = append(append(turned.Prefix, l.Prefix...), l.Cycle[0])
		turned.Cycle = append(append(turned.Cycle, l.Cycle[1:]...), l.Cycle[0])
		doubled := automata.Lasso{Propositions: l.Propositions, Prefix: l.Prefix, Cycle: append(append([]automata.Valuation(nil), l.Cycle...), l.Cycle...)}
		want, err := automata.Accepts(a, l)
		if err != nil {
			t.Fatal(err)
		}
		if want {
			accepted++
		}
		if only, err := automata.Accepts(l.Automaton(), turned); err != nil || !only {
			t.Errorf("seed %d: %v is not accepted by its own automaton (%v)", seed, l, err)
		}
		for _, same := range []automata.Lasso{turned, doubled} {
			if got, err := automata.Accepts(a, same); err != nil || got != want {
				t.Errorf("seed %d: %v is %v, %v is %v (%v)", seed, l, want, same, got, err)
			}
		}
	}
	if accepted < 50 || accepted > 250 {
		t.Errorf("%d of 300 words accepted: the sample is lopsided", accepted)
	}
}

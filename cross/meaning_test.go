package cross

import (
	"context"
	"math/rand/v2"
	"testing"

	"pnmc/automata"
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// randomFormula returns a formula over a and b with that many connectives at most.
func randomFormula(r *rand.Rand, s *ltl.Formulas, size int) *ltl.Formula {
	if size == 0 {
		return s.Atom([]string{"a", "b"}[r.IntN(2)])
	}
	unary := []ltl.Operator{logic.Not, ltl.Next, ltl.Finally, ltl.Globally}
	binary := []ltl.Operator{
		logic.And, logic.Or, logic.Xor, logic.Equivalent, logic.Implies,
		ltl.Until, ltl.Release, ltl.WeakUntil, ltl.StrongRelease,
	}
	if r.IntN(2) == 0 {
		return s.Make(unary[r.IntN(len(unary))], []*ltl.Formula{randomFormula(r, s, size-1)})
	}
	left := r.IntN(size)
	return s.Make(binary[r.IntN(len(binary))], []*ltl.Formula{randomFormula(r, s, left), randomFormula(r, s, size-1-left)})
}

// TestSatisfiesAgreesWithAutomata: a word satisfies a formula exactly if the automaton
// of the formula accepts it.
func TestSatisfiesAgreesWithAutomata(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	satisfied := 0
	const tries = 400
	for range tries {
		s := ltl.NewFormulas()
		f := randomFormula(r, s, 1+r.IntN(5))
		l := automata.Lasso{Propositions: []string{"b", "a"}}
		for range r.IntN(4) {
			l.Prefix = append(l.Prefix, automata.Valuation{r.Uint64() & 3})
		}
		for range 1 + r.IntN(4) {
			l.Cycle = append(l.Cycle, automata.Valuation{r.Uint64() & 3})
		}
		a, err := toAutomaton(context.Background(), s, f)
		if err != nil {
			t.Fatal(err)
		}
		want, err := automata.Accepts(a, l)
		if err != nil {
			t.Fatal(err)
		}
		if got := satisfies(l, s, f); got != want {
			t.Fatalf("%s on %v: %v, by the automaton %v", s.Text(f, ltl.SpotSyntax), l, got, want)
		}
		if want {
			satisfied++
		}
	}
	if satisfied < tries/10 || satisfied > tries*9/10 {
		t.Errorf("%d of %d satisfied: the sample is lopsided", satisfied, tries)
	}
}

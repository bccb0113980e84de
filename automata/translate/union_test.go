package translate_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"pnmc/automata"
	"pnmc/automata/translate"
	"pnmc/internal/bitset"
	"pnmc/logic/ltl"
)

// A disjunction that is too large for a tableau accepts what its disjuncts do.
func TestUnion(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, text := range []string{
		"G(a U b) | G(b U c) | G(c U !a)",
		"(GFa & FGb & Xc) | (GFb & FGc & Xa) | (GFc & FGa & Xb)",
		"F(G(a U b) | G(c U !b) | (a & XG(b M c)))",
		"F(a & XG(b U c)) | F(b & XG(c U a))",
		"G(a -> Xb) | G(b -> Xc) | G(c -> Xa)",
	} {
		s := ltl.NewFormulas()
		f := parse(t, s, text)
		var a *automata.Automaton
		err := translate.ErrLimit
		for limit := 1; errors.Is(err, translate.ErrLimit); limit++ { // the first that does
			a, err = translate.ToAutomaton(context.Background(), s, f, translate.Options{MaxStates: limit})
		}
		if err != nil || len(a.Initial()) < 2 {
			t.Fatalf("%s: %v, or no union", text, err)
		}
		satisfied := 0
		for range 200 {
			word := randomWord(r, s.Propositions())
			want := holds(s, f, word)
			if want {
				satisfied++
			}
			if got, err := automata.Accepts(a, word); err != nil || got != want {
				t.Fatalf("%s: holds on %s is %v, accepted %v, %v", text, word, want, got, err)
			}
		}
		if satisfied < 5 || satisfied > 195 {
			t.Errorf("%s: %d of 200 words satisfied it: the test shows little", text, satisfied)
		}
	}
}

// Without promises a tableau gives the automaton of a guarantee formula, too: more
// eventualities than marks can tell are no obstacle.
func TestEndingTableau(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	compared, satisfied := 0, 0
	for range 3000 {
		s := ltl.NewFormulas()
		f := randomFormula(r, s, 2+r.IntN(10))
		a, err := translate.EndingTableau(context.Background(), s, f)
		if err != nil {
			t.Fatal(err)
		}
		if a == nil {
			continue
		}
		for range 20 {
			word := randomWord(r, s.Propositions())
			want := holds(s, f, word)
			compared++
			if want {
				satisfied++
			}
			if got, err := automata.Accepts(a, word); err != nil || got != want {
				t.Fatalf("%s on %s is %v, accepted %v, %v", s.Text(f, ltl.SpotSyntax), word, want, got, err)
			}
		}
	}
	if compared < 2000 || satisfied < compared/10 || satisfied > compared*9/10 {
		t.Errorf("%d words compared, %d satisfied the formula", compared, satisfied)
	}
	const nested = 80
	text := "p0"
	for i := 1; i < nested; i++ {
		text = fmt.Sprintf("p%d U (%s)", i, text)
	}
	s := ltl.NewFormulas()
	if a := translated(t, s, parse(t, s, text), false); a.States() != nested || a.Acceptance.Sets > 1 {
		t.Errorf("%d states and %d sets of %d nested U", a.States(), a.Acceptance.Sets, nested)
	}
}

// Seventy fairness conditions have an acceptance set each, which is more than
// marks in one word can tell.
func TestManySets(t *testing.T) {
	const conditions = 70
	r := rand.New(rand.NewPCG(11, 12))
	for _, premise := range []string{"", " & (p3 U p4)"} {
		s := ltl.NewFormulas()
		f := parse(t, s, conjunction(conditions, "GFp#")+premise)
		a := translated(t, s, f, false)
		if a.Acceptance.Sets < conditions {
			t.Errorf("%d acceptance sets, want %d or more", a.Acceptance.Sets, conditions)
		}
		satisfied := 0
		for i := range 30 {
			word := automata.Lasso{Propositions: s.Propositions()}
			missing := r.IntN(conditions)
			for range 1 + r.IntN(4) {
				word.Prefix = append(word.Prefix, automata.Valuation{r.Uint64(), r.Uint64()})
				v := automata.Valuation{r.Uint64() | r.Uint64()<<1, r.Uint64()}
				word.Cycle = append(word.Cycle, v)
			}
			word.Cycle[0] = automata.Valuation{^uint64(0), ^uint64(0)}
			for _, v := range word.Cycle {
				if i%2 == 0 { // one condition fails
					bitset.Remove(v, missing)
				}
			}
			want := holds(s, f, word)
			if want {
				satisfied++
			}
			if got, err := automata.Accepts(a, word); err != nil || got != want {
				t.Fatalf("holds on %s is %v, accepted %v, %v", word, want, got, err)
			}
		}
		if satisfied == 0 || satisfied > 15 {
			t.Errorf("%d of 30 words satisfied the formula", satisfied)
		}
	}
}

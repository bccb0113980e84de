package mcc

import (
	"context"
	"strings"
	"testing"

	"pnmc/automata"
	"pnmc/logic"
)

// TestOtherTranslator: another translator is asked for what the own one gives up,
// and for nothing else.
func TestOtherTranslator(t *testing.T) {
	for text, want := range map[string]int{"G F a": 0, strings.Repeat("X ", 9000) + "a": 1} {
		s := logic.NewFormulas()
		f, err := logic.ParseFormula(text, s)
		if err != nil {
			t.Fatal(err)
		}
		asked := 0
		other := &automata.Automaton{}
		r := &run{options: Options{Translator: func(_ context.Context, in *logic.Formulas, negated *logic.Formula) (*automata.Automaton, error) {
			if asked++; in != s || negated != s.Not(f) {
				t.Errorf("%s: asked for %v", text, negated)
			}
			return other, nil
		}}}
		a, err := r.negation(context.Background(), &linear{formulas: s, formula: f})
		if err != nil || asked != want || (a == other) != (want == 1) {
			t.Errorf("%s: asked %d times, expected %d, %v", text, asked, want, err)
		}
	}
}

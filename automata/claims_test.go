package automata_test

import (
	"context"
	"pnmc/automata"
	"testing"
)

func TestDetectClaims(t *testing.T) {
	for _, test := range []struct {
		name  string
		a     *automata.Automaton
		with  automata.Claims
		never automata.Claims
	}{
		{"Fa", build(t, automata.GeneralizedBuchi(1), 2, edge{0, 0, "A", nil}, edge{0, 1, "a", nil}, edge{1, 1, "", []int{0}}),
			automata.ClaimDeterministic | automata.ClaimComplete | automata.ClaimTerminal | automata.ClaimVeryWeak | automata.ClaimWeak, 0},
		{"GFa", build(t, automata.GeneralizedBuchi(1), 1, edge{0, 0, "A", nil}, edge{0, 0, "a", []int{0}}),
			automata.ClaimDeterministic | automata.ClaimComplete, automata.ClaimInherentlyWeak | automata.ClaimWeak},
		{"FGa", build(t, automata.GeneralizedBuchi(1), 2, edge{0, 0, "", nil}, edge{0, 1, "a", nil}, edge{1, 1, "a", []int{0}}),
			automata.ClaimVeryWeak, automata.ClaimDeterministic | automata.ClaimComplete | automata.ClaimTerminal},
		{"marks differ on an accepting cycle", build(t, automata.GeneralizedBuchi(1), 2, edge{0, 1, "a", nil}, edge{1, 0, "a", []int{0}}),
			automata.ClaimInherentlyWeak | automata.ClaimDeterministic, automata.ClaimWeak},
	} {
		got := automata.DetectClaims(context.Background(), test.a)
		if got&test.with != test.with || got&test.never != 0 {
			t.Errorf("%s: claims %b, want %b and none of %b", test.name, got, test.with, test.never)
		}
	}
}

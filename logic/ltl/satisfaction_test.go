package ltl_test

import (
	"testing"

	"pnmc/logic/ltl"
)

// TestSatisfies: a at position 0, b at 2, and both at 3, from where the word goes back
// to 1 again and again. (Package cross compares random words and formulas with automata.)
func TestSatisfies(t *testing.T) {
	s := ltl.NewFormulas()
	s.Atom("a")
	s.Atom("b")
	word := ltl.Word{Length: 4, Loop: 1, Holds: func(proposition, position int) bool {
		return position == 3 || position == 0 && proposition == 0 || position == 2 && proposition == 1
	}}
	for text, want := range map[string]bool{
		"1": true, "0": false, "a": true, "b": false, "!a": false, "a & !b": true, "b | !a": false,
		"a xor b": true, "a <-> b": false, "a -> b": false,
		"X a": false, "XXX(a & b)": true, "XXXX a": false, "XXXXX b": true,
		"F b": true, "F(a & !b)": true, "X F(a & !b)": false, "G F(a & b)": true, "G(a -> F b)": true, "F G b": false,
		"a U b": false, "!b U b": true, "(a | !b) U G b": false, "(a | !b) W G b": false, "1 W a": true,
		"X(!a W a)": true, "X(b R F b)": true, "X(!b R !b)": true, "b R a": false, "a M a": true,
		"F a M (a | !a)": true, "b M (a | b)": false,
	} {
		f, err := ltl.Parse(text, s)
		if err != nil {
			t.Fatal(err)
		}
		if got := word.Satisfies(f); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

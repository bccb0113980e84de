package translate_test

import (
	"fmt"
	"strings"
	"testing"

	"pnmc/automata"
	"pnmc/automata/degeneralize"
	"pnmc/automata/translate"
	"pnmc/logic/ltl"
)

// pairs joins n pairs of propositions.
func pairs(n int, within, between string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("(a%d%sb%d)", i, within, i)
	}
	return "(" + strings.Join(list, between) + ")"
}

// longestLabel returns the most cubes that a label has.
func longestLabel(a *automata.Automaton) int {
	longest := 0
	for e := range automata.Edge(a.Edges()) {
		longest = max(longest, a.Cubes(e))
	}
	return longest
}

// TestAlternatives: what waits for one of n pairs (D), or is ended by the lack of one of n (C),
// has labels of n cubes. The other case, in which none has come yet, has 2^n; it is named where
// that makes an automaton deterministic, and there are few pairs.
func TestAlternatives(t *testing.T) {
	for _, test := range []struct {
		text          string
		negate        bool
		states, edges int
	}{
		{"D", false, 2, 2},
		{"F D", false, 2, 3},
		{"G C", true, 2, 3},
		{"GF D", false, 1, 2},
		{"FG C", true, 1, 2},
		{"X D", false, 3, 3},
		{"X C", true, 3, 3},
		{"G X D", false, 2, 2},
		{"F X D", false, 3, 4},
		{"G X C", true, 3, 4},
		{"q U D", false, 2, 3},
		{"C R q", true, 2, 3},
		{"D M q", false, 2, 3},
		{"q R C", true, 2, 3},
		{"G(q -> F D)", false, 2, 4},
		{"G(C -> F q)", false, 2, 4},
		{"G(C -> X q)", false, 2, 4},
		{"F(D & F q)", false, 3, 6},
		{"GFq & GF D", false, 1, 4},
		{"GFq -> GF D", false, 3, 6},
		{"GF C -> GF q", false, 3, 6},
		{"F(q & X(r U D))", false, 3, 6},
	} {
		for _, n := range []int{5, 14, 40} {
			s := ltl.NewFormulas()
			text := strings.NewReplacer("D", pairs(n, "&", "|"), "C", pairs(n, "|", "&")).Replace(test.text)
			f := parse(t, s, text)
			a, err := translate.ToAutomaton(t.Context(), s, f, translate.Options{Negate: test.negate})
			if err != nil {
				t.Errorf("%s for %d pairs: %v", test.text, n, err)
				continue
			}
			if a.States() != test.states || a.Edges() > test.edges {
				t.Errorf("%s for %d pairs: %d states, %d edges; want %d and at most %d", test.text, n, a.States(), a.Edges(), test.states, test.edges)
			}
			if n > 10 && longestLabel(a) > 2*n+2 {
				t.Errorf("%s for %d pairs: labels of %d cubes", test.text, n, longestLabel(a))
			}
			if n > 20 {
				continue
			}
			b, err := degeneralize.Degeneralize(t.Context(), a)
			if err != nil {
				t.Errorf("%s for %d pairs: %v", test.text, n, err)
				continue
			}
			if n > 10 && longestLabel(b) > 2*n+2 {
				t.Errorf("%s for %d pairs: a Büchi automaton with labels of %d cubes", test.text, n, longestLabel(b))
			}
		}
	}
}

package ltl

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/logic/internal/logictest"
)

func TestFormulaPrecedence(t *testing.T) {
	operand := rapid.SampledFrom([]string{"a", "b", "c", "!a", "Xb", "F!c", "GFa", "X[2]b", "p1>=2"})
	rapid.Check(t, func(t *rapid.T) {
		operands, operators, text := logictest.DrawFlat(t, operand, logictest.TemporalLevels)
		s := NewFormulas()
		flat, err := Parse(text, s)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		explicit := logictest.Parenthesized(operands, operators, logictest.TemporalLevels)
		want, err := Parse(explicit, s)
		if err != nil {
			t.Fatalf("%s: %v", explicit, err)
		}
		if flat != want {
			t.Fatalf("%s is read as %s, want %s", text, s.Text(flat, SpotSyntax), explicit)
		}
	})
}

// Space and comments between tokens change nothing.
func TestSpaceBetweenTokens(t *testing.T) {
	tokens := strings.Split(`( G F "p1 >= 2" & ! a ) -> [] ( b U X [ 2 ] c ) xor <> F [ 1 : 3 ] d`, " ")
	// What is in quotes is one token.
	tokens = slices.Concat(tokens[:3], []string{`"p1 >= 2"`}, tokens[6:])
	s := NewFormulas()
	want, err := Parse(strings.Join(tokens, " "), s)
	if err != nil {
		t.Fatal(err)
	}
	space := rapid.SampledFrom([]string{" ", "\n", "\t ", "/* G */", " /**/ ", "\u00a0"})
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for _, token := range tokens {
			text += space.Draw(t, "space") + token
		}
		got, err := Parse(text, s)
		if err != nil || got != want {
			t.Fatalf("%q: %v", text, err)
		}
	})
}

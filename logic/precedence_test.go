package logic

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// level is a group of binary operators that bind alike.
type level struct {
	operators []string
	fromRight bool
}

// connectiveLevels are the Boolean connectives from what binds least to what
// binds most, as Spot's documentation has them.
var connectiveLevels = []level{
	{[]string{"->", "<->"}, true},
	{[]string{"|"}, false},
	{[]string{"xor"}, false},
	{[]string{"&"}, false},
}

// temporalLevels has the temporal connectives below them.
var temporalLevels = append(slices.Clone(connectiveLevels), level{[]string{"U", "R", "W", "M"}, true})

// parenthesized puts operands[0] operators[0] operands[1] … in parentheses as
// the levels demand: it splits at the operator that binds least, and of several
// at the first one if they group from the right, else at the last. It is the
// definition of precedence, and shares nothing with the grammars.
func parenthesized(operands, operators []string, levels []level) string {
	if len(operators) == 0 {
		return operands[0]
	}
	for _, l := range levels {
		split := -1
		for i, o := range operators {
			if slices.Contains(l.operators, o) && (split < 0 || !l.fromRight) {
				split = i
			}
		}
		if split >= 0 {
			left := parenthesized(operands[:split+1], operators[:split], levels)
			right := parenthesized(operands[split+1:], operators[split+1:], levels)
			return "(" + left + ") " + operators[split] + " (" + right + ")"
		}
	}
	panic("an operator without a level: " + strings.Join(operators, " "))
}

// drawFlat draws operands and operators between them, and their text without
// parentheses.
func drawFlat(t *rapid.T, operand *rapid.Generator[string], levels []level) (operands, operators []string, text string) {
	var all []string
	for _, l := range levels {
		all = append(all, l.operators...)
	}
	operands = rapid.SliceOfN(operand, 1, 8).Draw(t, "operands")
	operators = rapid.SliceOfN(rapid.SampledFrom(all), len(operands)-1, len(operands)-1).Draw(t, "operators")
	text = operands[0]
	for i, o := range operators {
		text += " " + o + " " + operands[i+1]
	}
	return operands, operators, text
}

func TestFormulaPrecedence(t *testing.T) {
	operand := rapid.SampledFrom([]string{"a", "b", "c", "!a", "Xb", "F!c", "GFa", "X[2]b", "p1>=2"})
	rapid.Check(t, func(t *rapid.T) {
		operands, operators, text := drawFlat(t, operand, temporalLevels)
		s := NewFormulas()
		flat, err := ParseFormula(text, s)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		explicit := parenthesized(operands, operators, temporalLevels)
		want, err := ParseFormula(explicit, s)
		if err != nil {
			t.Fatalf("%s: %v", explicit, err)
		}
		if flat != want {
			t.Fatalf("%s is read as %s, want %s", text, s.Text(flat, SpotSyntax), explicit)
		}
	})
}

func TestPredicatePrecedence(t *testing.T) {
	operand := rapid.SampledFrom([]string{"p", "!q", "p <= 2", "p + 2*q - r > 1", "deadlock", "!p = q"})
	rapid.Check(t, func(t *rapid.T) {
		operands, operators, text := drawFlat(t, operand, connectiveLevels)
		flat, err := ParsePredicate(text, small)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		explicit := parenthesized(operands, operators, connectiveLevels)
		want, err := ParsePredicate(explicit, small)
		if err != nil {
			t.Fatalf("%s: %v", explicit, err)
		}
		// With parentheses, a & (b & c) has another shape; simplified they agree.
		if !reflect.DeepEqual(flat.Simplify(), want.Simplify()) {
			t.Fatalf("%s is read as %s, want %s", text, flat.Text(small), explicit)
		}
	})
}

// Arithmetic groups from the left, and * binds more than + and -.
func TestArithmeticPrecedence(t *testing.T) {
	levels := []level{{[]string{"+", "-"}, false}, {[]string{"*"}, false}}
	operand := rapid.SampledFrom([]string{"1", "2", "-3", "--1"})
	rapid.Check(t, func(t *rapid.T) {
		operands, operators, text := drawFlat(t, operand, levels)
		flat, err := ParsePredicate("p <= "+text, small)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		explicit := parenthesized(operands, operators, levels)
		want, err := ParsePredicate("p <= "+explicit, small)
		if err != nil || !reflect.DeepEqual(flat, want) {
			t.Fatalf("%s is read as %s, want %s: %v", text, flat.Text(small), explicit, err)
		}
	})
}

// Space and comments between tokens change nothing.
func TestSpaceBetweenTokens(t *testing.T) {
	tokens := strings.Split(`( G F "p1 >= 2" & ! a ) -> [] ( b U X [ 2 ] c ) xor <> F [ 1 : 3 ] d`, " ")
	// What is in quotes is one token.
	tokens = slices.Concat(tokens[:3], []string{`"p1 >= 2"`}, tokens[6:])
	s := NewFormulas()
	want, err := ParseFormula(strings.Join(tokens, " "), s)
	if err != nil {
		t.Fatal(err)
	}
	space := rapid.SampledFrom([]string{" ", "\n", "\t ", "/* G */", " /**/ ", "\u00a0"})
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for _, token := range tokens {
			text += space.Draw(t, "space") + token
		}
		got, err := ParseFormula(text, s)
		if err != nil || got != want {
			t.Fatalf("%q: %v", text, err)
		}
	})
}

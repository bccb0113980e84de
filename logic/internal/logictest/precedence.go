package logictest

import (
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// Level is a group of binary operators that bind alike.
type Level struct {
	Operators []string
	FromRight bool
}

// ConnectiveLevels are the Boolean connectives from what binds least to what
// binds most, as Spot's documentation has them.
var ConnectiveLevels = []Level{
	{[]string{"->", "<->"}, true},
	{[]string{"|"}, false},
	{[]string{"xor"}, false},
	{[]string{"&"}, false},
}

// TemporalLevels has the temporal connectives below them.
var TemporalLevels = append(slices.Clone(ConnectiveLevels), Level{[]string{"U", "R", "W", "M"}, true})

// Parenthesized puts operands[0] operators[0] operands[1] … in parentheses as
// the levels demand: it splits at the operator that binds least, and of several
// at the first one if they group from the right, else at the last. It is the
// definition of precedence, and shares nothing with the grammars.
func Parenthesized(operands, operators []string, levels []Level) string {
	if len(operators) == 0 {
		return operands[0]
	}
	for _, l := range levels {
		split := -1
		for i, o := range operators {
			if slices.Contains(l.Operators, o) && (split < 0 || !l.FromRight) {
				split = i
			}
		}
		if split >= 0 {
			left := Parenthesized(operands[:split+1], operators[:split], levels)
			right := Parenthesized(operands[split+1:], operators[split+1:], levels)
			return "(" + left + ") " + operators[split] + " (" + right + ")"
		}
	}
	panic("an operator without a level: " + strings.Join(operators, " "))
}

// DrawFlat draws operands and operators between them, and their text without
// parentheses.
func DrawFlat(t *rapid.T, operand *rapid.Generator[string], levels []Level) (operands, operators []string, text string) {
	var all []string
	for _, l := range levels {
		all = append(all, l.Operators...)
	}
	operands = rapid.SliceOfN(operand, 1, 8).Draw(t, "operands")
	operators = rapid.SliceOfN(rapid.SampledFrom(all), len(operands)-1, len(operands)-1).Draw(t, "operators")
	text = operands[0]
	for i, o := range operators {
		text += " " + o + " " + operands[i+1]
	}
	return operands, operators, text
}

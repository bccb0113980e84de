package logic

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"pnmc/logic/internal/logictest"
)

func TestPredicatePrecedence(t *testing.T) {
	operand := rapid.SampledFrom([]string{"p", "!q", "p <= 2", "p + 2*q - r > 1", "deadlock", "!p = q"})
	rapid.Check(t, func(t *rapid.T) {
		operands, operators, text := logictest.DrawFlat(t, operand, logictest.ConnectiveLevels)
		flat, err := ParsePredicate(text, logictest.Small)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		explicit := logictest.Parenthesized(operands, operators, logictest.ConnectiveLevels)
		want, err := ParsePredicate(explicit, logictest.Small)
		if err != nil {
			t.Fatalf("%s: %v", explicit, err)
		}
		// With parentheses, a & (b & c) has another shape; simplified they agree.
		if !reflect.DeepEqual(flat.Simplify(), want.Simplify()) {
			t.Fatalf("%s is read as %s, want %s", text, flat.Text(logictest.Small), explicit)
		}
	})
}

// Arithmetic groups from the left, and * binds more than + and -.
func TestArithmeticPrecedence(t *testing.T) {
	levels := []logictest.Level{{Operators: []string{"+", "-"}}, {Operators: []string{"*"}}}
	operand := rapid.SampledFrom([]string{"1", "2", "-3", "--1"})
	rapid.Check(t, func(t *rapid.T) {
		operands, operators, text := logictest.DrawFlat(t, operand, levels)
		flat, err := ParsePredicate("p <= "+text, logictest.Small)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		explicit := logictest.Parenthesized(operands, operators, levels)
		want, err := ParsePredicate("p <= "+explicit, logictest.Small)
		if err != nil || !reflect.DeepEqual(flat, want) {
			t.Fatalf("%s is read as %s, want %s: %v", text, flat.Text(logictest.Small), explicit, err)
		}
	})
}

package logic_test

import (
	"testing"

	"pnmc/logic"
	"pnmc/logic/internal/logictest"
)

// TestCapitalsHideNoPlace: AND, OR and NOT are operators, but where only a name can be they are the
// places that are called so, as they were before they were operators.
func TestCapitalsHideNoPlace(t *testing.T) {
	v := logictest.Names
	v.PlaceIDs = append(append([]string(nil), logictest.Names.PlaceIDs...), "AND", "OR", "NOT")
	for text, want := range map[string]string{
		"AND >= 1 AND OR <= 2":       `tokens-count("AND") >= 1 & tokens-count("OR") <= 2`,
		"NOT <= 2 OR NOT deadlock":   `tokens-count("NOT") <= 2 | !deadlock`,
		"NOT NOT = 0":                `tokens-count("NOT") != 0`,
		"AND + OR + NOT >= 3":        `tokens-count("AND", "OR", "NOT") >= 3`,
		"#tokens(AND, NOT) >= 1":     `tokens-count("AND", "NOT") >= 1`,
		"NOT (OR >= 1) AND deadlock": `!(tokens-count("OR") >= 1) & deadlock`,
	} {
		p, err := logic.ParsePredicate(text, v)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := p.Text(v); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

package chamber

import (
	"testing"

	"pnmc/internal/torture/draw"
	"pnmc/internal/torture/twin"
)

// TestLogicOfPropertyFiles: a file is of branching time if each of its formulas of linear time is.
func TestLogicOfPropertyFiles(t *testing.T) {
	p := twin.Proposition(&twin.Atom{Name: "p"})
	next := twin.Unary(twin.AllPaths, twin.Unary(twin.Next, twin.Unary(twin.Not, p)))
	until := twin.Unary(twin.AllPaths, twin.Binary(twin.Until, p, p))
	nested := twin.Unary(twin.AllPaths, twin.Binary(twin.Until, p, twin.Unary(twin.Finally, p)))
	negated := twin.Unary(twin.AllPaths, twin.Unary(twin.Not, twin.Unary(twin.Next, p)))
	now := twin.Unary(twin.AllPaths, p)
	for _, c := range []struct {
		examination, want string
		formulas          []*twin.Formula
	}{
		{"LTLCardinality", "CTLCardinality", []*twin.Formula{next, until}},
		{"LTLFireability", "LTLFireability", []*twin.Formula{next, nested}},
		{"LTLFireability", "LTLFireability", []*twin.Formula{next, negated}},
		{"LTLFireability", "LTLFireability", []*twin.Formula{next, now}},
		{"CTLFireability", "CTLFireability", []*twin.Formula{next}},
		{"UpperBounds", "UpperBounds", []*twin.Formula{nil}},
		{"LTLFireability", "LTLFireability", []*twin.Formula{nil}},
	} {
		asked := map[string]draw.Question{}
		for i, f := range c.formulas {
			asked[string(rune('a'+i))] = draw.Question{Formula: f}
		}
		if got := logicOf(c.examination, asked); got != c.want {
			t.Errorf("%s with %d formulas: %s, want %s", c.examination, len(c.formulas), got, c.want)
		}
	}
}

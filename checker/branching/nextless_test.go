package branching_test

import (
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker"
	"pnmc/checker/branching"
	"pnmc/checker/internal/checkertest"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
)

// TestWithoutNextFollows: where a formula holds, or does not, what it implies without next steps holds
// too, and has no next steps.
func TestWithoutNextFollows(t *testing.T) {
	refuted := map[bool]int{}
	if !petritest.CheckUntil(t, func() bool { return refuted[true] > 200 && refuted[false] > 200 }, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		f := checkertest.CTL(t, net, 4)
		name := func(p *logic.Predicate) string { return p.Text(checker.Vocabulary(net)) }
		truth := checkertest.Truth(net, g, f)
		for _, holds := range []bool{true, false} {
			for _, goesOn := range []bool{true, false} {
				implied := branching.WithoutNext(f, holds, goesOn)
				if branching.HasNext(implied) {
					t.Fatalf("%s looks at next steps", implied.Text(name))
				}
				for i, value := range checkertest.Truth(net, g, implied) {
					if goesOn && len(g.Edges[i]) == 0 {
						continue
					}
					if !value && branching.HasNext(f) {
						refuted[goesOn]++
					}
					if truth[i] == holds && !value {
						t.Fatalf("%s is %t in marking %d, but not what follows, %s", f.Text(name), holds, i, implied.Text(name))
					}
				}
			}
		}
	}) {
		t.Errorf("formulas with next steps that were refuted: %v", refuted)
	}
}

// TestWithoutNext has examples.
func TestWithoutNext(t *testing.T) {
	p := ctl.Of(&logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Terms: []logic.Term{{Place: 0, Coefficient: 1}}}})
	name := func(*logic.Predicate) string { return "p" }
	next := ctl.New(ctl.ExistsNext, p)
	for _, c := range []struct {
		formula       *ctl.Formula
		holds, goesOn bool
		want          string
	}{
		{next, true, false, "EF (p)"},
		{next, false, false, "(true)"},
		{next, false, true, "EF (!p)"},
		{ctl.New(ctl.AllGlobally, next), true, false, "AG EF (p)"},
		{ctl.New(ctl.ExistsFinally, next), false, true, "EF AG (!p)"},
		{ctl.New(ctl.ExistsUntil, p, next), true, false, "E((p) U EF (p))"},
		{ctl.New(ctl.ExistsUntil, p, ctl.New(ctl.AllNext, p)), false, false, "!E((p) U !EF (!p))"},
	} {
		implied := branching.WithoutNext(c.formula, c.holds, c.goesOn).MergeStates()
		got := implied.Text(func(q *logic.Predicate) string {
			switch q.Operator {
			case logic.True:
				return "true"
			case logic.Not:
				return "!p"
			}
			return name(q)
		})
		if got != c.want {
			t.Errorf("%s is %t: %s follows, want %s", c.formula.Text(name), c.holds, got, c.want)
		}
	}
}

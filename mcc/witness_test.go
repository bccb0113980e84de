package mcc

import (
	"testing"

	"pnmc/checker"
	"pnmc/checker/branching"
	"pnmc/internal/petritest"
	"pnmc/petri"
)

// TestFormulasOfCTLInWords: --explain tells what kind of engine decided a formula of CTL, and
// each run that was replayed.
func TestFormulasOfCTLInWords(t *testing.T) {
	net := petritest.Philosophers(2)
	step := &branching.Run{Prefix: []petri.Transition{0}}
	runs := checker.Witness{Ground: checker.Branches, Net: net, Branches: []*branching.Run{step, step}}
	name := net.TransitionLabel(0).ID
	for _, c := range []struct {
		by    checker.Techniques
		shown checker.Witness
		want  string
	}{
		{checker.RandomWalk, runs, "replayed: a run of 1 steps: " + name + "; a run of 1 steps: " + name},
		{checker.ExplicitSearch, runs, "decided on the fly; replayed: a run of 1 steps: " + name + "; a run of 1 steps: " + name},
		{checker.DecisionDiagrams, checker.Witness{Ground: checker.Branches}, "decided by sets of markings; no run can show it"},
		{checker.ExplicitSearch, checker.Witness{Ground: checker.Branches, Count: 9}, "on all of 9 states; no run can show it"},
	} {
		if got := shown(checker.Problem{Net: net}, checker.Answer{By: c.by, Witness: c.shown}); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

package checker_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/checker"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/checkertest"
	"pnmc/internal/petritest"
)

// TestWithout leaves out techniques, one or several: what is answered is right, and rests on none of
// them. Each is also needed for something: some answer rests on it where it is not left out.
func TestWithout(t *testing.T) {
	// No solver is named here: external_test.go has that.
	names := slices.DeleteFunc(inquiry.Avoidable(), func(name string) bool { return name == "sat-smt" })
	// Symmetries serve nets with more markings than these have (symmetries_test.go).
	unused, undecided := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "symmetries" }), 0
	technique := func(name string) checker.Techniques {
		parsed, err := checker.ParseTechniques(name)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	if !petritest.CheckUntil(t, func() bool { return len(unused) == 0 && undecided > 0 }, func(t *rapid.T) {
		problem := checker.Problem{}
		var w *checkertest.Twin
		var q, same checker.Question
		kind := rapid.SampledFrom(kinds).Draw(t, "kind")
		if rapid.IntRange(0, 3).Draw(t, "coloured") == 0 {
			problem.Coloured, w = smallColoured(t)
			q, same = drawColoured(t, problem.Coloured, kind)
		} else {
			net, g := checkertest.AnyNet(t)
			if len(g.Markings) > checkertest.MostMarkings || net.Places() == 0 || net.Transitions() == 0 {
				t.Skip("not a net for this test")
			}
			problem.Net, w = net, checkertest.NewTwin(net, g)
			q, same = drawQuestion(t, net, kind)
		}
		// Few are left out, or all but explicit search and one more: some answer little otherwise.
		var without checker.Techniques
		few := rapid.Bool().Draw(t, "few")
		if few {
			for range rapid.IntRange(0, 4).Draw(t, "without") {
				without |= technique(rapid.SampledFrom(names).Draw(t, "technique"))
			}
		} else {
			kept := checker.ExplicitSearch | checker.StubbornSets // which few questions need
			if rapid.Bool().Draw(t, "another") {
				kept = checker.ExplicitSearch | technique(rapid.SampledFrom(names).Draw(t, "kept"))
			}
			for _, name := range names {
				without |= technique(name)
			}
			without &^= kept
		}
		var e explained
		// With one thread the coloured net has its turn before the unfolded one. With more, the unfolded net is so
		// small that the skeleton shows something first once in hundreds of questions.
		threads := rapid.IntRange(0, 1).Draw(t, "threads")
		s, err := checker.New(problem, checker.Options{Explain: e.say, MemoryBytes: testMemory, Without: without, Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		a := decideAll(t, ctx, s, []checker.Question{q})[0]
		want, ok := w.Answer(same)
		switch {
		case a.By&without != 0 && a.Witness.Ground != checker.NetStructure:
			t.Fatalf("without %v, %s %v is decided by %v\n%s", without, kind, q, a.By, e.text.String())
		case ok && a.Value.IsKnown() && !a.Value.Equal(want):
			t.Fatalf("without %v, %s %v is %v, should be %v\n%s", without, kind, q, a.Value, want, e.text.String())
		case e.defect() != "":
			t.Fatal(e.defect())
		case !a.Value.IsKnown() && ctx.Err() == nil:
			undecided++
		}
		unused = slices.DeleteFunc(unused, func(name string) bool { return a.By&technique(name) != 0 })
	}) {
		t.Errorf("no answer rests on %v; %d were not decided without something", unused, undecided)
	}
}

// TestParseTechniques reads names in small and capital letters, and refuses what nothing can be
// decided without.
func TestParseTechniques(t *testing.T) {
	for list, want := range map[string]checker.Techniques{
		"explicit": checker.ExplicitSearch, "EXPLICIT": checker.ExplicitSearch,
		"random-walk, DECISION_DIAGRAMS": checker.RandomWalk | checker.DecisionDiagrams,
		"":                               0, "initial-state": 0, "state-compression": 0, "explicit,": 0, "walks": 0,
	} {
		got, err := checker.ParseTechniques(list)
		if got != want || (err == nil) != (want != 0) {
			t.Errorf("%q is read as %v, %v; expected %v", list, got, err, want)
		}
	}
	_, err := checker.ParseTechniques("walks")
	if want := `expected some of explicit, decision-diagrams, random-walk, lp-approx, structural-reduction, topological, query-reduction, cpn-approx, stubborn-sets, symmetries, sat-smt, found "walks"`; err.Error() != want {
		t.Errorf("the error is %q, expected %q", err, want)
	}
}

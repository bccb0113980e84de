package tree_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker"
	"pnmc/checker/branching"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/internal/core/coretest"
	"pnmc/checker/internal/tree"
	"pnmc/internal/petritest"
	"pnmc/logic"
)

// TestOrbitsAgreeWithNaiveTwin: on markings that stand for their images formulas have the values that they have on all, and runs
// that show them are replayed on the net.
func TestOrbitsAgreeWithNaiveTwin(t *testing.T) {
	answered, shown, cycles := map[bool]int{}, 0, 0
	if !petritest.CheckManyUntil(t, 1000, func() bool {
		return answered[true] > 30 && answered[false] > 30 && shown > 30 && cycles > 5
	}, func(t *rapid.T) {
		c := petritest.Rows().Draw(t, "net")
		g, complete := petritest.Explore(c.Net, 400)
		if !complete {
			t.Skip("too many markings")
		}
		var questions []inquiry.Question
		var want []bool
		var texts []string
		for range 3 {
			f := checkertest.AlikeCTL(t, c, 4)
			questions = append(questions, inquiry.Branching{Formula: f})
			want = append(want, checkertest.Truth(c.Net, g, f)[0])
			texts = append(texts, f.Text(func(p *logic.Predicate) string { return p.Text(checker.Vocabulary(c.Net)) }))
		}
		for _, a := range coretest.Decide(tree.Orbits, c.Net, questions...) {
			if a.Value != inquiry.Truth(want[a.Question]) {
				t.Fatalf("%s is %v, should be %t, by %v", texts[a.Question], a.Value, want[a.Question], a.By)
			}
			if a.Witness.Unshown != nil {
				t.Fatalf("%s is not shown: %v", texts[a.Question], a.Witness.Unshown)
			}
			if a.By&inquiry.Symmetries == 0 {
				continue
			}
			answered[want[a.Question]]++
			if len(a.Witness.Branches) > 0 {
				shown++
			}
			if slices.ContainsFunc(a.Witness.Branches, func(r *branching.Run) bool { return len(r.Cycle) > 0 }) {
				cycles++
			}
		}
	}) {
		t.Errorf("answered %v, %d of them shown, %d by cycles", answered, shown, cycles)
	}
}

package linear

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/core/coretest"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// TestFoldedAgreesWithNaiveTwin: questions that are tried by symmetries at once have the answers of the naive twin, some on a graph for
// all of them and some on one of their own, and what shows them replays. Some predicates tell the components apart.
func TestFoldedAgreesWithNaiveTwin(t *testing.T) {
	answered := map[bool]int{}
	shared, alone := 0, 0
	if !petritest.CheckManyUntil(t, 1000, func() bool {
		return answered[true] > 10 && answered[false] > 10 && shared > 20 && alone > 10
	}, func(t *rapid.T) {
		c := petritest.Rows().Draw(t, "net")
		g, complete := petritest.Explore(c.Net, 300)
		if !complete {
			t.Skip("too many markings")
		}
		var questions []inquiry.Question
		for range 3 {
			f := ltl.NewFormulas()
			q := inquiry.Linear{Formulas: f, Formula: checkertest.Linear(t, f, []string{"a", "b"}, 3)}
			for range f.Propositions() {
				q.Predicates = append(q.Predicates, checkertest.Alike(t, c))
			}
			if len(q.Predicates) > 0 && rapid.IntRange(0, 3).Draw(t, "tells apart") == 0 {
				q.Predicates[0] = &logic.Predicate{Operator: logic.AtMost, Sum: checkertest.Sum(t, c.Net)}
			}
			questions = append(questions, q)
		}
		var p *products
		twin := checkertest.NewTwin(c.Net, g)
		for _, a := range coretest.Decide(func(ctx context.Context, r *core.Task) error {
			p = newProducts(r, false)
			p.foldAt = 1
			return p.check(ctx)
		}, c.Net, questions...) {
			want, ok := twin.Answer(questions[a.Question])
			if ok && a.Value != want {
				t.Fatalf("question %d is %v, should be %v, by %v", a.Question, a.Value, want, a.By)
			}
			if a.By&inquiry.Symmetries != 0 && a.Value == inquiry.Truth(false) && len(a.Witness.Cycle) == 0 && !a.Witness.Ends {
				t.Fatalf("question %d is violated, and no run shows it: %+v", a.Question, a.Witness)
			}
			if ok && a.By&inquiry.Symmetries != 0 {
				answered[want == inquiry.Truth(true)]++
			}
		}
		for _, check := range p.checks {
			switch {
			case check.alike == nil:
			case p.folded != nil && check.alike == p.folded.alike:
				shared++
			default:
				alone++
			}
		}
	}) {
		t.Errorf("answered by symmetries %v; on the graph of all %d, on their own %d", answered, shared, alone)
	}
	t.Logf("answered by symmetries %v; on the graph of all %d, on their own %d", answered, shared, alone)
}

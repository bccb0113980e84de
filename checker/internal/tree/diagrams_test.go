package tree

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/asking"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/internal/core/coretest"
	"pnmc/internal/petritest"
)

// TestOnNetAsItIs: where the net as it is has the first diagram, formulas are decided on that, as the
// definitions do, and replayed.
func TestOnNetAsItIs(t *testing.T) {
	used := 0
	petritest.CheckMany(t, 200, func(draw *rapid.T) {
		net, g := checkertest.AnyNet(draw)
		r, record := coretest.NewTask(t, net, 4, time.Minute)
		var questions []inquiry.Question
		var want []bool
		for range 4 {
			f := checkertest.CTL(draw, net, 4)
			questions = append(questions, inquiry.Branching{Formula: f})
			want = append(want, checkertest.Truth(net, g, f)[0])
		}
		for _, p := range asking.Parts(questions, r.Ledger.Answers) {
			r.Family = p.Family
			asking.Put(t.Context(), r, p, questions)
		}
		open := r.Ledger.OpenQuestions()
		if len(open) == 0 {
			return
		}
		asItIs := r.NetAsItIs(t.Context(), netFor(t.Context(), r, open...))
		if asItIs == nil {
			return
		}
		s, err := r.Diagram(t.Context(), asItIs.Net)
		if err != nil {
			draw.Fatal(err)
		}
		r.KeepDiagram(s)
		if err := Diagrams(t.Context(), r); err != nil {
			draw.Fatal(err)
		}
		for i, is := range want {
			a := record.Answer(i)
			if a.Value != inquiry.Truth(is) || a.Witness.Unshown != nil {
				draw.Fatalf("question %d is %v, should be %t; not shown: %v", i, a.Value, is, a.Witness.Unshown)
			}
			if a.By == inquiry.DecisionDiagrams {
				used++
			}
		}
	})
	if used == 0 {
		t.Error("no formula was decided on the net as it is")
	}
}

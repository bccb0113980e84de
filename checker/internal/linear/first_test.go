package linear

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/checker/internal/core/coretest"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/runs"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// marked returns whether a place has so many tokens.
func marked(place uint32, tokens int64) *logic.Predicate {
	return &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: tokens, Terms: []logic.Term{{Place: place, Coefficient: -1}}}}
}

// TestFirstRuns: on random nets, "always p" and "never p" are answered only if a marking that the naive
// exploration finds violates them, and some are. What is not answered is not put on the ledger.
func TestFirstRuns(t *testing.T) {
	answered := 0
	if !petritest.CheckUntil(t, func() bool { return answered > 0 }, func(rt *rapid.T) {
		net, g := petritest.SmallNet(rt)
		if net.Places() == 0 {
			rt.Skip("no place")
		}
		place := uint32(rapid.IntRange(0, net.Places()-1).Draw(rt, "place"))
		tokens := rapid.Int64Range(0, 3).Draw(rt, "tokens")
		r, record := coretest.NewTask(t, net, 2, time.Minute)
		var questions []*ledger.Question
		for i := range 2 {
			s := ltl.NewFormulas()
			l := &runs.Question{Formulas: s, Predicates: []*logic.Predicate{marked(place, tokens)}}
			if l.Formula = s.Globally(s.Atom("1")); i == 1 {
				l.Formula = s.Globally(s.Not(s.Atom("1")))
			}
			l.Negated = s.Not(l.Formula)
			questions = append(questions, &ledger.Question{Number: i, LTL: l})
		}
		if err := firstRunsOf(t.Context(), r, questions); err != nil {
			rt.Fatal(err)
		}
		for i := range questions {
			if !record.Value(i).IsKnown() {
				continue
			}
			answered++
			violated := false
			for _, m := range g.Markings {
				violated = violated || (m[place] >= tokens) == (i == 1)
			}
			if !violated || record.Value(i).IsTrue() {
				rt.Fatalf("question %d is answered %v, and no marking violates it", i, record.Value(i))
			}
		}
		if open := r.Ledger.OpenQuestions(); len(open) > 0 {
			rt.Fatalf("%d questions were put and are open", len(open))
		}
	}) {
		t.Error("nothing was answered")
	}
}

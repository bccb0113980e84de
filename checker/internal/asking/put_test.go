package asking_test

import (
	"context"
	"testing"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/asking"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/rephrase"
	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/ltl"
)

// TestAnswersDontWaitForOthers: what the initial marking shows is answered before any
// predicate is simplified, and its own are not simplified at all.
func TestAnswersDontWaitForOthers(t *testing.T) {
	net := petritest.Kanban(3)
	place, _ := net.PlaceByID("Pout1")
	marked := func(count int64) *logic.Predicate {
		return &logic.Predicate{Operator: logic.AtMost,
			Sum: logic.Sum{Constant: count, Terms: []logic.Term{{Place: uint32(place), Coefficient: -1}}}}
	}
	ask := func(operator ctl.Operator, count int64) inquiry.Question {
		return inquiry.Branching{Formula: ctl.New(operator, ctl.Of(marked(count)))}
	}
	questions := []inquiry.Question{
		ask(ctl.ExistsFinally, 2),
		ask(ctl.ExistsFinally, 0), // holds at once
		ask(ctl.AllGlobally, 1),   // is violated at once
		ask(ctl.AllFinally, 1),
		ask(ctl.AllFinally, 0), // holds at once
	}
	given := 0
	answers := ledger.NewAnswers(len(questions), func(inquiry.Answer) { given++ })
	shared := core.NewShared(core.Settings{}, 1)
	simplified := 0
	task := &core.Task{
		Shared: shared, Clock: core.Clock{Start: time.Now(), Horizon: time.Minute}, Whole: t.Context(),
		Net: net, Groups: rephrase.SameNodes(net.Places(), net.Transitions()), Facts: shared.FactsAbout(net),
		Ledger: &ledger.Ledger{Net: net, Answers: answers},
		Simplify: func(p *logic.Predicate) (*logic.Predicate, inquiry.Techniques) {
			if given != 3 {
				t.Errorf("%d questions are answered when predicates begin to be simplified, want 3", given)
			}
			simplified++
			return p, 0
		},
	}
	for _, p := range asking.Parts(questions, answers) {
		task.Family = p.Family
		asking.Put(t.Context(), task, p, questions)
	}
	if given != 3 || simplified != 2 {
		t.Errorf("%d answers, %d predicates simplified, want 3 and 2", given, simplified)
	}
}

// TestQuestionsEndWithTheirTask: once the task's context ends no more formulas are simplified, and no
// questions put, whether predicates are simplified or not.
func TestQuestionsEndWithTheirTask(t *testing.T) {
	net := petritest.Kanban(3)
	holds := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Terms: []logic.Term{{Place: 0, Coefficient: -1}}}}
	questions := make([]inquiry.Question, 50)
	for i := range questions {
		questions[i] = inquiry.Branching{Formula: ctl.New(ctl.ExistsFinally, ctl.Of(holds))}
	}
	const looks = 20
	for _, simplify := range []core.Simplification{nil, func(p *logic.Predicate) (*logic.Predicate, inquiry.Techniques) { return p, 0 }} {
		given := 0
		answers := ledger.NewAnswers(len(questions), func(inquiry.Answer) { given++ })
		shared := core.NewShared(core.Settings{}, 1)
		task := &core.Task{
			Shared: shared, Clock: core.Clock{Start: time.Now(), Horizon: time.Minute}, Whole: account.EndsAfter(looks),
			Net: net, Groups: rephrase.SameNodes(net.Places(), net.Transitions()), Facts: shared.FactsAbout(net),
			Ledger: &ledger.Ledger{Net: net, Answers: answers}, Simplify: simplify,
		}
		for _, p := range asking.Parts(questions, answers) {
			asking.Put(t.Context(), task, p, questions)
		}
		if given == 0 || given > looks {
			t.Errorf("%d questions of %d were answered within %d looks", given, len(questions), looks)
		}
	}
}

// TestLinearAnswersDontWaitForOthers: so it is with formulas of linear time. Then comes the first look, at
// those that are open; what it answers is not put again, and nothing of a net where firings mean nothing
// is looked at.
func TestLinearAnswersDontWaitForOthers(t *testing.T) {
	net := petritest.Kanban(3)
	place, _ := net.PlaceByID("Pout1")
	ask := func(count int64) inquiry.Question {
		s := ltl.NewFormulas()
		marked := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: count, Terms: []logic.Term{{Place: uint32(place), Coefficient: -1}}}}
		return inquiry.Linear{Formulas: s, Predicates: []*logic.Predicate{marked}, Formula: s.Finally(s.Atom("marked"))}
	}
	questions := []inquiry.Question{ask(1), ask(0), ask(2)} // the second one holds at once
	for _, folded := range []bool{false, true} {
		given := 0
		answers := ledger.NewAnswers(len(questions), func(inquiry.Answer) { given++ })
		shared := core.NewShared(core.Settings{}, 1)
		task := &core.Task{
			Shared: shared, Clock: core.Clock{Start: time.Now(), Horizon: time.Minute}, Whole: t.Context(), Folded: folded,
			Net: net, Groups: rephrase.SameNodes(net.Places(), net.Transitions()), Facts: shared.FactsAbout(net),
			Ledger: &ledger.Ledger{Net: net, Answers: answers},
		}
		looked, simplified := 0, 0
		task.FirstLook = func(_ context.Context, r *core.Task, open []*ledger.Question) error {
			if looked = len(open); given != 1 || simplified > 0 {
				t.Errorf("%d answers, %d predicates simplified before the first look", given, simplified)
			}
			r.Ledger.Ask(open[0])
			r.Ledger.AnswerNow(open[0], inquiry.Truth(false), inquiry.RandomWalk, inquiry.Witness{})
			return nil
		}
		task.Simplify = func(p *logic.Predicate) (*logic.Predicate, inquiry.Techniques) {
			simplified++
			return p, 0
		}
		for _, p := range asking.Parts(questions, answers) {
			task.Family = p.Family
			asking.Put(t.Context(), task, p, questions)
		}
		want := [3]int{2, 1, 2} // looked at, simplified, answered
		if folded {
			want = [3]int{0, 2, 1}
		}
		if got := [3]int{looked, simplified, given}; got != want {
			t.Errorf("folded %v: looked at, simplified and answered %v, want %v", folded, got, want)
		}
	}
}

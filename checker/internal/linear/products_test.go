package linear

import (
	"testing"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/asking"
	"pnmc/checker/internal/core/coretest"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// TestOneFormulaOnASharedGraph: formulas with X share a state graph, but one that is tried while another is has
// one of its own; where memory is short, the graphs on which nobody works start again, and no others.
func TestOneFormulaOnASharedGraph(t *testing.T) {
	var questions []inquiry.Question
	for p := range uint32(3) {
		f := ltl.NewFormulas()
		a := f.Atom("a")
		at := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Terms: []logic.Term{{Place: p, Coefficient: 1}}}}
		questions = append(questions, inquiry.Linear{Formulas: f, Formula: f.Globally(f.Or(f.Next(f.Not(a)), f.Next(f.Next(a)))), Predicates: []*logic.Predicate{at}})
	}
	r, _ := coretest.NewTask(t, petritest.Philosophers(3), len(questions), time.Minute)
	for _, p := range asking.Parts(questions, r.Ledger.Answers) {
		r.Family = p.Family
		asking.Put(t.Context(), r, p, questions)
	}
	open := r.Ledger.OpenQuestions()
	if len(open) != len(questions) {
		t.Fatalf("%d of %d questions are open", len(open), len(questions))
	}
	p := newProducts(r, false)
	p.open = open
	first := p.begin(t.Context(), open[0], time.Second)
	second := p.begin(t.Context(), open[1], time.Second)
	if first.owner != p.shared || second.owner != second || first.kripke == second.kripke || first.net != second.net {
		t.Error("two formulas with X that are tried beside each other have the same graph, or not the same net")
	}
	p.end(first, first.owner)
	third := p.begin(t.Context(), open[2], time.Second)
	if third.owner != p.shared || third.kripke != first.kripke {
		t.Error("a formula with X does not go on with the graph of another that is not tried any more")
	}
	busy, idle, mine := second.kripke, first.kripke, third.kripke
	if p.dropGraphs(third); second.kripke != busy || first.kripke == idle || third.kripke == mine {
		t.Error("to make room, the graphs that nobody else works on are to start again, and no others")
	}
}

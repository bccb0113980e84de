package tree

import (
	"testing"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/asking"
	"pnmc/checker/internal/core/coretest"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
)

// TestOneQuestionOnAGraph: questions that are tried at the same time have state graphs of their own, of the same net;
// one that comes later goes on with one that is there.
func TestOneQuestionOnAGraph(t *testing.T) {
	deadlock := ctl.New(ctl.AllGlobally, ctl.New(ctl.ExistsFinally, ctl.Of(&logic.Predicate{Operator: logic.Deadlocked})))
	r, _ := coretest.NewTask(t, petritest.Philosophers(3), 2, time.Minute)
	questions := []inquiry.Question{inquiry.Branching{Formula: deadlock}, inquiry.Branching{Formula: deadlock}}
	for _, p := range asking.Parts(questions, r.Ledger.Answers) {
		r.Family = p.Family
		asking.Put(t.Context(), r, p, questions)
	}
	n := newNets(r)
	open := r.Ledger.OpenQuestions()
	net := n.of(t.Context(), open[0])
	if net == nil || n.of(t.Context(), open[1]) != net {
		t.Fatal("two questions that look at deadlocks do not have the same net")
	}
	first := n.take(net)
	second := n.take(net)
	if first.Kripke == second.Kripke || first.Net != second.Net {
		t.Error("two questions have the same state graph at the same time")
	}
	n.giveBack(net, second)
	if n.take(net) != second || len(n.all) != 2 {
		t.Errorf("%d state graphs are made, expected 2", len(n.all))
	}
	n.giveBack(net, first)
	working, idle := second.Kripke, first.Kripke
	n.own[open[0]] = net
	if n.renew(); second.Kripke != working || first.Kripke == idle {
		t.Error("to make room, the graphs that nobody works on are to start again, and no others")
	}
}

package runs_test

import (
	"testing"

	"pnmc/checker/internal/runs"
	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// TestTruthAtEndsWithContext: a formula that is not in negation normal form is decided, unless time is over
// before it could be brought into that.
func TestTruthAtEndsWithContext(t *testing.T) {
	net := petritest.Kanban(1)
	s := ltl.NewFormulas()
	l := &runs.Question{Formulas: s, Predicates: []*logic.Predicate{{Operator: logic.True}, {Operator: logic.False}}}
	l.Formula = s.Not(s.And(s.Atom("a"), s.Xor(s.Atom("b"), s.Finally(s.Atom("a")))))
	if truth := l.TruthAt(account.EndsAfter(100), net, net.Initial()); truth != runs.No {
		t.Errorf("%v", truth)
	}
	if truth := l.TruthAt(account.EndsAfter(0), net, net.Initial()); truth != runs.Unknown {
		t.Errorf("without time: %v", truth)
	}
}

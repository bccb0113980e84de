package runs

import (
	"testing"

	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/ltl"
)

// TestEvidence has runs of one to three markings, and what they do and do not show
// of CTL; p is known to hold, or not to, or neither.
func TestEvidence(t *testing.T) {
	p := &logic.Predicate{Operator: logic.Fireable}
	state := ctl.Of(p)
	on := func(o ctl.Operator, operands ...*ctl.Formula) *ctl.Formula { return ctl.New(o, operands...) }
	open := func(letters ...Truth) Evidence {
		return Evidence{Length: len(letters), Letters: map[*logic.Predicate][]Truth{p: letters}, Loop: -1}
	}
	ended := func(letters ...Truth) Evidence { e := open(letters...); e.Ended = true; return e }
	around := func(loop int, letters ...Truth) Evidence { e := open(letters...); e.Loop = loop; return e }
	globally, finally := on(ctl.ExistsGlobally, state), on(ctl.ExistsFinally, state)
	for _, c := range []struct {
		what string
		e    Evidence
		f    *ctl.Formula
		want Truth
	}{
		{"p holds", open(Yes), state, Yes},
		{"p does not hold", open(No), state, No},
		{"p is not known", open(Unknown), state, Unknown},
		{"EF p, not yet", open(No, No), finally, Unknown},
		{"EF p, at last", open(No, Unknown, Yes), finally, Yes},
		{"EF p, never", ended(No), finally, No},
		{"EF p, not on this path", ended(No, No), finally, Unknown},
		{"EG p, so far", open(Yes, Yes), globally, Unknown},
		{"EG p, around a loop", around(0, Yes, Yes), globally, Yes},
		{"EG p, around a loop with one not known", around(1, Yes, Unknown), globally, Unknown},
		{"EG p, up to a deadlock", ended(Yes, Yes), globally, Yes},
		{"EG p, not now", open(No), globally, No},
		{"AG p, not later", open(Yes, No), on(ctl.AllGlobally, state), No},
		{"AG p, on one path", around(0, Yes), on(ctl.AllGlobally, state), Unknown},
		{"AF p, never around a loop", around(1, No, No), on(ctl.AllFinally, state), No},
		{"AF p, late on one path", open(No, Yes), on(ctl.AllFinally, state), Unknown},
		{"EX p", open(No, Yes), on(ctl.ExistsNext, state), Yes},
		{"EX p in a deadlock", ended(Yes), on(ctl.ExistsNext, state), No},
		{"AX p in a deadlock", ended(No), on(ctl.AllNext, state), Yes},
		{"AX p, of a successor that is not", open(Yes, No), on(ctl.AllNext, state), No},
		{"AX p, of one successor", open(Yes, Yes), on(ctl.AllNext, state), Unknown},
		{"E p U not p", open(Yes, Yes, No), on(ctl.ExistsUntil, state, ctl.New(logic.Not, state)), Yes},
		{"A p U not p, never", around(0, Yes, Yes), on(ctl.AllUntil, state, ctl.New(logic.Not, state)), No},
		{"E not p U p, never in a deadlock", ended(No), on(ctl.ExistsUntil, ctl.New(logic.Not, state), state), No},
	} {
		work := new(account.Account)
		shown, err := c.e.Proves(work, c.f, false)
		refuted, failed := c.e.Proves(work, c.f, true)
		if shown && refuted || err != nil || failed != nil {
			t.Errorf("%s: %t, %t; %v, %v", c.what, shown, refuted, err, failed)
		}
		if got := c.e.TruthOf(work, c.f); got != c.want {
			t.Errorf("%s: %d, should be %d", c.what, got, c.want)
		}
	}
}

// TestEvidenceEndsWithWork: nothing is sure, and nothing refuted, where time is over before all parts of a formula
// were looked at.
func TestEvidenceEndsWithWork(t *testing.T) {
	const length, parts = 100_000, 100
	letters := make([]Truth, length)
	letters[parts] = Yes
	p := &logic.Predicate{Operator: logic.True}
	e := &Evidence{Length: length, Loop: -1, Letters: map[*logic.Predicate][]Truth{p: letters}}
	l := &Question{Formulas: ltl.NewFormulas(), Predicates: []*logic.Predicate{p}}
	l.Formula = l.Formulas.Atom("p")
	f := ctl.Of(p)
	for range parts {
		l.Formula, f = l.Formulas.Next(l.Formula), ctl.New(ctl.ExistsNext, f)
	}
	for _, looks := range []int{0, 1, 20} {
		if yes, err := e.Surely(account.Of(account.EndsAfter(looks)), l, l.Formula); yes || err == nil {
			t.Errorf("LTL after %d looks: %t, %v", looks, yes, err)
		}
		if truth := e.TruthOf(account.Of(account.EndsAfter(looks)), f); truth != Unknown {
			t.Errorf("CTL after %d looks: %v", looks, truth)
		}
	}
	work := new(account.Account)
	if yes, err := e.Surely(work, l, l.Formula); !yes || err != nil || e.TruthOf(work, f) != Yes {
		t.Errorf("without a limit: %t, %v, %v", yes, err, e.TruthOf(work, f))
	}
}

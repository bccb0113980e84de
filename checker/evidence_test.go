package checker

import (
	"testing"

	"pnmc/logic"
	"pnmc/logic/ctl"
)

// TestEvidence has runs of one to three markings, and what they do and do not show
// of CTL; p is known to hold, or not to, or neither.
func TestEvidence(t *testing.T) {
	p := &logic.Predicate{Operator: logic.Fireable}
	state := ctl.Of(p)
	on := func(o ctl.Operator, operands ...*ctl.Formula) *ctl.Formula { return ctl.New(o, operands...) }
	open := func(letters ...truth) evidence {
		return evidence{length: len(letters), letters: map[*logic.Predicate][]truth{p: letters}, loop: -1}
	}
	ended := func(letters ...truth) evidence { e := open(letters...); e.ended = true; return e }
	around := func(loop int, letters ...truth) evidence { e := open(letters...); e.loop = loop; return e }
	globally, finally := on(ctl.ExistsGlobally, state), on(ctl.ExistsFinally, state)
	for _, c := range []struct {
		what string
		e    evidence
		f    *ctl.Formula
		want truth
	}{
		{"p holds", open(yes), state, yes},
		{"p does not hold", open(no), state, no},
		{"p is not known", open(unknown), state, unknown},
		{"EF p, not yet", open(no, no), finally, unknown},
		{"EF p, at last", open(no, unknown, yes), finally, yes},
		{"EF p, never", ended(no), finally, no},
		{"EF p, not on this path", ended(no, no), finally, unknown},
		{"EG p, so far", open(yes, yes), globally, unknown},
		{"EG p, around a loop", around(0, yes, yes), globally, yes},
		{"EG p, around a loop with one not known", around(1, yes, unknown), globally, unknown},
		{"EG p, up to a deadlock", ended(yes, yes), globally, yes},
		{"EG p, not now", open(no), globally, no},
		{"AG p, not later", open(yes, no), on(ctl.AllGlobally, state), no},
		{"AG p, on one path", around(0, yes), on(ctl.AllGlobally, state), unknown},
		{"AF p, never around a loop", around(1, no, no), on(ctl.AllFinally, state), no},
		{"AF p, late on one path", open(no, yes), on(ctl.AllFinally, state), unknown},
		{"EX p", open(no, yes), on(ctl.ExistsNext, state), yes},
		{"EX p in a deadlock", ended(yes), on(ctl.ExistsNext, state), no},
		{"AX p in a deadlock", ended(no), on(ctl.AllNext, state), yes},
		{"AX p, of a successor that is not", open(yes, no), on(ctl.AllNext, state), no},
		{"AX p, of one successor", open(yes, yes), on(ctl.AllNext, state), unknown},
		{"E p U not p", open(yes, yes, no), on(ctl.ExistsUntil, state, ctlNot(state)), yes},
		{"A p U not p, never", around(0, yes, yes), on(ctl.AllUntil, state, ctlNot(state)), no},
		{"E not p U p, never in a deadlock", ended(no), on(ctl.ExistsUntil, ctlNot(state), state), no},
	} {
		got := unknown
		switch shown, refuted := c.e.proves(c.f, false), c.e.proves(c.f, true); {
		case shown && refuted:
			t.Errorf("%s: both", c.what)
		case shown:
			got = yes
		case refuted:
			got = no
		}
		if got != c.want {
			t.Errorf("%s: %d, should be %d", c.what, got, c.want)
		}
	}
}

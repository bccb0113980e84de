package checker

import (
	"testing"

	"pnmc/logic"
)

// TestEvidence has runs of one to three markings, and what they do and do not show
// of CTL; p is known to hold, or not to, or neither.
func TestEvidence(t *testing.T) {
	p := &logic.Predicate{Operator: logic.Fireable}
	state := logic.CTLOf(p)
	on := func(o logic.CTLOperator, operands ...*logic.CTL) *logic.CTL { return logic.NewCTL(o, operands...) }
	open := func(letters ...truth) evidence {
		return evidence{length: len(letters), letters: map[*logic.Predicate][]truth{p: letters}, loop: -1}
	}
	ended := func(letters ...truth) evidence { e := open(letters...); e.ended = true; return e }
	around := func(loop int, letters ...truth) evidence { e := open(letters...); e.loop = loop; return e }
	globally, finally := on(logic.CTLExistsGlobally, state), on(logic.CTLExistsFinally, state)
	for _, c := range []struct {
		what string
		e    evidence
		f    *logic.CTL
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
		{"AG p, not later", open(yes, no), on(logic.CTLAllGlobally, state), no},
		{"AG p, on one path", around(0, yes), on(logic.CTLAllGlobally, state), unknown},
		{"AF p, never around a loop", around(1, no, no), on(logic.CTLAllFinally, state), no},
		{"AF p, late on one path", open(no, yes), on(logic.CTLAllFinally, state), unknown},
		{"EX p", open(no, yes), on(logic.CTLExistsNext, state), yes},
		{"EX p in a deadlock", ended(yes), on(logic.CTLExistsNext, state), no},
		{"AX p in a deadlock", ended(no), on(logic.CTLAllNext, state), yes},
		{"AX p, of a successor that is not", open(yes, no), on(logic.CTLAllNext, state), no},
		{"AX p, of one successor", open(yes, yes), on(logic.CTLAllNext, state), unknown},
		{"E p U not p", open(yes, yes, no), on(logic.CTLExistsUntil, state, ctlNot(state)), yes},
		{"A p U not p, never", around(0, yes, yes), on(logic.CTLAllUntil, state, ctlNot(state)), no},
		{"E not p U p, never in a deadlock", ended(no), on(logic.CTLExistsUntil, ctlNot(state), state), no},
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

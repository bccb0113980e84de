package rewrite

import (
	"context"
	"strconv"
	"testing"

	"pnmc/logic/ltl"
)

// A rewriter whose context is done takes no more trouble: formulas stay as they are.
func TestSimplifyEndsWithContext(t *testing.T) {
	s := ltl.NewFormulas()
	var all []*ltl.Formula
	for i := range 1000 {
		p := s.Atom(strconv.Itoa(i))
		all = append(all, s.Globally(s.Or(p, s.Finally(s.Not(p)))))
	}
	f := s.And(all...)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := New(s)
	w.Watch(ctx)
	w.Simplify(f)
	if n := len(w.implied); n > implicationsBetweenLooks {
		t.Errorf("%d implications were looked at", n)
	}
	free := New(s)
	free.Simplify(f)
	if len(free.implied) <= implicationsBetweenLooks {
		t.Errorf("%d implications without a limit: the test says nothing", len(free.implied))
	}
}

// TestDelayedLiterals: of literals after different numbers of X, each is compared with few
// others, and at once.
func TestDelayedLiterals(t *testing.T) {
	s := ltl.NewFormulas()
	var all []*ltl.Formula
	for i := range 200 {
		f := s.Atom(strconv.Itoa(i))
		for range i {
			f = s.Next(f)
		}
		all = append(all, f)
	}
	w := New(s)
	w.Simplify(s.And(all...))
	if len(w.implied) > 10*len(all) {
		t.Errorf("%d implications were looked at in a conjunction of %d", len(w.implied), len(all))
	}
}

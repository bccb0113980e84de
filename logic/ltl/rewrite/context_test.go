package rewrite

import (
	"context"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/account"
	"pnmc/logic"
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

// repeated returns F[0:times] of a disjunction of n propositions.
func repeated(s *ltl.Formulas, n, times int) *ltl.Formula {
	var all []*ltl.Formula
	for i := range n {
		all = append(all, s.Atom(strconv.Itoa(i)))
	}
	once := s.Or(all...)
	f := once
	for range times {
		f = s.Or(once, s.Next(f))
	}
	return f
}

// TestLongFormulasEndWithContext: going through formulas of millions of operands looks at the context all
// the while, and makes nothing more when it has ended.
func TestLongFormulasEndWithContext(t *testing.T) {
	const times = 300
	steps := map[string]func(w *Rewriter, f *ltl.Formula) *ltl.Formula{
		"negation normal form": (*Rewriter).Negate,
		"simplification":       (*Rewriter).Simplify,
		"waiting":              (*Rewriter).Wait,
		"gathering":            (*Rewriter).Gather,
	}
	for name, step := range steps {
		s := ltl.NewFormulas()
		f := repeated(s, 1000, times)
		free := New(s)
		free.Watch(t.Context())
		before := s.Len()
		step(free, f)
		if name == "negation normal form" && s.Len() < before+1000+2*times {
			t.Errorf("%s: %d formulas are made without a limit: the test says nothing", name, s.Len()-before)
		}
		if looks := free.work.Spent() >> 20; looks < 10 {
			t.Errorf("%s: %d looks", name, looks)
		}
		for _, looks := range []int{0, 1, 5} {
			s := ltl.NewFormulas()
			f := repeated(s, 1000, times)
			w := New(s)
			w.Watch(account.EndsAfter(looks))
			before := s.Len()
			step(w, f)
			if !w.ended || w.work.Spent() > int64(looks+2)<<20 {
				t.Errorf("%s, after %d looks: ended %v, with %d charged", name, looks, w.ended, w.work.Spent())
			}
			if made := s.Len() - before; made > 1000+50*(looks+1) || name != "negation normal form" && made > 0 {
				t.Errorf("%s, after %d looks: %d formulas are made", name, looks, made)
			}
		}
	}
}

// TestResultsAtTheEndAreEquivalent: whenever the context of a rewriter ends, what it returns is equivalent
// to what it was given.
func TestResultsAtTheEndAreEquivalent(t *testing.T) {
	operators := []ltl.Operator{
		logic.Not, logic.And, logic.Or, logic.Xor, logic.Implies, logic.Equivalent,
		ltl.Next, ltl.Finally, ltl.Globally, ltl.Until, ltl.Release, ltl.WeakUntil, ltl.StrongRelease,
	}
	rapid.Check(t, func(t *rapid.T) {
		s := ltl.NewFormulas()
		all := []*ltl.Formula{s.Atom("a"), s.Atom("b"), s.Atom("c")}
		for range rapid.IntRange(1, 12).Draw(t, "connectives") {
			one := rapid.SampledFrom(all)
			all = append(all, s.Make(rapid.SampledFrom(operators).Draw(t, "operator"), []*ltl.Formula{one.Draw(t, "first"), one.Draw(t, "second")}))
		}
		f := all[len(all)-1]
		w := New(s)
		w.Watch(account.EndsAfter(1))
		w.isOver(0)                                                                     // the first look
		w.work.Add(1<<20 - rapid.IntRange(0, 30_000).Draw(t, "charged before the end")) // the second look comes after so much
		negated := rapid.Bool().Draw(t, "negated")
		g := w.Gather(w.Wait(w.Simplify(w.NegationNormal(f, negated))))
		length := rapid.IntRange(1, 5).Draw(t, "length")
		loop := rapid.IntRange(0, length-1).Draw(t, "loop")
		letters := rapid.SliceOfN(rapid.IntRange(0, 7), length, length).Draw(t, "letters")
		word := ltl.Word{Length: length, Loop: loop, Holds: func(proposition, position int) bool { return letters[position]>>proposition&1 == 1 }}
		if word.Satisfies(g) != (word.Satisfies(f) != negated) {
			t.Fatalf("%s became %s, negated: %v, ended: %v", s.Text(f, ltl.SpotSyntax), s.Text(g, ltl.SpotSyntax), negated, w.ended)
		}
	})
}

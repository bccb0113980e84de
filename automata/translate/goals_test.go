package translate

import (
	"context"
	"errors"
	"testing"

	"pnmc/automata/bdd"
	"pnmc/logic/ltl"
	"pnmc/logic/ltl/rewrite"
)

// TestGoalsAreNotAllLeftOut has goals that say the same, of which the rewriter sees that
// the first implies the second, and not the reverse, and of all others both: some goal
// must be left, in whatever order they come. So many formulas are known that none is
// simplified, which would make them one.
func TestGoalsAreNotAllLeftOut(t *testing.T) {
	for _, order := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		formulas := ltl.NewFormulas()
		rewriter := rewrite.New(formulas)
		var goals [3]*ltl.Formula
		for i, text := range []string{"b & !c", "!c & (c | b | (!c R G((b & !c) | (c & !b))))", "!c & (c | b)"} {
			f, err := ltl.Parse(text, formulas)
			if err != nil {
				t.Fatal(err)
			}
			goals[i] = rewriter.NegationNormal(f, false)
		}
		for f := goals[0]; formulas.Len() <= simplifiedFormulas; f = formulas.Next(f) {
		}
		work := &work{ctx: t.Context(), limits: Options{}.limits(), formulas: formulas, rewriter: rewriter}
		x := work.newTableau(variant{})
		rest := bdd.FalseFunction
		for _, i := range order {
			rest = x.functions.Or(rest, x.asked(goals[i]))
		}
		if left, err := x.goals(rest); err != nil || len(left) != 1 {
			t.Errorf("order %v: %d goals are left, %v, expected one", order, len(left), err)
		}
	}
}

// TestGoalsEndWithContext: to compare goals with each other takes the square of their number, and ends
// with the context.
func TestGoalsEndWithContext(t *testing.T) {
	s := ltl.NewFormulas()
	f, err := ltl.Parser{Formulas: s}.Parse("X(a0|b0) & X(a1|b1) & X(a2|b2) & X(a3|b3) & X(a4|b4) & X(a5|b5) & X(a6|b6) & X(a7|b7)")
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := newWork(t.Context(), s, f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := w.variants(w.formulas.Import(f, s))[0]
	v.divided = true
	tableau := w.newTableau(v)
	rest := tableau.of(v.formula, once)
	if goals, err := tableau.goals(rest); err != nil || len(goals) != 1<<8 {
		t.Fatalf("%d goals, %v", len(goals), err)
	}
	over, stop := context.WithCancel(t.Context())
	stop()
	tableau.work.Begin(over)
	if _, err := tableau.goals(rest); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

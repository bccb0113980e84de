package linear_test

import (
	"errors"
	"testing"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core/coretest"
	"pnmc/checker/internal/linear"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/petri"
)

// TestRestOfRun: once u has fired, the net that is checked has no firing left, as h was
// agglomerated with f, which can't follow; the original net fires h yet, or goes there
// and back for ever where it can.
func TestRestOfRun(t *testing.T) {
	for _, endless := range []bool{false, true} {
		b := &petri.Builder{ID: "rest"}
		a, _ := b.AddPlace("a", "", 1)
		between, _ := b.AddPlace("b", "", 0)
		v, _ := b.AddPlace("v", "", 1)
		w, _ := b.AddPlace("w", "", 0)
		var err error
		if endless { // tried first
			c, _ := b.AddPlace("c", "", 1)
			d, _ := b.AddPlace("d", "", 0)
			there, _ := b.AddTransition("there", "")
			back, _ := b.AddTransition("back", "")
			err = errors.Join(b.AddInput(c, there, 1), b.AddOutput(there, d, 1), b.AddInput(d, back, 1), b.AddOutput(back, c, 1))
		}
		h, _ := b.AddTransition("h", "")
		f, _ := b.AddTransition("f", "")
		u, _ := b.AddTransition("u", "")
		err = errors.Join(err, b.AddInput(a, h, 1), b.AddOutput(h, between, 1),
			b.AddInput(between, f, 1), b.AddInput(v, f, 1), b.AddOutput(f, v, 1), b.AddOutput(f, w, 1),
			b.AddInput(v, u, 1))
		net, buildErr := b.Build()
		if err = errors.Join(err, buildErr); err != nil {
			t.Fatal(err)
		}
		s := ltl.NewFormulas()
		question := inquiry.Linear{Formulas: s, Predicates: []*logic.Predicate{
			{Operator: logic.AtMost, Sum: logic.Sum{Terms: []logic.Term{{Place: uint32(v), Coefficient: 1}}}},
			{Operator: logic.AtMost, Sum: logic.Sum{Terms: []logic.Term{{Place: uint32(w), Coefficient: 1}}}},
		}}
		question.Formula = s.Or(s.Globally(s.Not(s.Atom("p0"))), s.Finally(s.Not(s.Atom("p1"))))
		answers := coretest.Decide(linear.Products, net, question)
		if len(answers) != 1 {
			t.Errorf("endless %t: answers %v", endless, answers)
		}
		for _, x := range answers {
			y := x.Witness
			if x.Value != inquiry.Truth(false) || y.Ends == endless || len(y.Run)+len(y.Cycle) < 2 || (len(y.Cycle) == 2) != endless {
				t.Errorf("endless %t: %v, %+v", endless, x.Value, y)
			}
		}
	}
}

package translate

import (
	"errors"
	"fmt"
	"testing"

	"pnmc/logic/ltl"
	"pnmc/logic/ltl/rewrite"
)

// TestDividedGoalsAreFew: to ask X(a | b) as X a | X b is not tried where the choices of a
// conjunction are many.
func TestDividedGoalsAreFew(t *testing.T) {
	for _, test := range []struct {
		pairs int
		many  bool
	}{{8, false}, {9, true}} {
		formulas := ltl.NewFormulas()
		var list []*ltl.Formula
		for i := range test.pairs {
			f, err := ltl.Parse(fmt.Sprintf("a%d | b%d", i, i), formulas)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, f)
		}
		work := &work{ctx: t.Context(), limits: Options{}.limits(), formulas: formulas, rewriter: rewrite.New(formulas)}
		x := work.newTableau(variant{divided: true})
		goals, err := x.goals(x.asked(formulas.And(list...)))
		if errors.Is(err, ErrLimit) != test.many || !test.many && len(goals) != 1<<test.pairs {
			t.Errorf("%d pairs: %d goals, %v", test.pairs, len(goals), err)
		}
	}
}

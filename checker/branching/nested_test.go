package branching

import (
	"testing"

	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
)

// TestNestedFormulas: a formula of thousands of operators in each other is simplified without going
// through its parts again for each that they stand in. That took time cubic in the depth, which no
// context ends: these four would take minutes.
func TestNestedFormulas(t *testing.T) {
	net := petritest.Philosophers(2)
	never := ctl.Of(&logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 2, Terms: []logic.Term{{Place: 0, Coefficient: -1}}}})
	not := func(f *ctl.Formula) *ctl.Formula { return ctl.New(logic.Not, f) }
	for name, around := range map[string]func(f *ctl.Formula) *ctl.Formula{
		"EF EX": func(f *ctl.Formula) *ctl.Formula { return ctl.New(ctl.ExistsFinally, ctl.New(ctl.ExistsNext, f)) },
		"!EF":   func(f *ctl.Formula) *ctl.Formula { return not(ctl.New(ctl.ExistsFinally, f)) },
		"!EF !EX": func(f *ctl.Formula) *ctl.Formula {
			return not(ctl.New(ctl.ExistsFinally, not(ctl.New(ctl.ExistsNext, f))))
		},
		"AX EF": func(f *ctl.Formula) *ctl.Formula { return ctl.New(ctl.AllNext, ctl.New(ctl.ExistsFinally, f)) },
	} {
		f := never
		for range 1500 {
			f = around(f)
		}
		if g := Simplify(f, net, net.Initial()); g == nil {
			t.Errorf("%s: nothing is left", name)
		}
	}
}

package branching

import (
	"runtime"
	"testing"

	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
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

// TestDeepFormulasNeedLittleStack: a formula of ten thousand steps is put to a search without a stack of many megabytes.
func TestDeepFormulasNeedLittleStack(t *testing.T) {
	const depth, most = 10_000, 8 << 20
	f := ctl.Of(&logic.Predicate{Operator: logic.Deadlocked})
	for i := range depth {
		f = ctl.New([]ctl.Operator{ctl.ExistsNext, ctl.AllNext, ctl.ExistsFinally, ctl.AllGlobally}[i%4], f)
	}
	net := petritest.Kanban(1)
	s := NewSearch(petri.NewKripke(net, petri.Facts{}, petri.Budget{}), false, 0)
	taken := make(chan int64)
	go func() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s.add(f)
		runtime.ReadMemStats(&after) // a stack does not shrink while its function runs
		taken <- int64(after.StackInuse) - int64(before.StackInuse)
	}()
	if bytes := <-taken; bytes > most {
		t.Errorf("%d bytes of stack for %d operators", bytes, depth)
	}
}

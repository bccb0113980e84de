package cross_test

import (
	"context"
	"fmt"

	"pnmc/automata"
	"pnmc/automata/translate"
	"pnmc/cross"
	"pnmc/logic/ltl"
)

// The second translator takes G for F: the automata of the formula and of its negation, as it
// gives them, are no longer complements of those of the first.
func ExampleRun() {
	right := func(ctx context.Context, s *ltl.Formulas, f *ltl.Formula) (*automata.Automaton, error) {
		return translate.ToAutomaton(ctx, s, f, translate.Options{})
	}
	wrong := func(ctx context.Context, s *ltl.Formulas, f *ltl.Formula) (*automata.Automaton, error) {
		if f.Operator() == ltl.Finally {
			f = s.Globally(f.Operands()[0])
		}
		return right(ctx, s, f)
	}
	s := ltl.NewFormulas()
	f, _ := ltl.Parse("F a", s)
	report, err := cross.Run(context.Background(), s, []cross.Formula{{Formula: f}},
		[]cross.Translator{cross.Function("right", right), cross.Function("wrong", wrong)}, cross.Settings{ComplementLimit: 100})
	fmt.Println(len(report.Rows), len(report.Differences) > 0, err)
	// Output: 4 true <nil>
}

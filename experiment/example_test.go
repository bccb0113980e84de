package experiment_test

import (
	"context"
	"fmt"
	"os"

	"pnmc/automata"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/experiment"
	"pnmc/internal/petritest"
	"pnmc/logic"
)

// Compares two kinds of automata as a means to find that there is a deadlock.
func ExamplePlan_Run() {
	b := automata.NewBuilder([]string{"deadlock"}, automata.GeneralizedBuchi(1))
	b.AddStates(2)
	b.AddInitial(0)
	any, dead := automata.NewCube(1), automata.NewCube(1).With(0, true)
	b.AddEdge(0, automata.Label{any}, automata.NewMarks(1), 0)
	b.AddEdge(0, automata.Label{dead}, automata.NewMarks(1), 1)
	b.AddEdge(1, automata.Label{any}, automata.NewMarks(1, 0), 1)
	negated, err := b.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	plan := experiment.Plan{
		Model: "philosophers", Net: petritest.Philosophers(3), Parallel: 1,
		Approaches: []product.Approach{product.ByTGBA, product.ByBA},
		Properties: []experiment.Property{{Set: "dinner", Line: 1, Name: "no deadlock", Property: properties.Property{
			Automaton: negated, Predicates: []*logic.Predicate{{Operator: logic.Deadlocked}},
		}}},
	}
	var records []experiment.Record
	err = plan.Run(context.Background(), func(r experiment.Record) error {
		records = append(records, r)
		fmt.Println(r.Formula, r.Approach, r.Verdict)
		return nil
	})

	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println()
	if err := experiment.WriteComparison(os.Stdout, records, "ba"); err != nil {
		fmt.Println(err)
	}
	// Output:
	// no deadlock tgba violated
	// no deadlock ba violated
	//
	// ba against the others
	//
	//          model     set  not for   verdict  against  products  none larger  of all  explored transitions  of the other  ratio
	//   philosophers  dinner           violated     tgba         0            0       ?                    12            12  1.000
	//
	// Transitions explored, against those of the best approach for the property
	//
	//   approach  properties  best  of all  at most twice  of all
	//       tgba           1     1  100.0%              1  100.0%
	//         ba           1     1  100.0%              1  100.0%
}

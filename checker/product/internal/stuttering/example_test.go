package stuttering_test

import (
	"context"
	"fmt"

	"pnmc/automata/stutter"
	"pnmc/automata/testingautomata"
	"pnmc/automata/translate"
	"pnmc/checker/product/internal/stuttering"
	"pnmc/checker/properties"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/petri"
)

// Two philosophers come to a deadlock. The formula accepts what violates "never a deadlock"; its
// automaton reads changes of the proposition only, and stutters while it is false.
func ExampleSearch() {
	ctx := context.Background()
	s := ltl.NewFormulas()
	f, err := ltl.Parse("F dead", s)
	must(err)
	a, err := translate.ToAutomaton(ctx, s, f, translate.Options{})
	must(err)
	tgta, err := testingautomata.NewTGTA(ctx, a, stutter.ClaimedInvariance(a))
	must(err)
	reader, err := stuttering.NewBuilt(ctx, tgta)
	must(err)
	k := petri.NewKripke(petritest.Philosophers(2), petri.Facts{}, petri.Budget{})
	k.Begin(ctx)
	x, err := stuttering.New(k, properties.Property{Automaton: tgta, Predicates: []*logic.Predicate{{Operator: logic.Deadlocked}}}, reader)
	must(err)
	found, err := x.Find()
	must(err)
	run, err := x.Lasso(found)
	must(err)
	fmt.Println(len(run.Prefix), "steps, then for ever", len(run.Cycle), "dead:", k.Deadlock(run.Cycle[0]))
	// Output: 2 steps, then for ever 1 dead: true
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

package product_test

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/internal/checkertest"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/internal/automatatest"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/automorphism"
)

// TestProductsOfImages: where states stand for images by symmetries that keep the predicates, verdicts are those that the
// definitions give on all markings. CheckBy makes sure that counterexamples replay on the net.
func TestProductsOfImages(t *testing.T) {
	verdicts := map[properties.Verdict]int{}
	if !petritest.CheckManyUntil(t, 2000, func() bool { return verdicts[properties.Holds] > 100 && verdicts[properties.Violated] > 100 }, func(t *rapid.T) {
		c := petritest.Rows().Draw(t, "net")
		g, complete := petritest.Explore(c.Net, 400)
		if !complete {
			t.Skip("too many markings")
		}
		var names []string
		var predicates []*logic.Predicate
		var goals []automorphism.Goal
		for i := range 3 {
			names = append(names, fmt.Sprintf("a%d", i))
			predicates = append(predicates, checkertest.Alike(t, c))
			goals = append(goals, automorphism.Goal{Predicate: predicates[i]})
		}
		alike, err := automorphism.Components(context.Background(), c.Net, goals, 1<<30)
		if err != nil || alike == nil {
			t.Skip("nothing is alike")
		}
		x := drawFormula(t, predicates, withoutNext)
		if rapid.Bool().Draw(t, "random") {
			x.Predicates = predicates
			x.Automaton = automatatest.Random(automatatest.RandomSettings{
				States: rapid.IntRange(1, 4).Draw(t, "states"), Propositions: names, Density: rapid.Float64Range(0.1, 0.5).Draw(t, "density"),
				LiteralProbability: rapid.Float64Range(0.3, 1).Draw(t, "literals"),
				Sets:               rapid.IntRange(0, 2).Draw(t, "sets"), MarkProbability: 0.4,
			}, rapid.Uint64().Draw(t, "seed"))
		}
		want := naiveVerdict(c.Net, g, x)
		k := petri.NewKripke(c.Net, petri.Facts{}, petri.Budget{})
		k.FoldComponents(alike)
		result, err := product.CheckBy(context.Background(), k, x, product.Settings{Approach: product.ByTGBA, Distrust: true})
		if err != nil || result.Verdict != want {
			t.Fatalf("%v, %v, expected %v; %d states of %d markings", result.Verdict, err, want, k.Len(), len(g.Markings))
		}
		if k.Len() < len(g.Markings) {
			verdicts[want]++
		}
	}) {
		t.Errorf("verdicts %v", verdicts)
	}
}

package product_test

import (
	"testing"

	"pnmc/checker/internal/checkertest"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/petri"
)

// wandering returns a net with one token: from place 0 to 1 and back, and from 0 to 2 and
// back, in the order given.
func wandering(t *testing.T, order ...int) *petri.Net {
	t.Helper()
	var b petri.Builder
	var places []petri.Place
	for i, id := range []string{"here", "away", "near"} {
		tokens := int64(0)
		if i == 0 {
			tokens = 1
		}
		p, err := b.AddPlace(id, "", tokens)
		if err != nil {
			t.Fatal(err)
		}
		places = append(places, p)
	}
	for _, to := range order {
		for _, way := range [2][2]int{{0, to}, {to, 0}} {
			tr, err := b.AddTransition(string(rune('a'+way[0]))+string(rune('a'+way[1])), "")
			if err != nil {
				t.Fatal(err)
			}
			if err := b.AddInput(places[way[0]], tr, 1); err != nil {
				t.Fatal(err)
			}
			if err := b.AddOutput(tr, places[way[1]], 1); err != nil {
				t.Fatal(err)
			}
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// TestFirstPassFindsLivelocks: a cycle that only stutters is found in the first pass
// of the search by a TA even if its component has changes that were seen before
// (2012, appendix D). A second pass would explore states again.
func TestFirstPassFindsLivelocks(t *testing.T) {
	for _, order := range [][]int{{1, 2}, {2, 1}} {
		net := wandering(t, order...)
		for _, built := range []bool{false, true} {
			property := checkertest.Negated(t, net, `G F "away >= 1"`) // not so between here and near
			k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
			result, err := product.CheckBy(t.Context(), k, property, product.Settings{Approach: product.ByTA, Built: built})
			if err != nil || result.Verdict != properties.Violated {
				t.Fatalf("%v, %v", result.Verdict, err)
			}
			s := result.Statistics
			if s.ExploredStates != s.ProductStates || s.ExploredTransitions != s.ProductTransitions {
				t.Errorf("order %v: %d states and %d transitions explored, of %d and %d: a second pass", order,
					s.ExploredStates, s.ExploredTransitions, s.ProductStates, s.ProductTransitions)
			}
		}
	}
}

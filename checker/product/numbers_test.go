package product_test

import (
	"testing"

	"pnmc/checker/internal/checkertest"
	"pnmc/checker/product"
	"pnmc/checker/product/internal/states"
	"pnmc/checker/properties"
	"pnmc/internal/petritest"
	"pnmc/petri"
)

// inVain is a formula that holds of the philosophers, whose product is large.
const inVain = `!(G F "eats0 >= 1" && G F "eats1 >= 1" && G F deadlock)`

// TestNumbersOfProductStatesEnd: where the numbers of product states are used up, that is the reason why
// nothing is found.
func TestNumbersOfProductStatesEnd(t *testing.T) {
	net := petritest.Philosophers(5)
	for left, want := range map[uint32]error{10: states.ErrTooMany, 100_000: nil} {
		found, err := product.SearchWithNumbers(t.Context(), petri.NewKripke(net, petri.Facts{}, petri.Budget{}), checkertest.Negated(t, net, inVain), left)
		if found || err != want {
			t.Errorf("%d numbers are left: found %v, error %v, should be %v", left, found, err, want)
		}
	}
}

// TestPositionsOfRowsEnd: where the positions of rows are used up, that is the reason why nothing is known, by one thread
// and by several.
func TestPositionsOfRowsEnd(t *testing.T) {
	net := petritest.Philosophers(5)
	for _, most := range []int{6, 1000} {
		reset := product.MostPositions(most)
		for _, threads := range []int{1, 3} {
			s := product.Settings{Approach: product.ByTGBA, Threads: product.NewThreads(threads, petri.Facts{})}
			s.Threads.First = 0
			r, err := product.CheckBy(t.Context(), petri.NewKripke(net, petri.Facts{}, petri.Budget{}), checkertest.Negated(t, net, inVain), s)
			switch {
			case err != nil:
				t.Error(err)
			case most == 1000 && r.Verdict != properties.Holds, most < 1000 && (r.Verdict != properties.Unknown || r.Reason != states.ErrTooManySteps.Error()):
				t.Errorf("%d positions, %d threads: %v, %s", most, threads, r.Verdict, r.Reason)
			}
		}
		reset()
	}
}

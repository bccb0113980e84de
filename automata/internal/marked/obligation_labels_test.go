package marked

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pnmc/automata"
	"pnmc/automata/bdd"
)

// eventually returns F of a disjunction of pairs, which waits whether one comes or not.
func eventually(t *testing.T, pairs int) *automata.Automaton {
	t.Helper()
	var names []string
	var l automata.Label
	for i := range pairs {
		names = append(names, fmt.Sprint("a", i), fmt.Sprint("b", i))
		l = append(l, automata.NewCube(2*pairs).With(2*i, true).With(2*i+1, true))
	}
	b := automata.NewBuilder(names, automata.GeneralizedBuchi(1))
	b.AddStates(2)
	b.AddInitial(0)
	any := automata.Label{automata.NewCube(2 * pairs)}
	b.AddEdge(0, any, automata.Marks{0}, 0)
	b.AddEdge(0, l, automata.Marks{0}, 1)
	b.AddEdge(1, any, automata.Marks{1}, 1)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestLongLabelsAreNotMade: what no pair makes true is a sum of two to the power of the pairs
// cubes. It is named where these are few; else reductions leave labels that overlap, and
// determinization ends.
func TestLongLabelsAreNotMade(t *testing.T) {
	for _, pairs := range []int{4, 12, 40} {
		a := eventually(t, pairs)
		r, err := ReduceBySimulation(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		q, err := Transform(t.Context(), a, func(_ context.Context, r *Reducible) error { return r.Quotient(Similar, false) })
		if err != nil {
			t.Fatal(err)
		}
		weak, err := MinimizeObligation(t.Context(), a, 100)
		if pairs == 4 {
			if err != nil || LongestLabel(weak) != 16 || LongestLabel(r) != 16 || LongestLabel(q) != 16 {
				t.Errorf("%d pairs: %v, labels of %d and %d cubes", pairs, err, LongestLabel(r), LongestLabel(q))
			}
			continue
		}
		if !errors.Is(err, bdd.ErrTooLarge) || LongestLabel(r) != pairs || LongestLabel(q) != pairs {
			t.Errorf("%d pairs: %v, labels of %d and %d cubes", pairs, err, LongestLabel(r), LongestLabel(q))
		}
	}
}

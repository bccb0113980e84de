package petri_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pnmc/internal/petritest"
	"pnmc/petri"
)

// TestNumbersOfStatesEnd: where numbers of states are used up, that is the reason why an exploration is not
// complete, and why there are no successors. What else could go on is asked to.
func TestNumbersOfStatesEnd(t *testing.T) {
	net := petritest.Philosophers(8)
	whole, err := net.Explore(t.Context(), petri.Facts{}, petri.Budget{}, nil)
	if err != nil || !whole.Complete {
		t.Fatal(err)
	}
	const most = 5000
	if whole.States <= most {
		t.Fatalf("%d states are too few for this test", whole.States)
	}
	defer petri.MostStates(most)()
	s, err := net.Explore(t.Context(), petri.Facts{}, petri.Budget{}, nil)
	if !errors.Is(err, petri.ErrTooManyStates) || s.Complete || s.States > most || s.States < most/2 {
		t.Errorf("%d states, complete: %v, %v", s.States, s.Complete, err)
	}
	handed := int64(0)
	_, err = net.ExploreFurther(t.Context(), petri.Facts{}, petri.Budget{}, func(r *petri.Rest) (petri.Statistics, error) {
		handed++
		return whole, nil
	}, nil)
	if err != nil || handed != 1 {
		t.Errorf("%d hand-overs, %v", handed, err)
	}
	k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
	k.Begin(context.Background())
	for id := petri.StateID(0); err == nil && int(id) < k.Len(); id++ {
		_, err = k.Successors(id)
	}
	if !errors.Is(err, petri.ErrTooManyStates) || k.Len() > most {
		t.Errorf("%d states, %v", k.Len(), err)
	}
}

// TestPositionsOfEdgesEnd: rows in the last chunks that there are numbers for are found again. Where there are
// no more chunks, rows are not kept, but found each time.
func TestPositionsOfEdgesEnd(t *testing.T) {
	net := petritest.Philosophers(9)
	large := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
	small := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
	small.UseUpChunks(1)
	large.Begin(t.Context())
	small.Begin(t.Context())
	kept := 0
	for range 2 { // found, and found again
		kept = 0
		for id := petri.StateID(0); int(id) < large.Len(); id++ {
			want, err := large.Successors(id)
			if err != nil {
				t.Fatal(err)
			}
			got, err := small.Successors(id)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("state %d has successors %v, should have %v; %v", id, got, want, err)
			}
			if small.Kept(id) != nil {
				kept++
			}
		}
	}
	if kept == 0 || kept == large.Len() {
		t.Errorf("%d of %d rows are kept", kept, large.Len())
	}
}

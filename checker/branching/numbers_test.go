package branching

import (
	"errors"
	"testing"

	"pnmc/internal/petritest"
	"pnmc/petri"
)

// TestNumbersOfEdgesEnd: a graph with more edges than there are numbers for is not laid out, and the reason is
// told, with one thread and with several.
func TestNumbersOfEdgesEnd(t *testing.T) {
	defer func() { mostEdges = 1<<32 - 1 }()
	net := petritest.Philosophers(5)
	whole, err := net.Explore(t.Context(), petri.Facts{}, petri.Budget{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{1, 3} {
		for most, want := range map[int64]error{whole.Firings: nil, whole.Firings - 1: ErrTooManyEdges} {
			mostEdges = most
			if _, err := ExploreGraph(t.Context(), petri.NewKripke(net, petri.Facts{}, petri.Budget{}), threads, 10); !errors.Is(err, want) {
				t.Errorf("%d threads, room for %d edges of %d: %v, should be %v", threads, most, whole.Firings, err, want)
			}
		}
	}
}

package multicore_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"pnmc/petri"
	"pnmc/petri/multicore"
)

// TestGrowthIsNoticedBetweenWidths: of this net several threads find no growth when fields are full, and
// after a few times the next such moment is out of reach. It is found when there are twice as many markings.
func TestGrowthIsNoticedBetweenWidths(t *testing.T) {
	var b petri.Builder
	var errs []error
	for i, tokens := range []int64{0, 2, 0, 2, 0, 0} {
		_, err := b.AddPlace(fmt.Sprint("p", i), "", tokens)
		errs = append(errs, err)
	}
	type tokens = map[petri.Place]int64
	for i, arcs := range [][2]tokens{
		{{1: 4}, {3: 2}},
		{{1: 1, 4: 2, 5: 1}, {2: 1, 5: 3}},
		{{3: 1}, {0: 1, 2: 3}},
		{{0: 3, 3: 1}, {0: 3, 4: 2}},
		{{1: 1, 2: 1}, {1: 2}},
	} {
		u, err := b.AddTransition(fmt.Sprint("t", i), "")
		errs = append(errs, err)
		for p, weight := range arcs[0] {
			errs = append(errs, b.AddInput(p, u, weight))
		}
		for p, weight := range arcs[1] {
			errs = append(errs, b.AddOutput(u, p, weight))
		}
	}
	net, err := b.Build()
	if err := errors.Join(append(errs, err)...); err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{2, 8} {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		k := petri.NewKripke(net, petri.Facts{}, petri.Budget{MemoryBytes: 1 << 30})
		k.Begin(ctx)
		_, err := (&multicore.Graph{Kripke: k, Threads: threads}).Explore(ctx)
		if !errors.As(err, new(*petri.UnboundedError)) {
			t.Errorf("%d threads: %v, expected a place without bound", threads, err)
		}
		cancel()
	}
}

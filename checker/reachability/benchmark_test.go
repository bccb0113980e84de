package reachability_test

import (
	"context"
	"testing"

	"pnmc/checker/reachability"
	"pnmc/internal/petritest"
	"pnmc/petri"
)

// BenchmarkLiveness finds the one component of all 58,400 states of a net.
func BenchmarkLiveness(b *testing.B) {
	net := petritest.Kanban(3)
	for b.Loop() {
		k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
		if l, err := reachability.CheckLiveness(context.Background(), k, nil); err != nil || !l.Live {
			b.Fatal(l, err)
		}
	}
}

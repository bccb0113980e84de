package multicore_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/invariant"
	"pnmc/petri/multicore"
	"pnmc/pnml"
)

// benchmarked are contest models with the number of their markings, where they are present:
// those of petri's benchmarks, and larger ones.
var benchmarked = map[string]int64{
	"Kanban-PT-00005": 2_546_432, "HealthRecord-PT-01": 1_837_836, "Peterson-PT-3": 3_407_946,
	"FMS-PT-00005": 2_895_018, "MAPK-PT-00008": 6_110_643,
}

// BenchmarkExplore counts reachable markings with 1, 2, 4 … threads, as many as processors.
// benchstat compares them: -col /threads.
func BenchmarkExplore(b *testing.B) {
	for name, states := range benchmarked {
		for _, threads := range []int{1, 2, 4, 8, 16, 32, 64, 128} {
			b.Run(fmt.Sprintf("model=%s/threads=%d", name, threads), func(b *testing.B) {
				if threads > 1 && threads > processors() {
					b.Skip("not so many processors")
				}
				net, err := pnml.Reader{}.ReadFile(petritest.ContestModel(b, name))
				if err != nil {
					b.Fatal(err)
				}
				explore(b, net, states, threads)
			})
		}
	}
}

// BenchmarkKanban explores as BenchmarkExplore, with a net that is always there.
func BenchmarkKanban(b *testing.B) {
	for threads := 1; threads <= processors(); threads *= 2 {
		b.Run(fmt.Sprintf("model=Kanban-4/threads=%d", threads), func(b *testing.B) {
			explore(b, petritest.Kanban(4), 454_475, threads)
		})
	}
}

func explore(b *testing.B, net *petri.Net, states int64, threads int) {
	facts := invariant.Prove(context.Background(), net, 0)
	firings, bytes := 0.0, 0.0
	for b.Loop() {
		s, err := multicore.Explore(context.Background(), net, facts, petri.Budget{}, threads, nil)
		if err != nil || s.States != states {
			b.Fatalf("%d states, %v", s.States, err)
		}
		firings += float64(s.Firings)
		bytes = s.BytesPerState
	}
	b.ReportMetric(firings/b.Elapsed().Seconds(), "firings/s")
	b.ReportMetric(bytes, "B/state")
}

func processors() int { return runtime.GOMAXPROCS(0) }

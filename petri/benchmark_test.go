package petri_test

import (
	"context"
	"testing"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/invariant"
	"pnmc/pnml"
)

// benchmarked are nets with the number of their markings.
var benchmarked = []struct {
	name   string
	net    *petri.Net
	states int64
}{
	{"Kanban-4", petritest.Kanban(4), 454_475},
	{"Philosophers-11", petritest.Philosophers(11), 177_147},
}

// BenchmarkExplore counts reachable markings, with a layout from proven facts.
func BenchmarkExplore(b *testing.B) {
	for _, m := range benchmarked {
		b.Run("model="+m.name+"/engine=explicit", func(b *testing.B) {
			facts := invariant.Prove(context.Background(), m.net, 0)
			firings, bytes := 0.0, 0.0
			for b.Loop() {
				s, err := m.net.Explore(context.Background(), facts, petri.Budget{}, nil)
				if err != nil || s.States != m.states {
					b.Fatalf("%d states, %v", s.States, err)
				}
				firings += float64(s.Firings)
				bytes = s.BytesPerState
			}
			b.ReportMetric(firings/b.Elapsed().Seconds(), "firings/s")
			b.ReportMetric(bytes, "B/state")
		})
	}
}

// BenchmarkExploreContest explores as BenchmarkExplore, with contest models, where they are
// present: those whose exploration by other tools is on record.
func BenchmarkExploreContest(b *testing.B) {
	for name, states := range map[string]int64{
		"Kanban-PT-00005": 2_546_432, "HealthRecord-PT-01": 1_837_836, "Peterson-PT-3": 3_407_946,
		"FMS-PT-00005": 2_895_018, "MAPK-PT-00008": 6_110_643,
	} {
		b.Run("model="+name+"/engine=explicit", func(b *testing.B) {
			net, err := pnml.Reader{}.ReadFile(petritest.ContestModel(b, name))
			if err != nil {
				b.Fatal(err)
			}
			facts := invariant.Prove(context.Background(), net, 0)
			firings, bytes := 0.0, 0.0
			for b.Loop() {
				s, err := net.Explore(context.Background(), facts, petri.Budget{}, nil)
				if err != nil || s.States != states {
					b.Fatalf("%d states, %v", s.States, err)
				}
				firings += float64(s.Firings)
				bytes = s.BytesPerState
			}
			b.ReportMetric(firings/b.Elapsed().Seconds(), "firings/s")
			b.ReportMetric(bytes, "B/state")
		})
	}
}

// BenchmarkKripke walks the state graph edge by edge: the first time, when it is
// found, and again, when it is remembered.
func BenchmarkKripke(b *testing.B) {
	for _, m := range benchmarked {
		facts := invariant.Prove(context.Background(), m.net, 0)
		walk := func(b *testing.B, k *petri.Kripke) float64 {
			edges := 0
			for s := petri.StateID(0); int(s) < k.Len(); s++ {
				successors, err := k.Successors(s)
				if err != nil {
					b.Fatal(err)
				}
				edges += len(successors)
			}
			if int64(k.Len()) != m.states {
				b.Fatalf("%d states", k.Len())
			}
			return float64(edges)
		}
		b.Run("model="+m.name+"/graph=new", func(b *testing.B) {
			edges := 0.0
			for b.Loop() {
				edges += walk(b, petri.NewKripke(m.net, facts, petri.Budget{}))
			}
			b.ReportMetric(edges/b.Elapsed().Seconds(), "edges/s")
		})
		b.Run("model="+m.name+"/graph=kept", func(b *testing.B) {
			k := petri.NewKripke(m.net, facts, petri.Budget{})
			walk(b, k)
			edges := 0.0
			for b.Loop() {
				edges += walk(b, k)
			}
			b.ReportMetric(edges/b.Elapsed().Seconds(), "edges/s")
		})
	}
}

package reachability_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"pnmc/checker/reachability"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/invariant"
	"pnmc/pnml"
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

// BenchmarkGoalSearch looks at all markings of a net for one that enables a transition and is a
// deadlock, with 1, 2, 4 … threads, as many as processors. benchstat compares them: -col /threads.
func BenchmarkGoalSearch(b *testing.B) {
	contest := func(name string) func(b *testing.B) *petri.Net {
		return func(b *testing.B) *petri.Net {
			net, err := pnml.Reader{}.ReadFile(petritest.ContestModel(b, name))
			if err != nil {
				b.Fatal(err)
			}
			return net
		}
	}
	never := walk.Goal{Predicate: &logic.Predicate{Operator: logic.And, Operands: []*logic.Predicate{
		{Operator: logic.Fireable, Transitions: []uint32{0}}, {Operator: logic.Deadlocked},
	}}}
	for _, model := range []struct {
		name   string
		net    func(b *testing.B) *petri.Net
		states int
	}{
		{"Kanban-4", func(*testing.B) *petri.Net { return petritest.Kanban(4) }, 454_475},
		{"Kanban-5", contest("Kanban-PT-00005"), 2_546_432},
		{"FMS-5", contest("FMS-PT-00005"), 2_895_018},
		{"Peterson-3", contest("Peterson-PT-3"), 3_407_946},
	} {
		for threads := 1; threads <= runtime.GOMAXPROCS(0); threads *= 2 {
			b.Run(fmt.Sprintf("model=%s/threads=%d", model.name, threads), func(b *testing.B) {
				net := model.net(b)
				facts := invariant.Prove(context.Background(), net, 0)
				for b.Loop() {
					s := reachability.GoalSearch{
						Net: net, Facts: facts, Goals: []walk.Goal{never}, Threads: threads,
						Open: func(int) bool { return true }, Found: func(int, int64, []witness.Burst) { b.Error("found") },
					}
					if err := s.Run(context.Background()); err != nil || s.States != model.states {
						b.Fatalf("%d markings, %v", s.States, err)
					}
				}
				b.ReportMetric(float64(model.states)*float64(b.N)/b.Elapsed().Seconds(), "markings/s")
			})
		}
	}
}

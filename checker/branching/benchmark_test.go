package branching_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"pnmc/checker/branching"
	"pnmc/checker/reachability"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
	"pnmc/petri/invariant"
	"pnmc/pnml"
)

// eachModel runs a benchmark with contest models of 10^5 to 10^7 markings, where they are present, and
// one net that always is, with 1, 2, 4 … threads, as many as processors. benchstat compares them:
// -col /threads.
func eachModel(b *testing.B, run func(b *testing.B, k *petri.Kripke, threads int)) {
	for _, name := range []string{"Kanban-4", "HealthRecord-PT-01", "Kanban-PT-00005", "FMS-PT-00005", "Peterson-PT-3"} {
		for threads := 1; threads <= runtime.GOMAXPROCS(0); threads *= 2 {
			b.Run(fmt.Sprintf("model=%s/threads=%d", name, threads), func(b *testing.B) {
				net := petritest.Kanban(4)
				if name != "Kanban-4" {
					var err error
					if net, err = (pnml.Reader{}).ReadFile(petritest.ContestModel(b, name)); err != nil {
						b.Fatal(err)
					}
				}
				facts := invariant.Prove(context.Background(), net, 0)
				for b.Loop() {
					k := petri.NewKripke(net, facts, petri.Budget{})
					run(b, k, threads)
					b.ReportMetric(float64(k.Len()), "states")
				}
			})
		}
	}
}

// BenchmarkGraph explores a state graph and decides four formulas.
func BenchmarkGraph(b *testing.B) {
	fires := func() *ctl.Formula {
		return ctl.Of(&logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{0}})
	}
	eachModel(b, func(b *testing.B, k *petri.Kripke, threads int) {
		ctx := context.Background()
		g, err := branching.ExploreGraph(ctx, k, threads, 1<<12)
		if err != nil {
			b.Fatal(err)
		}
		for _, f := range []*ctl.Formula{
			ctl.New(ctl.ExistsNext, fires()), ctl.New(ctl.ExistsFinally, fires()), ctl.New(ctl.AllFinally, fires()),
			ctl.New(ctl.AllGlobally, ctl.New(ctl.ExistsFinally, fires())),
		} {
			if _, err := g.Decide(ctx, f); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkLiveness decides liveness.
func BenchmarkLiveness(b *testing.B) {
	eachModel(b, func(b *testing.B, k *petri.Kripke, threads int) {
		if l, _, err := reachability.CheckLivenessTogether(context.Background(), k, nil, threads, 1<<16); err != nil || !l.Decided {
			b.Fatal(l, err)
		}
	})
}

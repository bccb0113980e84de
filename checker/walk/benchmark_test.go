package walk

import (
	"context"
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// processorTime returns what the process has used so far: other work on the machine does not count.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkWalk fires on nets with sixteen goals of a thousand terms or so, none of which is
// reachable, by all policies in turn and by one each, but for the one along counts, which has none here.
func BenchmarkWalk(b *testing.B) {
	for _, m := range []struct {
		name string
		net  *petri.Net
	}{
		{"Machines-31000", petritest.Machines(31_000)},
		{"Grid-20", petritest.Grid(20)},
		{"Philosophers-100", petritest.Philosophers(100)},
		{"Kanban-100", petritest.Kanban(100)},
	} {
		rng := rand.New(rand.NewPCG(3, 4))
		sum := func(terms int, sign int64) (s logic.Sum) {
			for _, p := range rng.Perm(m.net.Places())[:min(terms, m.net.Places())] {
				s.Terms = append(s.Terms, logic.Term{Place: uint32(p), Coefficient: sign})
			}
			return s
		}
		var goals []Goal
		for range 16 {
			goal := &logic.Predicate{Operator: logic.And}
			for range 4 {
				s := sum(250, -1)
				s.Constant = 1 << 40
				goal.Operands = append(goal.Operands, &logic.Predicate{Operator: logic.AtMost, Sum: s})
			}
			goals = append(goals, Goal{Predicate: goal})
		}
		b.Run(fmt.Sprintf("model=%s/policy=all", m.name), func(b *testing.B) {
			w := WalksOn(m.net, goals, 1)
			start := processorTime().Seconds()
			for b.Loop() {
				ctx, cancel := context.WithTimeout(b.Context(), 100*time.Millisecond)
				w.Run(ctx)
				cancel()
			}
			b.ReportMetric(float64(w.Steps)/(processorTime().Seconds()-start), "firings/cpu-s")
		})
		for how := range alongCounts {
			b.Run(fmt.Sprintf("model=%s/policy=%d", m.name, how), func(b *testing.B) {
				w := WalksOn(m.net, goals, 1)
				start := processorTime().Seconds()
				for b.Loop() {
					w.walk(b.Context(), how, 2000)
				}
				b.ReportMetric(float64(w.Steps)/(processorTime().Seconds()-start), "firings/cpu-s")
			})
		}
	}
}

package reachability_test

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"
	"time"

	"pnmc/checker/reachability"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/invariant"
	"pnmc/pnml"
)

// BenchmarkDeadlocks looks for deadlocks of contest models, all of them, with stubborn sets and
// without, for at most half a minute.
func BenchmarkDeadlocks(b *testing.B) {
	for _, name := range []string{
		"Philosophers-PT-000010", "Peterson-PT-3", "SafeBus-PT-03", "SafeBus-PT-06", "TokenRing-PT-005",
		"DNAwalker-PT-01track12Block1", "DNAwalker-PT-10ringRL", "Kanban-PT-00005",
	} {
		b.Run("model="+name, func(b *testing.B) {
			net, err := pnml.Reader{}.ReadFile(petritest.ContestModel(b, name))
			if err != nil {
				b.Fatal(err)
			}
			facts := invariant.Prove(context.Background(), net, 0)
			for _, stubborn := range []bool{true, false} {
				b.Run(fmt.Sprintf("stubborn=%v", stubborn), func(b *testing.B) {
					states, deadlocks := 0, 0
					before := processorTime()
					for b.Loop() {
						ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
						s := reachability.GoalSearch{
							Net: net, Facts: facts, Goals: []walk.Goal{{Predicate: &logic.Predicate{Operator: logic.Deadlocked}}}, Stubborn: stubborn,
							Open:  func(int) bool { return true },
							Found: func(int, int64, []witness.Burst) { deadlocks++ },
						}
						if err := s.Run(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.As(err, new(*petri.UnboundedError)) {
							b.Fatal(err)
						}
						cancel()
						states += s.States
					}
					b.ReportMetric(float64(states)/float64(b.N), "markings/op")
					b.ReportMetric(float64(deadlocks)/float64(b.N), "deadlocks/op")
					b.ReportMetric(float64((processorTime()-before).Nanoseconds())/float64(states), "cpu-ns/marking")
				})
			}
		})
	}
}

// processorTime returns what the process has used so far: other work on the machine does not count.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

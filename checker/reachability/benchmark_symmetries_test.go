package reachability_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"pnmc/checker/reachability"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri/invariant"
	"pnmc/pnml"
)

// BenchmarkSymmetries looks for deadlocks of contest models, all of them, with symmetries and
// without, for at most a minute. All that is enabled is fired.
func BenchmarkSymmetries(b *testing.B) {
	for _, name := range []string{
		"Philosophers-PT-000010", "Anderson-PT-04", "SafeBus-PT-03", "SafeBus-PT-06", "AutonomousCar-PT-07a", "CANConstruction-PT-005",
		"UtilityControlRoom-PT-Z2T3N10", "PhilosophersDyn-PT-03", "LamportFastMutEx-PT-5", "DES-PT-00a",
	} {
		b.Run("model="+name, func(b *testing.B) {
			net, err := pnml.Reader{}.ReadFile(petritest.ContestModel(b, name))
			if err != nil {
				b.Fatal(err)
			}
			facts := invariant.Prove(context.Background(), net, 0)
			for _, symmetric := range []bool{true, false} {
				b.Run(fmt.Sprintf("symmetric=%v", symmetric), func(b *testing.B) {
					states, permutations := 0, 0
					for b.Loop() {
						ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
						s := reachability.GoalSearch{
							Net: net, Facts: facts, Goals: []walk.Goal{{Predicate: &logic.Predicate{Operator: logic.Deadlocked}}}, Symmetric: symmetric,
							Open:  func(int) bool { return true },
							Found: func(int, int64, []witness.Burst) {},
						}
						if err := s.Run(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
							b.Fatal(err)
						}
						cancel()
						states += s.States
						permutations = s.Symmetries
					}
					b.ReportMetric(float64(states)/float64(b.N), "markings/op")
					b.ReportMetric(float64(permutations), "permutations")
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(states), "ns/marking")
				})
			}
		})
	}
}

package walk

import (
	"context"
	"testing"
	"time"

	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
)

// TestRaise: ten robots all come to cells of a sum that has a few of each robot, and stay there until
// the last one has come. By chance that takes very long.
func TestRaise(t *testing.T) {
	net := petritest.Grid(20)
	sum := &logic.Sum{}
	const robots, cells = 10, 400
	for p := cells; p < net.Places(); p += 97 { // after the places of free cells; each robot has 400
		sum.Terms = append(sum.Terms, logic.Term{Place: uint32(p), Coefficient: 1})
	}
	w := WalksOn(net, []Goal{{Maximum: sum}}, 1)
	best := int64(0)
	w.Found = func(_ int, value int64, run []witness.Burst) bool {
		if m, err := witness.ReplayRun(net, run); err != nil {
			t.Error(err)
		} else if v, ok := sum.Value(m); !ok || v != value {
			t.Errorf("the run leads to %d, not %d", v, value)
		}
		best = max(best, value)
		return value == robots
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if w.Run(ctx); best != robots {
		t.Errorf("%d robots in %d steps", best, w.Steps)
	}
	t.Logf("%d steps", w.Steps)
}

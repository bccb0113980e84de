//go:build unix

package batch

import (
	"testing"

	"pnmc/internal/batchtest"
	"pnmc/mcc/batch/history"
)

// TestKilledRunsAreRepeated: a run whose program somebody killed is told, and made again by the
// next batch; one that failed by itself is not.
func TestKilledRunsAreRepeated(t *testing.T) {
	folder, results := batchtest.Instances(t, "A-PT-1"), t.TempDir()
	p := planOf(t, folder, results, "UpperBounds")
	for i, test := range []struct {
		mode  string
		fault history.Fault
		lost  int
	}{{"killed", history.Killed, 1}, {"terminated", history.Killed, 2}, {"", history.NoFault, 2}, {"killed", history.NoFault, 2}} {
		t.Setenv(batchtest.ToolVariable, test.mode)
		runs := execute(t, p, results)
		if len(runs) != 1 || runs[0].Fault != test.fault || runs[0].Losses() != test.lost || !runs[0].Ended {
			t.Errorf("step %d: %+v", i, runs[0])
		}
	}
}

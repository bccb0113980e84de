//go:build unix

package batch

import "testing"

// TestKilledRunsAreRepeated: a run whose program somebody killed is told, and made again by the
// next batch; one that failed by itself is not.
func TestKilledRunsAreRepeated(t *testing.T) {
	folder, results := instances(t, "A-PT-1"), t.TempDir()
	p := planOf(t, folder, results, "UpperBounds")
	for i, test := range []struct {
		mode  string
		fault Fault
		lost  int
	}{{"killed", Killed, 1}, {"terminated", Killed, 2}, {"", NoFault, 2}, {"killed", NoFault, 2}} {
		t.Setenv(toolVariable, test.mode)
		runs := execute(t, p, results)
		if len(runs) != 1 || runs[0].Fault != test.fault || runs[0].Losses() != test.lost || !runs[0].Ended {
			t.Errorf("step %d: %+v", i, runs[0])
		}
	}
}

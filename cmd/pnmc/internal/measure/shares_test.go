package measure

import (
	"testing"

	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/petri"
)

// TestShares: jobs at the same time have budgets that fit into the whole together, beside what hands
// them out, each of them one that can be kept. Where there is no room for two, one has the whole.
func TestShares(t *testing.T) {
	const net = 5 << 20
	for whole := int64(limits.LeastMemory); whole <= 4<<30; whole += whole / 7 {
		for wanted := 1; wanted <= 40; wanted++ {
			jobs, each := shares(wanted, petri.Budget{MemoryBytes: whole}, net)
			switch {
			case jobs < 1 || jobs > wanted:
				t.Errorf("%d jobs of %d", jobs, wanted)
			case jobs == 1 && each.MemoryBytes != whole:
				t.Errorf("one job has %d bytes of %d", each.MemoryBytes, whole)
			case jobs > 1 && int64(jobs)*each.MemoryBytes+HandOutMemory+net > whole:
				t.Errorf("%d jobs of %d bytes each do not fit into %d", jobs, each.MemoryBytes, whole)
			case jobs > 1 && each.MemoryBytes < limits.LeastMemory+3*net:
				t.Errorf("%d jobs of %d have %d bytes each", jobs, wanted, each.MemoryBytes)
			}
		}
	}
	if jobs, each := shares(3, petri.Budget{}, net); jobs != 3 || each.MemoryBytes != 0 {
		t.Errorf("without a limit there are %d jobs of 3, each with %d bytes", jobs, each.MemoryBytes)
	}
}

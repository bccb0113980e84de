package account

import (
	"runtime"
	"testing"
)

// What a program holds is not free, and an eighth always is.
func TestBudgetFree(t *testing.T) {
	budget := Budget{MemoryBytes: 4 << 30}
	before := budget.Free()
	if before > budget.MemoryBytes {
		t.Errorf("%d bytes are free of %d", before, budget.MemoryBytes)
	}
	held := make([]byte, 256<<20)
	for i := 0; i < len(held); i += 4096 {
		held[i] = 1
	}
	if after := budget.Free(); before-after < 128<<20 {
		t.Errorf("%d bytes are free, then %d beside %d", before, after, len(held))
	}
	runtime.KeepAlive(held)
	small := Budget{MemoryBytes: 8}
	if got := small.Free(); got != 1 {
		t.Errorf("%d bytes of 8 are free, want 1", got)
	}
}

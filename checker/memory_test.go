package checker

import (
	"bytes"
	"context"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"pnmc/internal/account"
)

// inUse is what the test keeps from being garbage.
var inUse []byte

// TestWatchMemory: garbage does not end a run, what is in use does.
func TestWatchMemory(t *testing.T) {
	const size = 64 << 20
	watch := func(limit int64, keep bool, patience time.Duration) (stopped bool, explanation string) {
		var explain strings.Builder
		s := &Solver{kept: newKept(), options: Options{MemoryBytes: limit, Explain: func(message string) { explain.WriteString(message) }}}
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		inUse = bytes.Repeat([]byte{1}, size)
		if !keep {
			inUse = nil
		}
		s.watchMemory(ctx, func(error) { stopped = true; cancel() })
		inUse = nil
		return stopped, explain.String()
	}
	debug.FreeOSMemory()
	limit := account.InUse() + size/2
	limit += limit/31 + 5<<20 // what a budget leaves
	if stopped, explanation := watch(limit, true, time.Minute); !stopped || !strings.Contains(explanation, "memory limit") {
		t.Errorf("not stopped: %s", explanation)
	}
	if stopped, explanation := watch(limit, false, 300*time.Millisecond); stopped {
		t.Errorf("stopped by garbage: %s", explanation)
	}
	if stopped, explanation := watch(limit+2*size, true, 300*time.Millisecond); stopped {
		t.Errorf("stopped below the limit: %s", explanation)
	}
}

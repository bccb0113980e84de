package core

import (
	"bytes"
	"context"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"pnmc/checker/diagram"
	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/petritest"
)

// inUse is what the test keeps from being garbage.
var inUse []byte

// TestWatchMemory: garbage does not end a run, what is in use does.
func TestWatchMemory(t *testing.T) {
	const size = 64 << 20
	watch := func(limit int64, keep bool, patience time.Duration) (stopped bool, explanation string) {
		var explain strings.Builder
		s := NewShared(Settings{MemoryBytes: limit, Explain: func(message string) { explain.WriteString(message) }}, 0)
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		inUse = bytes.Repeat([]byte{1}, size)
		if !keep {
			inUse = nil
		}
		s.WatchMemory(ctx, func(error) { stopped = true; cancel() })
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

// TestNothingDroppedAtTheEnd: a question whose time is over leaves what is kept to the
// next one.
func TestNothingDroppedAtTheEnd(t *testing.T) {
	s := NewShared(Settings{}, 0)
	net := petritest.Philosophers(2)
	s.Kept.diagrams[net] = new(diagram.Space)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.makeRoom(over, petri.Budget{MemoryBytes: 64 << 30}); err != nil || len(s.Kept.diagrams) == 0 {
		t.Errorf("at the end of a question %d diagrams are kept, error %v", len(s.Kept.diagrams), err)
	}
	if err := s.makeRoom(t.Context(), petri.Budget{MemoryBytes: 1 << 20}); err == nil || len(s.Kept.diagrams) != 0 {
		t.Errorf("where memory is short %d diagrams are kept, error %v", len(s.Kept.diagrams), err)
	}
}

// TestLongestReplay: runs that are replayed fit into the memory there is.
func TestLongestReplay(t *testing.T) {
	for _, test := range []struct {
		memory int64
		steps  int
	}{{0, longestReplay}, {64 << 30, longestReplay}, {128 << 20, 1 << 20}, {40 << 20, 40 << 20 / stepReplayed}} {
		task := &Task{Budget: petri.Budget{MemoryBytes: test.memory}}
		if got := task.LongestReplay(); got != test.steps {
			t.Errorf("with %d bytes: expected %d steps, found %d", test.memory, test.steps, got)
		}
	}
}

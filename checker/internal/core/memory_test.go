package core

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"pnmc/checker/diagram"
	"pnmc/checker/walk"
	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
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

// TestGoalsKeepToTheMemory: what is fireable in a net of many arcs is not said in places where
// there is no room for that, and what is kept makes room.
func TestGoalsKeepToTheMemory(t *testing.T) {
	const n = 400
	b := &petri.Builder{}
	for i := range n {
		if _, err := b.AddPlace(fmt.Sprint("p", i), "", 1); err != nil {
			t.Fatal(err)
		}
	}
	all := make([]uint32, n)
	for i := range n {
		u, err := b.AddTransition(fmt.Sprint("t", i), "")
		for p := range petri.Place(n) {
			err = errors.Join(err, b.AddInput(p, u, 1))
		}
		if err != nil {
			t.Fatal(err)
		}
		all[i] = uint32(u)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	debug.FreeOSMemory()
	for limit, want := range map[int64]bool{account.InUse() + 64<<20: false, 0: true} {
		r := &Task{Shared: NewShared(Settings{MemoryBytes: limit}, 0), Net: net, Facts: new(FactsMemory)}
		r.Shared.Kept.diagrams[net] = new(diagram.Space)
		n := r.ReduceForGoals(t.Context(), []walk.Goal{{Predicate: &logic.Predicate{Operator: logic.Fireable, Transitions: all}}})
		if (n != nil) != want || (len(r.Shared.Kept.diagrams) > 0) != want {
			t.Errorf("limit of %d MB: reduced: %t, kept: %d", limit>>20, n != nil, len(r.Shared.Kept.diagrams))
		}
	}
}

// TestPassingAsksForTheProcess: work that holds little ends only where the whole process has no more
// memory, and waits for the collector before.
func TestPassingAsksForTheProcess(t *testing.T) {
	inUse = nil
	for limit, full := range map[int64]bool{1 << 20: true, 1 << 40: false, 0: false} {
		s := NewShared(Settings{MemoryBytes: limit}, 0)
		if err := s.Passing(t.Context()).Charge(0); errors.As(err, new(*petri.MemoryError)) != full {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
}

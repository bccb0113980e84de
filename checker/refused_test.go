package checker_test

import (
	"context"
	"errors"
	"runtime/debug"
	"strconv"
	"testing"
	"time"

	"pnmc/checker"
	"pnmc/internal/account"
	"pnmc/petri"
)

// TestRefusedForMemory: a question that is not put, as there is no memory for its goals, has that as the reason why it has no answer,
// not the end of the time, and is given up at once if it is alone: engines have nothing to do.
func TestRefusedForMemory(t *testing.T) {
	b := &petri.Builder{}
	for i := range 20_000 {
		if _, err := b.AddTransition("t"+strconv.Itoa(i), ""); err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	debug.FreeOSMemory()
	used := account.InUse()
	s, err := checker.New(checker.Problem{Net: net}, checker.Options{MemoryBytes: used*2 - used/3, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const patience = 20 * time.Second
	ctx, cancel := context.WithTimeoutCause(t.Context(), patience, errors.New("the time is over"))
	defer cancel()
	begun := time.Now()
	err = s.Decide(ctx, []checker.Question{checker.Live{}}, func(a checker.Answer) {
		if a.Value.IsKnown() || !errors.As(a.Reason, new(*account.MemoryError)) {
			t.Errorf("%v, because of %v", a.Value, a.Reason)
		}
	})
	if took := time.Since(begun); err != nil || took > patience/2 {
		t.Errorf("after %v: %v", took, err)
	}
}

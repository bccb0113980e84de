package lanes_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"pnmc/checker/internal/lanes"
)

// TestWorked: a slice of work ends by looks, by time where there are none, and with the context that it is
// a part of.
func TestWorked(t *testing.T) {
	part, cancel := lanes.Worked(t.Context(), time.Hour)
	defer cancel()
	looks := 0
	for context.Cause(part) == nil {
		looks++
	}
	if err := context.Cause(part); !errors.Is(err, context.DeadlineExceeded) || looks < 1_000_000 || looks > 10_000_000 {
		t.Errorf("ended after %d looks: %v", looks, err)
	}
	idle, cancelIdle := lanes.Worked(t.Context(), time.Millisecond)
	defer cancelIdle()
	select {
	case <-idle.Done():
	case <-time.After(time.Minute):
		t.Error("does not end by time")
	}
	whole, end := context.WithCancel(t.Context())
	inner, cancelInner := lanes.Worked(whole, time.Hour)
	defer cancelInner()
	if inner.Err() != nil {
		t.Error("ends at once")
	}
	end()
	if inner.Err() == nil {
		t.Error("outlives what it is a part of")
	}
}

package symbolic

import (
	"context"
	"errors"
	"testing"
)

// TestCancel ends an exploration that would never end.
func TestCancel(t *testing.T) {
	s := &System{Names: []string{"a", "b"}, Initial: []uint32{0, 0}, Events: []Event{
		{{0, 0, NoLimit, 1}}, {{1, 0, NoLimit, 1}},
	}}
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	cancel(reason)
	sp, err := ExploreSystem(ctx, s, Options{})
	if !errors.Is(err, reason) {
		t.Fatalf("got %v, want %v", err, reason)
	}
	if sp.Complete {
		t.Error("complete, though it was cancelled")
	}
}

package reduce

import (
	"context"
	"errors"
	"testing"

	"pnmc/internal/petritest"
)

// TestNothingIsFinishedTooLate: once the context has ended no net is made of what is left.
func TestNothingIsFinishedTooLate(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	d := newDraft(ctx, petritest.Philosophers(10), nil)
	d.perLook = 1
	applied := make([]int, len(rules))
	if r, err := d.finishUnless(applied, d.over); err != nil || r.Net.Places() != 50 {
		t.Fatalf("%v, %v", r, err)
	}
	ended := errors.New("ended")
	cancel(ended)
	if r, err := d.finishUnless(applied, d.over); r != nil || !errors.Is(err, ended) {
		t.Errorf("%v, %v", r, err)
	}
}

package account_test

import (
	"context"
	"errors"
	"testing"

	"pnmc/internal/account"
)

// TestWatch looks until a look fails, or the context ends.
func TestWatch(t *testing.T) {
	failed, looks := errors.New("failed"), 0
	err := account.Watch(t.Context(), func() error {
		if looks++; looks == 3 {
			return failed
		}
		return nil
	})
	if err != failed || looks != 3 {
		t.Fatalf("%v after %d looks", err, looks)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := account.Watch(ctx, func() error { cancel(); return nil }); err != nil {
		t.Fatal(err)
	}
}

package bdd_test

import (
	"context"
	"errors"
	"testing"

	"pnmc/automata/bdd"
)

// Work that does no steps asks the context, too, though not each time.
func TestLook(t *testing.T) {
	f := bdd.New(1, 100)
	ctx, cancel := context.WithCancel(t.Context())
	f.Watch(ctx)
	for range 1000 {
		if !f.Look(1000) {
			t.Fatal(f.Err())
		}
	}
	cancel()
	looks := 0
	for f.Look(1) {
		if looks++; looks > 1<<20 {
			t.Fatal("the context is never asked")
		}
	}
	if looks == 0 || !errors.Is(f.Err(), context.Canceled) {
		t.Errorf("%d looks, %v", looks, f.Err())
	}
}

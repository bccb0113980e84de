package symmetric_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri/symmetric"
	"pnmc/petri/symmetric/replay"
)

func init() {
	symmetric.StartReplay = func(ctx context.Context, n *symmetric.Net) (symmetric.Replay, error) { return replay.Start(ctx, n) }
}

// TestStepBack goes some steps and then back, and holds against a replay whether the
// marking is the remembered one: it must be so at times, and at times not.
func TestStepBack(t *testing.T) {
	same, different := 0, 0
	if !petritest.CheckUntil(t, func() bool { return same > 0 && different > 0 }, func(t *rapid.T) {
		net := symmetric.RandomNet(t)
		w, err := net.Walk(t.Context(), rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)), 1000)
		if err != nil {
			return
		}
		remembered, err := replay.Start(t.Context(), net)
		if err != nil {
			t.Fatal(err)
		}
		again, err := replay.Start(t.Context(), net)
		if err != nil {
			t.Fatal(err)
		}
		follow := func(f symmetric.Firing, replays ...*replay.Run) {
			for _, r := range replays {
				if err := r.Fire(f); err != nil {
					t.Fatal(err)
				}
			}
		}
		for range rapid.IntRange(0, 3).Draw(t, "before") {
			f, err := w.Step()
			if err != nil {
				return
			}
			follow(f, remembered, again)
		}
		w.Remember()
		for step := range 8 {
			var f symmetric.Firing
			if step == 0 {
				f, err = w.Step()
			} else {
				f, err = w.StepBack()
			}
			if errors.Is(err, symmetric.ErrSearchLimit) {
				if w.Returned() {
					same++
				}
				return
			}
			if err != nil {
				return
			}
			follow(f, again)
			if again.SameMarking(remembered) != w.Returned() {
				t.Fatalf("returned is %t", w.Returned())
			}
			if w.Returned() {
				same++
				return
			}
			different++
		}
	}) {
		t.Errorf("%d markings are the remembered one, %d are not", same, different)
	}
}

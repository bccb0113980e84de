package symmetric

import (
	"errors"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
)

// TestStepBack goes some steps and then back, and holds against a replay whether the
// marking is the remembered one: it must be so at times, and at times not.
func TestStepBack(t *testing.T) {
	same, different := 0, 0
	if !petritest.CheckUntil(t, func() bool { return same > 0 && different > 0 }, func(t *rapid.T) {
		net := randomNet(t)
		w, err := net.Walk(t.Context(), rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)), 1000)
		if err != nil {
			return
		}
		remembered, err := net.Replay(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		replay, err := net.Replay(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		follow := func(f Firing, replays ...*Replay) {
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
			follow(f, remembered, replay)
		}
		w.Remember()
		for step := range 8 {
			var f Firing
			if step == 0 {
				f, err = w.Step()
			} else {
				f, err = w.StepBack()
			}
			if errors.Is(err, ErrSearchLimit) {
				if w.Returned() {
					same++
				}
				return
			}
			if err != nil {
				return
			}
			follow(f, replay)
			if replay.SameMarking(remembered) != w.Returned() {
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

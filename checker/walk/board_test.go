package walk

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
)

// TestBoard: after firings, repeated and undone ones among them, what is enabled is what the
// net says, and what was enabled or disabled last is told.
func TestBoard(t *testing.T) {
	petritest.CheckMany(t, 2000, func(t *rapid.T) {
		net := petritest.AnyNet().Draw(t, "net")
		b := newBoard(gameWith(net, rapid.SampledFrom([]int{0, consumersOfCrowded}).Draw(t, "consumers of a place with crowds")))
		b.tells = true
		var before []uint32
		var run []burst // from the initial marking on, unless it has a reset
		for range rapid.IntRange(0, 30).Draw(t, "firings") {
			before = checkBoard(t, b, before)
			if len(b.enabled) == 0 || rapid.IntRange(0, 20).Draw(t, "restart") == 0 {
				b.restart()
				run = run[:0]
				before = slices.Sorted(slices.Values(b.enabled))
				continue
			}
			u := rapid.SampledFrom(b.enabled).Draw(t, "transition")
			times := rapid.Int64Range(1, b.most(u, 5)).Draw(t, "times")
			if !b.fire(u, times) {
				t.Fatalf("transition %d can't fire %d times", u, times)
			}
			run = append(run, burst{Transition: petri.Transition(u), Times: times})
			if !b.game.resets && rapid.Bool().Draw(t, "undo") {
				before = checkBoard(t, b, before)
				if rapid.Bool().Draw(t, "all at once") {
					left := rapid.IntRange(0, len(run)-1).Draw(t, "firings left")
					b.takeBack(run[left:], left == 0)
					run = run[:left]
					told, was := len(b.began)+len(b.ceased) > 0, slices.Clone(before)
					if before = checkBoard(t, b, before); !told && !slices.Equal(before, was) {
						t.Fatalf("%v is enabled after %v, and nothing is told", before, was)
					}
					continue
				}
				run = run[:len(run)-1]
				for range times {
					b.fire(u, -1)
					before = checkBoard(t, b, before)
				}
			}
		}
		checkBoard(t, b, before)
	})
}

// checkBoard returns what is enabled, ascending, which is what was before but for what the
// last firing changed.
func checkBoard(t *rapid.T, b *board, before []uint32) []uint32 {
	var want []uint32
	for u := range petri.Transition(b.game.net.Transitions()) {
		if b.game.net.Enabled(b.marking, u) {
			want = append(want, uint32(u))
		}
	}
	got := slices.Sorted(slices.Values(b.enabled))
	if !slices.Equal(got, want) {
		t.Fatalf("enabled %v, want %v", got, want)
	}
	if len(b.began)+len(b.ceased) > 0 {
		changed := slices.DeleteFunc(before, func(u uint32) bool { return slices.Contains(b.ceased, u) })
		if changed = append(changed, b.began...); !slices.Equal(slices.Sorted(slices.Values(changed)), want) {
			t.Fatalf("%v began and %v ceased, which makes %v of %v", b.began, b.ceased, want, before)
		}
	}
	b.began, b.ceased = b.began[:0], b.ceased[:0] // seen
	return want
}

// TestIdleFiresOnce: a firing that changes nothing may stand for many of a net that was reduced,
// which nobody needs to repeat.
func TestIdleFiresOnce(t *testing.T) {
	b := &petri.Builder{ID: "idle"}
	p, err := b.AddPlace("p", "", 1)
	u, transitionErr := b.AddTransition("t", "")
	if err := errors.Join(err, transitionErr, b.AddInput(p, u, 1), b.AddOutput(u, p, 1)); err != nil {
		t.Fatal(err)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if times := newBoard(game(net)).most(uint32(u), 1<<20); times != 1 {
		t.Errorf("%d times", times)
	}
}

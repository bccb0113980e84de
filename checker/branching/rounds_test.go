package branching_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker"
	"pnmc/checker/branching"
	"pnmc/checker/internal/checkertest"
	"pnmc/internal/petritest"
	"pnmc/logic"
)

// TestRoundsAgreeWithNaiveTwin: searches that are cut off after a marking or two leave much unknown, and
// the result is right all the same. It is asked of a formula and of its parts, on one graph, so that
// searches meet what others have explored.
func TestRoundsAgreeWithNaiveTwin(t *testing.T) {
	held, failed := 0, 0
	if !petritest.CheckUntil(t, func() bool { return held > 0 && failed > 0 }, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		s := branching.NewSearch(kripkeOf(net), true, rapid.Uint64().Draw(t, "seed"))
		s.BeginsWith(rapid.IntRange(1, 4).Draw(t, "markings"))
		for range 6 {
			f := checkertest.CTL(t, net, 5)
			want := checkertest.Truth(net, g, f)[0]
			if got, err := s.Decide(context.Background(), f); err != nil || got != want {
				t.Fatalf("%s: %v, %v, should be %v", f.Text(func(p *logic.Predicate) string { return p.Text(checker.Vocabulary(net)) }), got, err, want)
			}
			if want {
				held++
			} else {
				failed++
			}
		}
	}) {
		t.Errorf("%d formulas hold, %d fail", held, failed)
	}
}

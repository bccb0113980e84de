package emptiness

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/automatatest"
)

// TestNumbersOfEdgesEnd: with fewer numbers for edges a search finds the same, or says that they are used up.
func TestNumbersOfEdgesEnd(t *testing.T) {
	all := mostEdges
	defer func() { mostEdges = all }()
	ended, found := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		a, b := automatatest.SmallAutomaton(t), automatatest.SmallAutomaton(t)
		mostEdges = all
		want, err := Intersect(Lazy(lazyTwin{a}), Lazy(lazyTwin{b}), Options{})
		if err != nil {
			t.Fatal(err)
		}
		mostEdges = rapid.IntRange(0, 12).Draw(t, "most")
		got, err := Intersect(Lazy(lazyTwin{a}), Lazy(lazyTwin{b}), Options{})
		switch {
		case errors.Is(err, ErrTooManyEdges):
			ended++
		case err != nil || got.Nonempty != want.Nonempty:
			t.Fatalf("nonempty %v, should be %v; %v", got.Nonempty, want.Nonempty, err)
		default:
			found++
		}
	})
	if ended < 5 || found < 5 {
		t.Errorf("too one-sided to mean much: %d ended, %d found", ended, found)
	}
}

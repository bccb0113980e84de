package automata

import (
	"testing"

	"pgregory.net/rapid"
)

// TestChangesAddUp adds up the changes to get the word back.
func TestChangesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(least int) []Valuation {
			letters := make([]Valuation, rapid.IntRange(least, 4).Draw(t, "length"))
			for i := range letters {
				letters[i] = Valuation{rapid.Uint64().Draw(t, "low"), rapid.Uint64Max(63).Draw(t, "high")}
			}
			return letters
		}
		l := Lasso{Propositions: make([]string, 70), Prefix: draw(0), Cycle: draw(1)}
		c := l.Changes()
		at := func(l Lasso, i int) Valuation {
			if i < len(l.Prefix) {
				return l.Prefix[i]
			}
			return l.Cycle[(i-len(l.Prefix))%len(l.Cycle)]
		}
		sum := Valuation{0, 0}
		for i := range 40 {
			sum[0] ^= at(c, i)[0]
			sum[1] ^= at(c, i)[1]
			if want := at(l, i); sum[0] != want[0] || sum[1] != want[1] {
				t.Fatalf("letter %d: %x, want %x", i, sum, want)
			}
		}
	})
}

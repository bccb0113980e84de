package reduce

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"pnmc/petri"
)

// TestSharingAgreesWithBinomials: whatever was asked before, the number is the binomial.
func TestSharingAgreesWithBinomials(t *testing.T) {
	stepped := 0
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.IntRange(1, 60).Draw(t, "places")
		s := (&Counts{Groups: [][]petri.Place{make([]petri.Place, places)}}).Sharing()
		for range 20 {
			tokens, needed := rapid.Int64Range(0, 90).Draw(t, "tokens"), rapid.Int64Range(0, 5).Draw(t, "needed")
			steps := 0
			got := s.Ways(0, tokens, needed, func(int) { steps++ })
			want := new(big.Int)
			if tokens >= needed {
				want.Binomial(tokens-needed+int64(places)-1, int64(places)-1)
			}
			if got.Cmp(want) != 0 {
				t.Fatalf("%d tokens, %d needed, on %d places: %v ways, want %v", tokens, needed, places, got, want)
			}
			if most := min(tokens, int64(places)-1); tokens >= needed && int64(steps) > most {
				t.Fatalf("%d tokens on %d places took %d steps, expected at most %d", tokens, places, steps, most)
			} else if int64(steps) < most {
				stepped++
			}
			got.SetInt64(0) // what was returned is the caller's
		}
	})
	if stepped == 0 {
		t.Error("no number follows from the one before")
	}
}

package petri

import "testing"

// TestSemiflowWeight looks up places of a semiflow and others.
func TestSemiflowWeight(t *testing.T) {
	f := Semiflow{Terms: []Arc{{Place: 1, Weight: 2}, {Place: 4, Weight: 1}, {Place: 7, Weight: 3}}, Value: 6}
	for p, want := range []int64{0, 2, 0, 0, 1, 0, 0, 3, 0} {
		if got := f.Weight(Place(p)); got != want {
			t.Errorf("place %d has weight %d, expected %d", p, got, want)
		}
	}
}

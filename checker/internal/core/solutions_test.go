package core

import (
	"slices"
	"testing"

	"pnmc/checker/witness"
)

// TestSolutions: solutions of a goal come in turn, newer ones take the place of older ones, and what is too
// much is left out.
func TestSolutions(t *testing.T) {
	counts := func(n int) []witness.Burst { return make([]witness.Burst, n) }
	var n Reduced
	if got := n.Solution(0, 0); got != nil {
		t.Errorf("at first %v", got)
	}
	n.KeepSolutions(0, [][]witness.Burst{counts(1), counts(2)})
	n.KeepSolutions(1, [][]witness.Burst{counts(mostCounts - 4)})
	n.KeepSolutions(2, [][]witness.Burst{counts(2)}) // one too many
	n.KeepSolutions(0, nil)
	look := func() (lengths []int) {
		for _, at := range [][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 7}, {2, 0}} {
			lengths = append(lengths, len(n.Solution(at[0], at[1])))
		}
		return lengths
	}
	if got := look(); !slices.Equal(got, []int{1, 2, 1, mostCounts - 4, 0}) {
		t.Errorf("lengths %v", got)
	}
	n.KeepSolutions(1, [][]witness.Burst{counts(5)})
	n.KeepSolutions(2, [][]witness.Burst{counts(mostCounts - 8)})
	if got := look(); !slices.Equal(got, []int{1, 2, 1, 5, mostCounts - 8}) {
		t.Errorf("lengths %v once there is room", got)
	}
}

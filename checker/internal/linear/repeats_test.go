package linear

import (
	"math"
	"testing"

	"pnmc/logic"
	"pnmc/petri"
)

// TestLooksTheSame: a comparison is the same for ever where a cycle adds nothing to its
// sum, or leads away from zero; numbers that may not fit 64 bits show neither.
func TestLooksTheSame(t *testing.T) {
	const huge = 1 << 32 // its square is 0 in 64 bits
	for _, test := range []struct {
		operator     logic.Operator
		constant     int64
		coefficients [2]int64
		m, added     petri.Marking
		want         bool
	}{
		{logic.AtMost, 0, [2]int64{1, -1}, petri.Marking{5, 3}, petri.Marking{2, 2}, true},
		{logic.AtMost, 0, [2]int64{1, -1}, petri.Marking{5, 3}, petri.Marking{2, 1}, true},
		{logic.AtMost, 0, [2]int64{1, -1}, petri.Marking{5, 3}, petri.Marking{1, 2}, false},
		{logic.AtMost, 0, [2]int64{1, -1}, petri.Marking{3, 3}, petri.Marking{1, 2}, true},
		{logic.AtMost, 0, [2]int64{1, -1}, petri.Marking{3, 3}, petri.Marking{2, 1}, false},
		{logic.Equal, 0, [2]int64{1, -1}, petri.Marking{3, 3}, petri.Marking{1, 2}, false},
		{logic.Equal, 1, [2]int64{1, -1}, petri.Marking{1, 3}, petri.Marking{1, 2}, true},
		{logic.AtMost, 0, [2]int64{huge, 1}, petri.Marking{0, 0}, petri.Marking{huge, 0}, false},
		{logic.AtMost, 0, [2]int64{1, -1}, petri.Marking{0, huge}, petri.Marking{1, 1}, true},
		{logic.AtMost, 0, [2]int64{1, -1}, petri.Marking{0, huge}, petri.Marking{0, 1}, true},
		{logic.AtMost, 0, [2]int64{1, -huge}, petri.Marking{0, huge}, petri.Marking{0, 1}, false},
		{logic.AtMost, math.MaxInt64, [2]int64{1, -1}, petri.Marking{3, 0}, petri.Marking{0, 1}, false},
		{logic.AtMost, math.MaxInt64, [2]int64{1, -1}, petri.Marking{0, 0}, petri.Marking{1, 0}, true},
		{logic.AtMost, 0, [2]int64{1, huge}, petri.Marking{0, huge}, petri.Marking{0, 0}, true},
	} {
		sum := logic.Sum{Constant: test.constant, Terms: []logic.Term{{Place: 0, Coefficient: test.coefficients[0]}, {Place: 1, Coefficient: test.coefficients[1]}}}
		p := &logic.Predicate{Operator: test.operator, Sum: sum}
		if got := looksTheSame(p, test.m, test.added); got != test.want {
			t.Errorf("%+v of %v with %v more each time: %t, want %t", sum, test.m, test.added, got, test.want)
		}
	}
}

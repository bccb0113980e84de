package symbolic

import (
	"math"
	"runtime"
	"testing"

	"pnmc/logic"
)

// sumPredicate compares constant + Σ coefficients[v]·v with zero.
func sumPredicate(operator logic.Operator, constant int64, coefficients ...int64) *logic.Predicate {
	p := &logic.Predicate{Operator: operator, Sum: logic.Sum{Constant: constant}}
	for v, c := range coefficients {
		if c == 0 {
			continue
		}
		p.Sum.Terms = append(p.Sum.Terms, logic.Term{Place: uint32(v), Coefficient: c})
	}
	return p
}

// TestDeadlockWithTheLargestValue: where the last edge of a node is for the largest value,
// the condition of its set has no interval of values after that.
func TestDeadlockWithTheLargestValue(t *testing.T) {
	space, err := ExploreSystem(t.Context(), &System{Names: []string{"full"}, Initial: []uint32{math.MaxUint32}}, Options{})
	must(t, err)
	dead := &logic.Predicate{Operator: logic.Deadlocked}
	deadWithMany := &logic.Predicate{Operator: logic.And, Operands: []*logic.Predicate{dead, sumPredicate(logic.AtMost, 5, -1)}}
	n, err := space.Satisfying(deadWithMany)
	must(t, err)
	if n != space.Reachable {
		t.Errorf("dead with 5 tokens or more: %d, want %d", n, space.Reachable)
	}
}

// TestComparisonsOfLargeValues: what a comparison takes does not grow with the values
// that variables have, but for time where it is decided late.
func TestComparisonsOfLargeValues(t *testing.T) {
	const many = 1 << 22
	space, err := ExploreSystem(t.Context(), &System{
		Names: []string{"many", "few"}, Initial: []uint32{many, 3}, Events: []Event{{{1, 1, noLimit, -1}}},
	}, Options{})
	must(t, err)
	for _, test := range []struct {
		p    *logic.Predicate
		want int64
	}{
		{sumPredicate(logic.AtMost, 5, -1), 4},         // many >= 5
		{sumPredicate(logic.AtMost, -5, 1), 0},         // many <= 5
		{sumPredicate(logic.AtMost, many, -1), 4},      // many >= 2^22
		{sumPredicate(logic.AtMost, many+1, -1), 0},    // many > 2^22
		{sumPredicate(logic.Equal, -many, 1), 4},       // many = 2^22
		{sumPredicate(logic.Equal, -7, 1), 0},          // many = 7
		{sumPredicate(logic.AtMost, -2, -1, 1), 4},     // few <= many + 2
		{sumPredicate(logic.Equal, -many-2, 1, 1), 1},  // many + few = 2^22 + 2
		{sumPredicate(logic.AtMost, many-1, -1, 1), 2}, // many >= 2^22 - 1 + few
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		n, err := space.Satisfying(test.p)
		runtime.ReadMemStats(&after)
		must(t, err)
		if got := space.Forest.Count(n).Int64(); got != test.want {
			t.Errorf("%+v: %d states, want %d", test.p.Sum, got, test.want)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > many {
			t.Errorf("%+v takes %d bytes", test.p.Sum, took)
		}
	}
}

package symbolic

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSetOperations compares every operation on sets with its naive twin, with
// dead nodes collected at every step or only when due.
func TestSetOperations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		height := rapid.IntRange(1, 5).Draw(t, "height")
		f := NewForest(height, 0)
		f.eager = rapid.Bool().Draw(t, "eager")
		sa, sb := drawVectors(t, height, "a"), drawVectors(t, height, "b")
		a, b := sa.node(t, f), sb.node(t, f)

		union, both, onlyA := vectorSet{}, vectorSet{}, vectorSet{}
		for k, v := range sa {
			union.add(v)
			if _, ok := sb[k]; ok {
				both.add(v)
			} else {
				onlyA.add(v)
			}
		}
		for _, v := range sb {
			union.add(v)
		}
		for name, c := range map[string]struct {
			want vectorSet
			got  func() (Node, error)
		}{
			"union":        {union, func() (Node, error) { return f.Union(a, b) }},
			"intersection": {both, func() (Node, error) { return f.Intersection(a, b) }},
			"difference":   {onlyA, func() (Node, error) { return f.Difference(a, b) }},
		} {
			got, err := c.got()
			must(t, err)
			f.Keep(got)
			if g, w := vectorsOf(f, got).keys(), c.want.keys(); !slices.Equal(g, w) {
				t.Fatalf("%s: got %v, want %v", name, g, w)
			}
			// Canonical: the same set built otherwise has the same number.
			if again := c.want.node(t, f); again != got {
				t.Fatalf("%s: node %d, built anew %d", name, got, again)
			}
		}
		checkMeasures(t, f, a, sa)
	})
}

// checkMeasures compares what is told of a set with its naive twin.
func checkMeasures(t *rapid.T, f *Forest, n Node, s vectorSet) {
	if got := f.Count(n); got.Cmp(big.NewInt(int64(len(s)))) != 0 {
		t.Fatalf("count %v, want %d", got, len(s))
	}
	probe := rapid.SliceOfN(rapid.Uint32Range(0, 4), f.height, f.height).Draw(t, "probe")
	contained := false
	weights := rapid.SliceOfN(rapid.Int64Range(-3, 1<<62), f.height, f.height).Draw(t, "weights")
	largest := make([]uint32, f.height)
	var sum *big.Int
	for _, v := range s {
		contained = contained || slices.Equal(v, probe)
		total := new(big.Int)
		for i, x := range v {
			largest[i] = max(largest[i], x)
			total.Add(total, new(big.Int).Mul(big.NewInt(int64(x)), big.NewInt(weights[i])))
		}
		if sum == nil || total.Cmp(sum) > 0 {
			sum = total
		}
	}
	if f.Contains(n, probe) != contained {
		t.Fatalf("contains %v: %v, want %v", probe, !contained, contained)
	}
	if got := f.MaxValues(n); !slices.Equal(got, largest) {
		t.Fatalf("largest values %v, want %v", got, largest)
	}
	got, err := f.MaxSum(n, weights)
	if sum == nil {
		if err == nil {
			t.Fatalf("largest sum over an empty set: %v", got)
		}
		return
	}
	must(t, err)
	if got.Cmp(sum) != 0 {
		t.Fatalf("largest sum %v, want %v", got, sum)
	}
}

func TestArgumentErrors(t *testing.T) {
	f := NewForest(2, 0)
	if _, err := f.Singleton([]uint32{1}); err == nil {
		t.Error("a vector too short was taken")
	}
	n, _ := f.Singleton([]uint32{1, 2})
	if _, err := f.MaxSum(n, []int64{1}); err == nil {
		t.Error("too few weights were taken")
	}
	r := f.NewRelation()
	for _, steps := range [][]Step{
		{{Level: 0}}, {{Level: 3}}, {{Level: 1}, {Level: 1}}, {{Level: 1, Low: 1, High: noLimit, Delta: -2}},
	} {
		if err := r.Add(steps); err == nil {
			t.Errorf("steps %v were taken", steps)
		}
	}
}

// TestLargeCounts counts 5^100 vectors, more than a word holds.
func TestLargeCounts(t *testing.T) {
	const height = 100
	f := NewForest(height, 0)
	n, err := f.Singleton(make([]uint32, height))
	must(t, err)
	r := f.NewRelation()
	for level := 1; level <= height; level++ {
		must(t, r.Add([]Step{{Level: level, High: 3, Delta: 1}}))
	}
	n, err = r.Saturate(t.Context(), n)
	must(t, err)
	five := big.NewInt(5)
	if want := new(big.Int).Exp(five, big.NewInt(height), nil); f.Count(n).Cmp(want) != 0 {
		t.Errorf("count %v, want %v", f.Count(n), want)
	}
	// In 4/5 of the vectors each event is possible.
	want := new(big.Int).Exp(five, big.NewInt(height-1), nil)
	want.Mul(want, big.NewInt(4*height))
	if got, err := r.CountFirings(t.Context(), n); err != nil || got.Cmp(want) != 0 {
		t.Errorf("firings %v, want %v", got, want)
	}
}

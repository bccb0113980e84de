package symbolic

import (
	"context"
	"fmt"
	"math/big"
	"pnmc/symbolic/order"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// stepsOf turns an event of a system declared from the top down into steps.
func stepsOf(s *System, e Event) []Step {
	var steps []Step
	for _, g := range e {
		steps = append(steps, Step{len(s.Names) - int(g.Variable), g.Low, g.High, g.Delta})
	}
	return steps
}

// TestCountFirings counts pairs of a vector and an event that is possible in it, for
// relations as they are and merged. Events that say the same are one.
func TestCountFirings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSystem(t)
		f := NewForest(len(s.Names), 0)
		r := f.NewRelation()
		seen := map[string]bool{}
		var events []Event
		for _, e := range s.Events {
			must(t, r.Add(stepsOf(s, e)))
			if key := fmt.Sprint(e); !seen[key] {
				seen[key] = true
				events = append(events, e)
			}
		}
		s.Events = events
		from := drawVectors(t, len(s.Names), "from")
		want := 0
		for _, v := range from {
			w := slices.Clone(v)
			slices.Reverse(w)
			want += len(s.successors(w))
		}
		got, err := r.CountFirings(context.Background(), from.node(t, f))
		must(t, err)
		if got.Cmp(big.NewInt(int64(want))) != 0 {
			t.Fatalf("%v firings, want %d", got, want)
		}
	})
}

// TestSaturateWithin compares constrained saturation with a search that stays in the
// constraint, from any vectors and in any constraint.
func TestSaturateWithin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSystem(t)
		sp, err := newSpace(t.Context(), s, order.Declared(len(s.Names)), Options{Memory: 0})
		must(t, err)
		f := sp.forest
		f.eager = rapid.Bool().Draw(t, "eager")
		if rapid.Bool().Draw(t, "merge") {
			sp.relation.merge()
		}
		from, within := drawVectors(t, len(s.Names), "from"), drawVectors(t, len(s.Names), "within")
		want := vectorSet{}
		queue := [][]uint32{}
		for _, v := range from {
			want.add(v)
			queue = append(queue, v)
		}
		for len(queue) > 0 {
			v := slices.Clone(queue[0])
			queue = queue[1:]
			slices.Reverse(v)
			for _, w := range s.successors(v) {
				slices.Reverse(w)
				if _, ok := within[fmt.Sprint(w)]; ok && want.add(w) {
					queue = append(queue, w)
				}
			}
		}
		got, err := sp.relation.SaturateWithin(t.Context(), from.node(t, f), within.node(t, f))
		must(t, err)
		if g, w := vectorsOf(f, got).keys(), want.keys(); !slices.Equal(g, w) {
			t.Fatalf("got %v, want %v", g, w)
		}
	})
}

// TestMergeRelatesTheSame: merged, a relation has the same images, and one rule a
// level unless rules have alternatives already.
func TestMergeRelatesTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSystem(t)
		f := NewForest(len(s.Names), 0)
		plain, merged := f.NewRelation(), f.NewRelation()
		for _, e := range s.Events {
			must(t, plain.Add(stepsOf(s, e)))
			must(t, merged.Add(stepsOf(s, e)))
		}
		merged.merge()
		n := drawVectors(t, len(s.Names), "vectors").node(t, f)
		a, err := plain.Image(n)
		must(t, err)
		f.Keep(a)
		b, err := merged.Image(n)
		must(t, err)
		if a != b {
			t.Fatalf("images differ: %v, merged %v", vectorsOf(f, a).keys(), vectorsOf(f, b).keys())
		}
		for level, rules := range merged.top {
			if len(rules) > 1 {
				t.Fatalf("level %d: %d rules left of %d", level, len(rules), len(plain.top[level]))
			}
		}
	})
}

// TestExactRules: a rule whose alternatives are for one value each, as of groups, is
// found by value, also where several are for the same one.
func TestExactRules(t *testing.T) {
	f := NewForest(1, 0)
	r := f.NewRelation()
	for _, step := range []Step{{1, 5, 5, 1}, {1, 2, 2, 3}, {1, 7, 7, -7}, {1, 2, 2, 5}, {1, 0, 0, 2}} {
		must(t, r.Add([]Step{step}))
	}
	r.merge()
	if len(r.top[1]) != 1 || !f.rules.exact[r.top[1][0]] {
		t.Fatalf("rules %v are not one exact rule", r.top[1])
	}
	n, err := f.Singleton([]uint32{0})
	must(t, err)
	n, err = r.Saturate(t.Context(), n)
	must(t, err)
	// 0 to 2, 2 to 5 and 7, 5 to 6, 7 to 0.
	if got := fmt.Sprint(vectorsOf(f, n).keys()); got != "[[0] [2] [5] [6] [7]]" {
		t.Errorf("reached %s", got)
	}
}

// TestDisplacementBeyondRange: an event that leaves 32 bits, or spreads values too
// far, is told.
func TestDisplacementBeyondRange(t *testing.T) {
	for name, step := range map[string]Step{
		"beyond 32 bits": {1, 0, noLimit, noLimit},
		"too far apart":  {1, 0, noLimit, 2 * maximalSpread},
	} {
		f := NewForest(1, 0)
		r := f.NewRelation()
		must(t, r.Add([]Step{step}))
		n, err := f.Singleton([]uint32{1})
		must(t, err)
		if _, err := r.Saturate(t.Context(), n); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

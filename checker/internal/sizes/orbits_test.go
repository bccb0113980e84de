package sizes

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/inquiry"
	"pnmc/internal/petritest"
	"pnmc/petri"
)

// TestOrbits: sizes that are counted by images are those of all markings.
func TestOrbits(tt *testing.T) {
	counted := 0
	if !petritest.CheckManyUntil(tt, 1000, func() bool { return counted > 40 }, func(t *rapid.T) {
		net := petritest.Rows().Draw(t, "net").Net
		g, complete := petritest.Explore(net, 1000)
		if !complete {
			t.Skip("too many markings")
		}
		want := map[inquiry.Size]int64{inquiry.Markings: int64(len(g.Markings))}
		for _, m := range g.Markings {
			total := int64(0)
			for _, n := range m {
				total += n
				want[inquiry.TokensInPlace] = max(want[inquiry.TokensInPlace], n)
			}
			want[inquiry.TokensPerMarking] = max(want[inquiry.TokensPerMarking], total)
			for u := range petri.Transition(net.Transitions()) {
				if net.Enabled(m, u) {
					want[inquiry.Firings]++
				}
			}
		}
		r, record := tokenTask(tt, net)
		if err := Orbits(context.Background(), r); err != nil {
			t.Fatal(err)
		}
		known := true
		for i, size := range inquiry.Sizes() {
			got, right := record.Value(i), inquiry.Number(want[size.(inquiry.Size)])
			if known = known && got.IsKnown(); got.IsKnown() && !got.Equal(right) {
				t.Fatalf("size %d is %v, expected %v", i, got, right)
			}
		}
		if known && len(g.Markings) > 1 {
			counted++
		}
	}) {
		tt.Errorf("%d nets were counted", counted)
	}
}

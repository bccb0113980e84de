package sizes

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/checkertest"
	"pnmc/internal/petritest"
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
		twin := checkertest.NewTwin(net, g)
		r, record := tokenTask(tt, net)
		if err := Orbits(context.Background(), r); err != nil {
			t.Fatal(err)
		}
		known := true
		for i, size := range inquiry.Sizes() {
			got := record.Value(i)
			right, _ := twin.Answer(size)
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

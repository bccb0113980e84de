package sizes

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/inquiry"
	"pnmc/internal/petritest"
	"pnmc/petri"
)

// TestDiagramsCount: what is counted on the diagram of a smaller net are the sizes of the net itself.
func TestDiagramsCount(tt *testing.T) {
	smaller := 0
	rapid.Check(tt, func(t *rapid.T) {
		net := petritest.Chains().Draw(t, "net")
		g, ok := petritest.Explore(net, 400)
		if !ok {
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
		if err := Diagrams(context.Background(), r); err != nil {
			t.Skip(err)
		}
		for i, size := range inquiry.Sizes() {
			if got, right := record.Value(i), inquiry.Number(want[size.(inquiry.Size)]); !got.Equal(right) {
				t.Fatalf("size %d is %v, expected %v", i, got, right)
			}
		}
		for _, a := range record.Answers {
			if a.By&inquiry.StructuralReduction != 0 {
				smaller++
			}
		}
	})
	if smaller == 0 {
		tt.Error("no net became smaller")
	}
}

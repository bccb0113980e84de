package invariant

import (
	"testing"

	"pgregory.net/rapid"
)

// TestCheapestColumn compares the heap with a search through all columns, after many
// changes at once.
func TestCheapestColumn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		transitions := rapid.IntRange(1, 12).Draw(t, "transitions")
		c := newColumns(transitions)
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			for range rapid.IntRange(0, 15).Draw(t, "changes") {
				x := entry{uint32(rapid.IntRange(0, transitions-1).Draw(t, "transition")), rapid.SampledFrom([]int64{-1, 1}).Draw(t, "effect")}
				by := rapid.SampledFrom([]int32{-1, 1}).Draw(t, "by")
				if held := c.count[x.index]; by < 0 && (x.value > 0 && held.positive == 0 || x.value < 0 && held.negative == 0) {
					continue
				}
				c.add(x, by)
			}
			found, _, ok := c.cheapest()
			want, any := uint32(0), false
			for t := range uint32(transitions) {
				if n := c.count[t]; n != (columnCount{}) && (!any || n.cost() < c.count[want].cost()) {
					want, any = t, true
				}
			}
			if ok != any || found != want && ok {
				t.Fatalf("found %d (%v), expected %d (%v) of %v", found, ok, want, any, c.count)
			}
		}
	})
}

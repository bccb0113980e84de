package petritest

import (
	"fmt"

	"pgregory.net/rapid"

	"pnmc/petri"
)

// Chains draws small nets in which most transitions hand on one token from one place to another, so that
// places between them can be merged. Some places have tokens at first, some arcs weights.
func Chains() *rapid.Generator[*petri.Net] {
	return rapid.Custom(func(t *rapid.T) *petri.Net {
		var b petri.Builder
		places := rapid.IntRange(2, 7).Draw(t, "places")
		for p := range places {
			tokens := rapid.SampledFrom([]int64{0, 0, 0, 1, 2}).Draw(t, "tokens")
			must(b.AddPlace(fmt.Sprint("p", p), "", tokens))
		}
		place := func(what string) petri.Place { return petri.Place(rapid.IntRange(0, places-1).Draw(t, what)) }
		heavy := func() int64 { return rapid.SampledFrom([]int64{1, 1, 1, 2}).Draw(t, "weight") }
		for i := range rapid.IntRange(1, 8).Draw(t, "transitions") {
			u := must(b.AddTransition(fmt.Sprint("t", i), ""))
			in, out := 1, 1
			if rapid.IntRange(0, 2).Draw(t, "more") == 0 {
				in, out = rapid.IntRange(0, 3).Draw(t, "inputs"), rapid.IntRange(0, 3).Draw(t, "outputs")
			}
			for range in {
				check(b.AddInput(place("from"), u, heavy()))
			}
			for range out {
				check(b.AddOutput(u, place("to"), heavy()))
			}
		}
		return must(b.Build())
	})
}

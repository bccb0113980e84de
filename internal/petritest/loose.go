package petritest

import (
	"fmt"

	"pgregory.net/rapid"

	"pnmc/petri"
)

// Loose draws a net of up to 10 places and 10 transitions that mostly have one or two inputs:
// more of them are independent of each other than in those of Net. There are loops that only
// read a place, loops that give back less or more than they take, weights, sources and sinks.
// Tokens are mostly moved, so that many nets are bounded.
func Loose() *rapid.Generator[*petri.Net] {
	return rapid.Custom(func(t *rapid.T) *petri.Net {
		var b petri.Builder
		var places []petri.Place
		for p := range rapid.IntRange(2, 10).Draw(t, "places") {
			places = append(places, must(b.AddPlace(fmt.Sprintf("p%d", p), "", rapid.SampledFrom([]int64{0, 0, 0, 1, 1, 2, 3}).Draw(t, "tokens"))))
		}
		place := rapid.SampledFrom(places)
		for i := range rapid.IntRange(2, 10).Draw(t, "transitions") {
			id := must(b.AddTransition(fmt.Sprintf("t%d", i), ""))
			for range rapid.SampledFrom([]int{0, 1, 1, 1, 1, 1, 1, 2, 2}).Draw(t, "moves") {
				w := weight(t)
				check(b.AddInput(place.Draw(t, "from"), id, w))
				if rapid.IntRange(0, 5).Draw(t, "ends") > 0 {
					check(b.AddOutput(id, place.Draw(t, "to"), rapid.SampledFrom([]int64{w, w, w, 1}).Draw(t, "arrive")))
				}
			}
			switch rapid.IntRange(0, 9).Draw(t, "extra") {
			case 0: // reads
				p, w := place.Draw(t, "read"), weight(t)
				check(b.AddInput(p, id, w))
				check(b.AddOutput(id, p, w))
			case 1: // a loop with another weight back
				p := place.Draw(t, "loop")
				check(b.AddInput(p, id, weight(t)))
				check(b.AddOutput(id, p, weight(t)))
			case 2: // out of nothing, or more than was taken
				if rapid.IntRange(0, 3).Draw(t, "source") == 0 {
					check(b.AddOutput(id, place.Draw(t, "to"), 1))
				}
			}
		}
		return must(b.Build())
	})
}

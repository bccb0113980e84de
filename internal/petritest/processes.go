package petritest

import (
	"fmt"

	"pgregory.net/rapid"

	"pnmc/petri"
)

// Processes draws a net of a few processes that each have one token, and of other places with
// tokens in any number. Transitions move one or two processes on, read, and test and change the other
// places. With special there are inhibitor and reset arcs, in loops with other arcs, too, and
// capacities.
func Processes(special bool) *rapid.Generator[*petri.Net] {
	return rapid.Custom(func(t *rapid.T) *petri.Net {
		var b petri.Builder
		var all, others []petri.Place
		var rings [][]petri.Place
		add := func(tokens int64) petri.Place {
			p := must(b.AddPlace(fmt.Sprintf("p%d", len(all)), "", tokens))
			all = append(all, p)
			return p
		}
		for range rapid.IntRange(0, 3).Draw(t, "rings") {
			var ring []petri.Place
			for s := range rapid.IntRange(2, 5).Draw(t, "states") {
				ring = append(ring, add(int64(max(0, 1-s))))
			}
			rings = append(rings, ring)
		}
		for range rapid.IntRange(1, 4).Draw(t, "others") {
			others = append(others, add(rapid.SampledFrom([]int64{0, 0, 1, 1, 2, 3}).Draw(t, "tokens")))
		}
		weight := rapid.SampledFrom([]int64{1, 1, 1, 2, 3})
		any, other := rapid.SampledFrom(all), rapid.SampledFrom(others)
		for i := range rapid.IntRange(2, 9).Draw(t, "transitions") {
			id := must(b.AddTransition(fmt.Sprintf("t%d", i), ""))
			for _, ring := range rings {
				if rapid.IntRange(0, 2).Draw(t, "takes part") == 0 {
					state := rapid.SampledFrom(ring)
					check(b.AddInput(state.Draw(t, "from"), id, 1))
					check(b.AddOutput(id, state.Draw(t, "to"), 1))
				}
			}
			kinds := []string{"move", "move", "take", "none", "none", "read", "loop", "give"}
			if special {
				kinds = append(kinds, "inhibitor", "inhibitor", "reset", "move and inhibitor", "loop and reset")
			}
			for range rapid.IntRange(0, 2).Draw(t, "arcs") {
				p, w := other.Draw(t, "place"), weight.Draw(t, "weight")
				switch rapid.SampledFrom(kinds).Draw(t, "kind") {
				case "move and inhibitor":
					check(b.AddInhibitor(any.Draw(t, "inhibitor"), id, weight.Draw(t, "weight")))
					fallthrough
				case "move":
					check(b.AddInput(p, id, w))
					check(b.AddOutput(id, other.Draw(t, "to"), w))
				case "take":
					check(b.AddInput(p, id, w))
				case "read":
					q := any.Draw(t, "read")
					check(b.AddInput(q, id, 1))
					check(b.AddOutput(id, q, 1))
				case "loop and reset":
					check(b.AddReset(p, id))
					fallthrough
				case "loop":
					check(b.AddInput(p, id, w))
					check(b.AddOutput(id, p, weight.Draw(t, "back")))
				case "give":
					check(b.AddOutput(id, p, w))
				case "inhibitor":
					check(b.AddInhibitor(any.Draw(t, "inhibitor"), id, w))
				case "reset":
					check(b.AddReset(any.Draw(t, "reset"), id))
				}
			}
		}
		if special {
			for _, p := range others {
				if rapid.IntRange(0, 2).Draw(t, "capacity") == 0 {
					check(b.SetCapacity(p, rapid.Int64Range(3, 4).Draw(t, "tokens")))
				}
			}
		}
		return must(b.Build())
	})
}

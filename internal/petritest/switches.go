package petritest

import (
	"fmt"

	"pnmc/petri"
)

// Switches returns a net of n switches, each of which is off or on. It has 2ⁿ markings, and n edges from
// each. With dead it has one transition more, which needs the first one off and on at once: it never fires.
func Switches(n int, dead bool) *petri.Net {
	var b petri.Builder
	for i := range n {
		off, on := must(b.AddPlace(fmt.Sprint("off", i), "", 1)), must(b.AddPlace(fmt.Sprint("on", i), "", 0))
		for _, way := range [][2]petri.Place{{off, on}, {on, off}} {
			move := must(b.AddTransition(fmt.Sprintf("from%d-%d", i, way[0]), ""))
			check(b.AddInput(way[0], move, 1))
			check(b.AddOutput(move, way[1], 1))
		}
	}
	if dead {
		never := must(b.AddTransition("never", ""))
		check(b.AddInput(0, never, 1))
		check(b.AddInput(1, never, 1))
	}
	return must(b.Build())
}

// BackwardChain returns a net in which a token goes along n places, by transitions that are listed from the
// last to the first: who looks at one after the other finds one more in each round.
func BackwardChain(n int) *petri.Net {
	var b petri.Builder
	var places []petri.Place
	for i := range n + 1 {
		places = append(places, must(b.AddPlace(fmt.Sprint("p", i), "", int64(1-min(1, i)))))
	}
	for i := n - 1; i >= 0; i-- {
		move := must(b.AddTransition(fmt.Sprint("t", i), ""))
		check(b.AddInput(places[i], move, 1))
		check(b.AddOutput(move, places[i+1], 1))
	}
	return must(b.Build())
}

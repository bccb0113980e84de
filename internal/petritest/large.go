package petritest

import (
	"fmt"
	"math/rand/v2"

	"pnmc/petri"
)

// This file has nets whose shapes are hard for engines: many transitions around each place, or many
// places. They are always the same, so that measurements can be compared.

// Machines returns a net of few places and many wide transitions: 40 machines of 7 states each,
// and transitions that move 12 of them at once. They are drawn along a run, so that some are
// enabled everywhere on it. The contest has a net of that shape with 31,000 transitions.
func Machines(transitions int) *petri.Net {
	const machines, states, width = 40, 7, 12
	rng := rand.New(rand.NewPCG(1, 2))
	b := &petri.Builder{ID: "machines"}
	var place [machines][states]petri.Place
	for m := range machines {
		for s := range states {
			place[m][s] = must(b.AddPlace(fmt.Sprintf("m%ds%d", m, s), "", int64(1-min(s, 1))))
		}
	}
	var now [machines]int
	for i := range transitions {
		t := must(b.AddTransition(fmt.Sprintf("t%d", i), ""))
		for _, m := range rng.Perm(machines)[:width] {
			to := rng.IntN(states)
			check(b.AddInput(place[m][now[m]], t, 1))
			check(b.AddOutput(t, place[m][to], 1))
			now[m] = to
		}
		if rng.IntN(20) == 0 {
			clear(now[:])
		}
	}
	return must(b.Build())
}

// Grid returns a net of many places and short transitions: ten robots on a grid of side by side
// cells, of which each holds one.
func Grid(side int) *petri.Net {
	const robots = 10
	b := &petri.Builder{ID: "grid"}
	cells := side * side
	robotAt := func(r int) int { return r * (cells/robots - 1) }
	free, at := make([]petri.Place, cells), make([][]petri.Place, robots)
	for c := range cells {
		tokens := int64(1)
		for r := range robots {
			if robotAt(r) == c {
				tokens = 0
			}
		}
		free[c] = must(b.AddPlace(fmt.Sprintf("free%d", c), "", tokens))
	}
	for r := range robots {
		for c := range cells {
			tokens := int64(0)
			if robotAt(r) == c {
				tokens = 1
			}
			at[r] = append(at[r], must(b.AddPlace(fmt.Sprintf("r%dat%d", r, c), "", tokens)))
		}
		for c := range cells {
			for _, step := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
				x, y := c%side+step[0], c/side+step[1]
				if x < 0 || x == side || y < 0 || y == side {
					continue
				}
				to := y*side + x
				t := must(b.AddTransition(fmt.Sprintf("r%dfrom%dto%d", r, c, to), ""))
				check(b.AddInput(at[r][c], t, 1))
				check(b.AddInput(free[to], t, 1))
				check(b.AddOutput(t, at[r][to], 1))
				check(b.AddOutput(t, free[c], 1))
			}
		}
	}
	return must(b.Build())
}

package petritest

import (
	"fmt"

	"pgregory.net/rapid"

	"pnmc/petri"
)

// rowArc is an arc of a kind of transitions: at each component of the place is one of the variables of the transition.
type rowArc struct {
	place     int
	variables []int
	weight    int64
	input     bool
}

// Rows draws a net of components that are alike, in one or two rows. Places belong to no component, to one, or to two, of two rows or of the
// same. There is a transition for each way to choose components for its variables; two variables of a row may or may
// not be the same. So a part of each net is what a small symmetric net unfolds to. In some nets a component begins with another
// token, or a single transition needs one more: then fewer of them are alike. Nodes are numbered in any order. Few
// nets have more than some hundred markings.
func Rows() *rapid.Generator[Copied] {
	return rapid.Custom(func(t *rapid.T) Copied {
		sizes := rapid.SampledFrom([][]int{{2, 2}, {3, 2}, {3, 3}, {4, 2}, {4}, {5}, {3}, {2, 4}}).Draw(t, "rows")
		row := func(name string) int { return rapid.IntRange(0, len(sizes)-1).Draw(t, name) }
		kinds := make([][]int, rapid.IntRange(2, 4).Draw(t, "places")) // rows of the components of places
		for i := range kinds {
			for range rapid.SampledFrom([]int{1, 1, 1, 2, 0, 2}).Draw(t, "components") {
				kinds[i] = append(kinds[i], row("row"))
			}
		}
		var c Copied
		var b petri.Builder
		places := make([]map[string]petri.Place, len(kinds))
		var later []func()
		for i, kind := range kinds {
			places[i] = map[string]petri.Place{}
			c.Places = append(c.Places, nil)
			tokens := rapid.SampledFrom([]int64{0, 0, 1, 1, 2}).Draw(t, "tokens")
			if len(kind) == 2 {
				tokens = min(tokens, rapid.Int64Range(0, 1).Draw(t, "at pairs"))
			}
			more := -1 // which component begins with another token
			if rapid.IntRange(0, 4).Draw(t, "differs") == 0 {
				more = 0
			}
			eachChoice(sizes, kind, func(n int, chosen []int) {
				m := tokens
				if n == more {
					m++
				}
				name := fmt.Sprint(chosen)
				later = append(later, func() {
					p := must(b.AddPlace(fmt.Sprintf("p%d_%d", i, n), "", m))
					places[i][name] = p
					c.Places[i] = append(c.Places[i], p)
				})
			})
		}
		shuffled(t, later)
		later = nil
		for i := range rapid.IntRange(1, 4).Draw(t, "transitions") {
			var variables []int // their rows
			for range rapid.IntRange(1, 3).Draw(t, "variables") {
				variables = append(variables, row("row of a variable"))
			}
			arcs := drawRowArcs(t, kinds, variables)
			distinct := rapid.Bool().Draw(t, "distinct")
			c.Transitions = append(c.Transitions, nil)
			odd := rapid.IntRange(0, 9).Draw(t, "odd one") == 0
			eachChoice(sizes, variables, func(n int, chosen []int) {
				for x := range chosen {
					for y := range x {
						if distinct && variables[x] == variables[y] && chosen[x] == chosen[y] {
							return
						}
					}
				}
				chosen = append([]int(nil), chosen...)
				later = append(later, func() {
					u := must(b.AddTransition(fmt.Sprintf("t%d_%d", i, n), ""))
					c.Transitions[i] = append(c.Transitions[i], u)
					for _, a := range arcs {
						at := make([]int, len(a.variables))
						for k, v := range a.variables {
							at[k] = chosen[v]
						}
						p := places[a.place][fmt.Sprint(at)]
						if a.input {
							check(b.AddInput(p, u, a.weight))
						} else {
							check(b.AddOutput(u, p, a.weight))
						}
					}
					if odd && n == 0 {
						check(b.AddInput(c.Places[0][0], u, 1))
					}
				})
			})
		}
		shuffled(t, later)
		c.Net = must(b.Build())
		return c
	})
}

// drawRowArcs draws the arcs of a kind of transitions.
func drawRowArcs(t *rapid.T, kinds [][]int, variables []int) (arcs []rowArc) {
	var possible []rowArc
	for i, kind := range kinds {
		eachChoice(repeated(len(variables), len(kind)), numbers(len(kind)), func(_ int, chosen []int) {
			for k, v := range chosen {
				if variables[v] != kind[k] {
					return
				}
			}
			possible = append(possible, rowArc{place: i, variables: append([]int(nil), chosen...)})
		})
	}
	if len(possible) == 0 {
		return nil
	}
	for range rapid.SampledFrom([]int{1, 1, 2}).Draw(t, "moves") {
		in, out := rapid.SampledFrom(possible).Draw(t, "from"), rapid.SampledFrom(possible).Draw(t, "to")
		in.weight, in.input = rapid.SampledFrom([]int64{1, 1, 1, 2}).Draw(t, "weight"), true
		out.weight = in.weight
		arcs = append(arcs, in)
		if rapid.IntRange(0, 5).Draw(t, "sink") > 0 {
			arcs = append(arcs, out)
		}
	}
	return arcs
}

// repeated returns a list of so many times n.
func repeated(n, times int) (list []int) {
	for range times {
		list = append(list, n)
	}
	return list
}

// eachChoice calls f with each way to choose a member of each of some sets, by their numbers in sizes, and its number.
func eachChoice(sizes, sets []int, f func(n int, chosen []int)) {
	chosen := make([]int, len(sets))
	for n := 0; ; n++ {
		f(n, chosen)
		k := len(sets) - 1
		for ; k >= 0; k-- {
			if chosen[k]++; chosen[k] < sizes[sets[k]] {
				break
			}
			chosen[k] = 0
		}
		if k < 0 {
			return
		}
	}
}

// shuffled calls functions in any order.
func shuffled(t *rapid.T, list []func()) {
	for _, n := range rapid.Permutation(numbers(len(list))).Draw(t, "order") {
		list[n]()
	}
}

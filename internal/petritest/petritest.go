// Package petritest makes nets for tests, and explores them naively: what the
// engines of other packages are compared with.
//
// In comes a source of randomness or a size, out go small nets of every shape,
// nets of known families, and their state graphs; beside them rounds of random
// draws that go on until what a test is about was drawn. Only tests import it.
//
//	petritest, loose, special, chains    random nets, and small families
//	processes                            random nets of processes, with arcs of all kinds
//	copies, rows, switches               nets of components that are alike, or independent
//	large, contest                       large nets, and models of the contest
//	graph, branching, difference         naive state graphs, fixpoints on them, how nets differ
//	rounds, census                       rounds of random draws, and what nets they were
//	stress                               tests that go on for as long as one likes, with their threads
package petritest

import (
	"fmt"

	"pgregory.net/rapid"

	"pnmc/petri"
)

// Net draws a net of up to 6 places and 6 transitions: weights up to 3, isolated
// nodes, source and sink transitions, and often unbounded places among them.
func Net() *rapid.Generator[*petri.Net] {
	return rapid.Custom(func(t *rapid.T) *petri.Net {
		var b petri.Builder
		places := rapid.IntRange(0, 6).Draw(t, "places")
		transitions := rapid.IntRange(0, 6).Draw(t, "transitions")
		for p := range places {
			must(b.AddPlace(fmt.Sprintf("p%d", p), "", rapid.Int64Range(0, 2).Draw(t, "tokens")))
		}
		for i := range transitions {
			id := must(b.AddTransition(fmt.Sprintf("t%d", i), ""))
			if places == 0 {
				continue
			}
			// As many arcs out as in, mostly: such nets are bounded more often.
			arcs := rapid.IntRange(0, 3).Draw(t, "arcs")
			for range arcs {
				place := petri.Place(rapid.IntRange(0, places-1).Draw(t, "from"))
				check(b.AddInput(place, id, weight(t)))
			}
			for range max(0, arcs+rapid.SampledFrom([]int{0, 0, 0, -1, 1}).Draw(t, "more")) {
				place := petri.Place(rapid.IntRange(0, places-1).Draw(t, "to"))
				check(b.AddOutput(id, place, weight(t)))
			}
		}
		return must(b.Build())
	})
}

// SmallNet draws a net with at most 200 markings, a place and a transition at least, and
// explores it; what is larger is skipped.
func SmallNet(t *rapid.T) (*petri.Net, *Graph) {
	net := Net().Draw(t, "net")
	if rapid.IntRange(0, 2).Draw(t, "machines") == 0 {
		net = StateMachines(false).Draw(t, "net")
	} else if rapid.IntRange(0, 2).Draw(t, "special") == 0 {
		net = AllArcs().Draw(t, "net")
	}
	g, complete := Explore(net, 200)
	if !complete || net.Places() == 0 || net.Transitions() == 0 {
		t.Skip("not a net for this test")
	}
	return net, g
}

// weight draws the weight of an arc, mostly 1.
func weight(t *rapid.T) int64 {
	return rapid.SampledFrom([]int64{1, 1, 1, 1, 2, 3}).Draw(t, "weight")
}

// StateMachines draws a net of up to 4 state machines with 3 to 6 states each,
// moving alone or two at a time, with a NUPN that has them as units. The claim
// that it is safe holds, unless lying is true: then it often does not, and a place
// outside the machines, of proven bound, may feed them with many tokens.
func StateMachines(lying bool) *rapid.Generator[*petri.Net] {
	return rapid.Custom(func(t *rapid.T) *petri.Net {
		var b petri.Builder
		nupn := &petri.NUPN{Safe: true}
		root := petri.Unit{ID: "root"}
		var machines [][]petri.Place
		for m := range rapid.IntRange(1, 4).Draw(t, "machines") {
			var places []petri.Place
			for s := range rapid.IntRange(3, 6).Draw(t, "states") {
				initial := int64(0)
				if s == 0 {
					initial = 1
				}
				places = append(places, must(b.AddPlace(fmt.Sprintf("m%ds%d", m, s), "", initial)))
			}
			machines = append(machines, places)
			root.Subunits = append(root.Subunits, len(nupn.Units))
			nupn.Units = append(nupn.Units, petri.Unit{ID: fmt.Sprintf("u%d", m), Places: places})
		}
		nupn.Root = len(nupn.Units)
		nupn.Units = append(nupn.Units, root)
		b.SetNUPN(nupn)
		var stock petri.Place
		stocked := lying && rapid.Bool().Draw(t, "stocked")
		if stocked {
			stock = must(b.AddPlace("stock", "", 6))
		}
		for i := range rapid.IntRange(1, 10).Draw(t, "transitions") {
			id := must(b.AddTransition(fmt.Sprintf("t%d", i), ""))
			if stocked && rapid.IntRange(0, 2).Draw(t, "from stock") == 0 {
				check(b.AddInput(stock, id, 1))
				check(b.AddOutput(id, rapid.SampledFrom(machines[0]).Draw(t, "fed"), 1))
				continue
			}
			for _, places := range machines {
				if !rapid.Bool().Draw(t, "takes part") {
					continue
				}
				state := rapid.SampledFrom(places)
				if lying && rapid.IntRange(0, 4).Draw(t, "lie") == 0 {
					check(b.AddOutput(id, state.Draw(t, "extra"), 1))
					continue
				}
				check(b.AddInput(state.Draw(t, "from"), id, 1))
				if rapid.IntRange(0, 9).Draw(t, "ends") > 0 {
					check(b.AddOutput(id, state.Draw(t, "to"), 1))
				}
			}
		}
		return must(b.Build())
	})
}

// Philosophers returns the net of n dining philosophers that take one fork after the
// other, in either order: 5 places each and 3^n markings, of which those where
// all have the left fork, or all the right one, are deadlocks.
func Philosophers(n int) *petri.Net {
	var b petri.Builder
	var fork, thinks, left, right, eats []petri.Place
	for i := range n {
		add := func(list *[]petri.Place, name string, tokens int64) {
			*list = append(*list, must(b.AddPlace(fmt.Sprintf("%s%d", name, i), "", tokens)))
		}
		add(&fork, "fork", 1)
		add(&thinks, "thinks", 1)
		add(&left, "left", 0)
		add(&right, "right", 0)
		add(&eats, "eats", 0)
	}
	move := func(name string, i int, from, to []petri.Place) {
		t := must(b.AddTransition(fmt.Sprintf("%s%d", name, i), ""))
		for _, p := range from {
			check(b.AddInput(p, t, 1))
		}
		for _, p := range to {
			check(b.AddOutput(t, p, 1))
		}
	}
	for i := range n {
		own, other := fork[i], fork[(i+1)%n]
		move("takeLeft", i, []petri.Place{thinks[i], own}, []petri.Place{left[i]})
		move("takeRight", i, []petri.Place{thinks[i], other}, []petri.Place{right[i]})
		move("eatLeft", i, []petri.Place{left[i], other}, []petri.Place{eats[i]})
		move("eatRight", i, []petri.Place{right[i], own}, []petri.Place{eats[i]})
		move("leave", i, []petri.Place{eats[i]}, []petri.Place{thinks[i], own, other})
	}
	return must(b.Build())
}

// Counter returns a net whose one place gets one token after the other, without end.
func Counter() *petri.Net {
	var b petri.Builder
	p := must(b.AddPlace("p", "", 0))
	check(b.AddOutput(must(b.AddTransition("more", "")), p, 1))
	check(b.AddInput(p, must(b.AddTransition("less", "")), 1))
	return must(b.Build())
}

// Kanban returns the system of four cells with n cards each (Ciardo and Tilgner, "On
// the use of Kronecker operators for the solution of generalized stochastic
// Petri nets", 1996): 16 places, 16 transitions.
func Kanban(n int64) *petri.Net {
	var b petri.Builder
	var working, back, out, cards [5]petri.Place
	for i := 1; i <= 4; i++ {
		working[i] = must(b.AddPlace(fmt.Sprintf("Pm%d", i), "", 0))
		back[i] = must(b.AddPlace(fmt.Sprintf("Pback%d", i), "", 0))
		out[i] = must(b.AddPlace(fmt.Sprintf("Pout%d", i), "", 0))
		cards[i] = must(b.AddPlace(fmt.Sprintf("P%d", i), "", n))
	}
	move := func(name string, from, to []petri.Place) {
		t := must(b.AddTransition(name, ""))
		for _, p := range from {
			check(b.AddInput(p, t, 1))
		}
		for _, p := range to {
			check(b.AddOutput(t, p, 1))
		}
	}
	list := func(p ...petri.Place) []petri.Place { return p }
	for i := 1; i <= 4; i++ {
		move(fmt.Sprintf("tredo%d", i), list(working[i]), list(back[i]))
		move(fmt.Sprintf("tok%d", i), list(working[i]), list(out[i]))
		move(fmt.Sprintf("tback%d", i), list(back[i]), list(working[i]))
	}
	move("tin1", list(cards[1]), list(working[1]))
	move("tsynch1", list(out[1], cards[2], cards[3]), list(cards[1], working[2], working[3]))
	move("tsynch4", list(out[2], out[3], cards[4]), list(cards[2], cards[3], working[4]))
	move("tout4", list(out[4]), list(cards[4]))
	return must(b.Build())
}

func must[T any](v T, err error) T {
	check(err)
	return v
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

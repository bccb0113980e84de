package petritest

import (
	"fmt"

	"pgregory.net/rapid"

	"pnmc/petri"
)

// Copied is a net of several copies of a component.
type Copied struct {
	Net *petri.Net
	// Places and Transitions are those of the component, each with all its copies.
	Places      [][]petri.Place
	Transitions [][]petri.Transition
}

// copiedArc is an arc of the component between a transition and a place of the same copy, of the
// next one in a ring, or of all others, or a shared place.
type copiedArc struct {
	place  int
	where  string
	weight int64
	kind   string
}

// add gives transition u the arc, with place p.
func (a copiedArc) add(b *petri.Builder, u petri.Transition, p petri.Place) {
	switch a.kind {
	case "input":
		check(b.AddInput(p, u, a.weight))
	case "output":
		check(b.AddOutput(u, p, a.weight))
	case "inhibitor":
		check(b.AddInhibitor(p, u, a.weight))
	case "reset":
		check(b.AddReset(p, u))
	}
}

// Copies draws a net of two to four copies of a component of up to three places and three transitions,
// and up to two places that all share. Copies may also take from and give to the next one in a ring, or
// all others. There are weights, loops, read arcs, sources and sinks, so that some nets have no bounds.
// Some have something more that only one copy has: then fewer of them are alike, or none. Nodes are
// numbered in any order. Few have more than some hundred markings.
func Copies() *rapid.Generator[Copied] { return copies(nil) }

// SpecialCopies draws a net as Copies does, which may have inhibitor and reset arcs.
func SpecialCopies() *rapid.Generator[Copied] { return copies([]string{"inhibitor", "reset"}) }

// copies draws a net of copies, with arcs of further kinds.
func copies(special []string) *rapid.Generator[Copied] {
	return rapid.Custom(func(t *rapid.T) Copied {
		copies := rapid.IntRange(2, 4).Draw(t, "copies")
		own, shared := rapid.IntRange(1, 3).Draw(t, "places"), rapid.IntRange(0, 2).Draw(t, "shared")
		transitions := rapid.IntRange(1, 3).Draw(t, "transitions")
		relations := rapid.SampledFrom([][]string{{"own"}, {"own", "own", "own", "next"}, {"own", "own", "own", "others"}}).Draw(t, "relations")
		arcs := make([][]copiedArc, transitions)
		for i := range arcs {
			arcs[i] = drawArcs(t, own, shared, relations, special)
		}
		c := Copied{Places: make([][]petri.Place, own), Transitions: make([][]petri.Transition, transitions)}
		var b petri.Builder
		tokens := make([]int64, own+shared)
		for i := range tokens {
			tokens[i] = rapid.SampledFrom([]int64{0, 0, 1, 1, 2}).Draw(t, "tokens")
		}
		more := -1 // a copy with another token
		if rapid.IntRange(0, 5).Draw(t, "differs") == 0 {
			more = rapid.IntRange(0, copies-1).Draw(t, "copy")
		}
		common := make([]petri.Place, shared)
		for i := range c.Places {
			c.Places[i] = make([]petri.Place, copies)
		}
		for i := range c.Transitions {
			c.Transitions[i] = make([]petri.Transition, copies)
		}
		for _, n := range rapid.Permutation(numbers(own*copies+shared)).Draw(t, "order of places") {
			if n >= own*copies {
				common[n-own*copies] = must(b.AddPlace(fmt.Sprintf("s%d", n), "", tokens[own+n-own*copies]))
				continue
			}
			m := tokens[n/copies]
			if n == more {
				m++
			}
			c.Places[n/copies][n%copies] = must(b.AddPlace(fmt.Sprintf("p%d_%d", n/copies, n%copies), "", m))
		}
		for _, n := range rapid.Permutation(numbers(transitions*copies)).Draw(t, "order of transitions") {
			i, k := n/copies, n%copies
			id := must(b.AddTransition(fmt.Sprintf("t%d_%d", i, k), ""))
			c.Transitions[i][k] = id
			for _, a := range arcs[i] {
				switch a.where {
				case "own":
					a.add(&b, id, c.Places[a.place][k])
				case "next":
					a.add(&b, id, c.Places[a.place][(k+1)%copies])
				case "others":
					for other, p := range c.Places[a.place] {
						if other != k {
							a.add(&b, id, p)
						}
					}
				case "shared":
					a.add(&b, id, common[a.place])
				}
			}
			if n == 0 && rapid.IntRange(0, 5).Draw(t, "extra") == 0 {
				kind := rapid.SampledFrom(append([]string{"input"}, special...)).Draw(t, "kind")
				copiedArc{weight: 1, kind: kind}.add(&b, id, c.Places[0][k])
			}
		}
		c.Net = must(b.Build())
		return c
	})
}

// numbers returns the numbers from 0 up to, but not including, n.
func numbers(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

// drawArcs draws the arcs of a transition of the component.
func drawArcs(t *rapid.T, own, shared int, relations, special []string) (arcs []copiedArc) {
	draw := func(weight int64, kind string) copiedArc {
		a := copiedArc{where: rapid.SampledFrom(relations).Draw(t, "where"), weight: weight, kind: kind}
		if shared > 0 && rapid.IntRange(0, 3).Draw(t, "to shared") == 0 {
			a.where, a.place = "shared", rapid.IntRange(0, shared-1).Draw(t, "shared place")
			return a
		}
		a.place = rapid.IntRange(0, own-1).Draw(t, "place")
		return a
	}
	for range rapid.SampledFrom([]int{1, 1, 1, 2}).Draw(t, "moves") {
		w := rapid.SampledFrom([]int64{1, 1, 1, 2}).Draw(t, "weight")
		if rapid.IntRange(0, 9).Draw(t, "source") > 0 {
			arcs = append(arcs, draw(w, "input"))
		}
		if rapid.IntRange(0, 5).Draw(t, "sink") > 0 {
			arcs = append(arcs, draw(rapid.SampledFrom([]int64{w, w, w, 1}).Draw(t, "given"), "output"))
		}
	}
	if rapid.IntRange(0, 3).Draw(t, "reads") == 0 {
		read := draw(1, "input")
		arcs = append(arcs, read)
		read.kind = "output"
		arcs = append(arcs, read)
	}
	if len(special) > 0 && rapid.Bool().Draw(t, "special") {
		arcs = append(arcs, draw(1, rapid.SampledFrom(special).Draw(t, "kind")))
	}
	return arcs
}

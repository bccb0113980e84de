package petritest

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"pnmc/petri"
)

// AllArcs draws a net as Net does, with at least one inhibitor arc, reset arc or capacity, and
// read arcs among the others.
func AllArcs() *rapid.Generator[*petri.Net] { return special(true) }

// Inhibited draws a net as AllArcs does, but without reset arcs.
func Inhibited() *rapid.Generator[*petri.Net] { return special(false) }

// AnyNet draws a net that is as likely plain as it is not.
func AnyNet() *rapid.Generator[*petri.Net] { return rapid.OneOf(Net(), AllArcs()) }

// special draws a plain net, copies it, and adds up to six arcs or capacities of other kinds.
func special(resets bool) *rapid.Generator[*petri.Net] {
	return rapid.Custom(func(t *rapid.T) *petri.Net {
		plain := Net().Filter(func(n *petri.Net) bool { return n.Places() > 0 && n.Transitions() > 0 }).Draw(t, "plain")
		var b petri.Builder
		for p := range petri.Place(plain.Places()) {
			must(b.AddPlace(fmt.Sprintf("p%d", p), "", plain.InitialTokens(p)))
		}
		place := rapid.Map(rapid.IntRange(0, plain.Places()-1), func(p int) petri.Place { return petri.Place(p) })
		kinds := []string{"inhibitor", "inhibitor", "inhibitor", "capacity", "read"}
		if resets {
			kinds = append(kinds, "reset", "reset")
		}
		for u := range petri.Transition(plain.Transitions()) {
			id := must(b.AddTransition(fmt.Sprintf("t%d", u), ""))
			check(b.CopyArcs(id, plain, u, func(p petri.Place) petri.Place { return p }))
		}
		transition := rapid.Map(rapid.IntRange(0, plain.Transitions()-1), func(u int) petri.Transition { return petri.Transition(u) })
		for i := range rapid.IntRange(1, 6).Draw(t, "special") {
			p, u := place.Draw(t, "place"), transition.Draw(t, "transition")
			kind := rapid.SampledFrom(kinds).Draw(t, "kind")
			if i == 0 && kind == "read" {
				kind = "inhibitor"
			}
			switch kind {
			case "inhibitor":
				check(b.AddInhibitor(p, u, weight(t)))
			case "capacity":
				check(b.SetCapacity(p, max(1, plain.InitialTokens(p)+rapid.Int64Range(0, 3).Draw(t, "room"))))
			case "read":
				check(b.AddRead(p, u, weight(t)))
			case "reset":
				check(b.AddReset(p, u))
			}
		}
		return must(b.Build())
	})
}

// Fires returns the marking after t, by the definitions and apart from petri.Net's own; nil if t is
// not enabled. Tokens are taken first, then reset places are emptied, and then tokens are added.
// Inhibitor arcs look at the marking before, and capacities at the one after.
func Fires(net *petri.Net, m petri.Marking, t petri.Transition) petri.Marking {
	next := slices.Clone(m)
	for _, a := range net.Pre(t) {
		if next[a.Place] -= a.Weight; next[a.Place] < 0 {
			return nil
		}
	}
	for _, a := range net.Inhibitors(t) {
		if m[a.Place] >= a.Weight {
			return nil
		}
	}
	for _, p := range net.Resets(t) {
		next[p] = 0
	}
	for _, a := range net.Post(t) {
		next[a.Place] += a.Weight
	}
	for p := range petri.Place(net.Places()) {
		if c := net.Capacity(p); c != petri.Unbounded && next[p] > c {
			return nil
		}
	}
	return next
}

package translate

import (
	"cmp"
	"slices"

	"pnmc/automata"
)

// progressFirst lists the edges of each state in the order in which a search for an
// accepted run should try them. Edges that leave the component for one closer to the
// end come first, then those in more acceptance sets. A search that follows the loop of
// a state that waits first may see the whole of a state space before it does what is
// waited for.
func progressFirst(a *automata.Automaton) (*automata.Automaton, error) {
	components := automata.FindComponents(a)
	b := automata.NewBuilder(a.Propositions, a.Acceptance)
	b.Name, b.Kind, b.Claims = a.Name, a.Kind, a.Claims
	b.AddStates(a.States())
	for _, s := range a.Initial() {
		b.AddInitial(s)
	}
	for s := range automata.State(a.States()) {
		var edges []automata.Edge
		for e, end := a.Out(s); e < end; e++ {
			edges = append(edges, e)
		}
		slices.SortStableFunc(edges, func(e, f automata.Edge) int {
			return cmp.Or(
				cmp.Compare(components.Of(a.Destination(e)), components.Of(a.Destination(f))), // successors have lower numbers
				cmp.Compare(a.Marks(f).Count(), a.Marks(e).Count()))
		})
		for _, e := range edges {
			b.AddEdge(s, a.Label(e), a.Marks(e), a.Destination(e))
		}
	}
	return b.Build()
}

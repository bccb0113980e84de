package automatatest

import (
	"fmt"
	"testing"

	"pnmc/automata"
)

// Changing returns a testing automaton of so many propositions, each of whose changes leads to another
// state.
func Changing(t *testing.T, propositions int, kind automata.Kind) *automata.Automaton {
	t.Helper()
	acceptance := automata.GeneralizedBuchi(0)
	if kind == automata.TA {
		acceptance = automata.GeneralizedBuchi(1)
	}
	names := make([]string, propositions)
	for i := range names {
		names[i] = fmt.Sprintf("p%d", i)
	}
	b := automata.NewBuilder(names, acceptance)
	b.Kind = kind
	b.AddStates(2)
	b.AddInitial(0)
	for s := range automata.State(2) {
		b.AddEdge(s, automata.Label{automata.NewCube(propositions)}, automata.NewMarks(acceptance.Sets), 1)
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

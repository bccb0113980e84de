package product

import (
	"testing"

	"pnmc/automata"
	"pnmc/checker/properties"
	"pnmc/petri"
)

// TestTooManySetsAreUnknown: what can't be reduced, as it has more than 64 acceptance sets,
// is a measurement without a verdict, not a failure of the one who measures.
func TestTooManySetsAreUnknown(t *testing.T) {
	const sets = 65
	b := automata.NewBuilder(nil, automata.GeneralizedBuchi(sets))
	b.AddStates(1)
	b.AddInitial(0)
	b.AddEdge(0, automata.Label{automata.NewCube(0)}, automata.NewMarks(sets, 0), 0)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	net, err := (&petri.Builder{}).Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, approach := range []Approach{ByBA, ByTGBA, ByTA, ByTGTA} {
		for _, built := range []bool{false, true} {
			m, err := Measure(t.Context(), petri.NewKripke(net, petri.Facts{}, petri.Budget{}), properties.Property{Automaton: a}, Settings{Approach: approach, Distrust: true, Built: built}, true)
			if err != nil || m.Verdict != properties.Holds && (m.Verdict != properties.Unknown || m.Reason == "") {
				t.Errorf("%v, built %v: %v %q, error %v", approach, built, m.Verdict, m.Reason, err)
			}
		}
	}
}

package diagram_test

import (
	"testing"

	"pnmc/automata"
	"pnmc/checker/diagram"
	"pnmc/checker/properties"
	"pnmc/internal/petritest"
	"pnmc/logic"
)

// TestNoRunOfConditionsWithFin: an automaton that sees p only finitely often has a run where p may
// end, and none where it is always so.
func TestNoRunOfConditionsWithFin(t *testing.T) {
	net := petritest.Kanban(1)
	s, err := diagram.Explore(t.Context(), net, 0)
	if err != nil {
		t.Fatal(err)
	}
	b := automata.NewBuilder([]string{"p"}, automata.Acceptance{Sets: 1, Condition: &automata.Condition{Operator: automata.Fin, Set: 0}})
	b.AddStates(1)
	b.AddInitial(0)
	all := automata.NewCube(1)
	b.AddEdge(0, automata.Label{all.With(0, true)}, automata.NewMarks(1, 0), 0)
	b.AddEdge(0, automata.Label{all.With(0, false)}, automata.NewMarks(1), 0)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	place, _ := net.PlaceByID("Pout1")
	for least, want := range map[int64]bool{0: true, 1: false} {
		p := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: least, Terms: []logic.Term{{Place: uint32(place), Coefficient: -1}}}}
		none, err := s.NoRun(t.Context(), properties.Property{Automaton: a, Predicates: []*logic.Predicate{p}}, 0)
		if err != nil || none != want {
			t.Errorf("at least %d tokens: none is %v, %v, expected %v", least, none, err, want)
		}
	}
}

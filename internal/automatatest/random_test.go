package automatatest

import (
	"reflect"
	"testing"

	"pnmc/automata"
)

func TestRandomDependsOnTheSeedOnly(t *testing.T) {
	settings := RandomSettings{
		States: 40, Propositions: []string{"a", "b", "c"}, Density: 0.1, LiteralProbability: 0.5,
		Sets: 70, MarkProbability: 0.1, Condition: RandomEmersonLei,
	}
	a, same, other := Random(settings, 7), Random(settings, 7), Random(settings, 8)
	if !reflect.DeepEqual(a, same) {
		t.Error("two automata of one seed differ")
	}
	if reflect.DeepEqual(a, other) {
		t.Error("automata of two seeds are the same")
	}
	reached := automata.Reachable(a)
	for s := range a.States() {
		if first, end := a.Out(automata.State(s)); !reached[s] || first == end {
			t.Errorf("state %d: reachable %v, %d edges", s, reached[s], end-first)
		}
	}
}

package automata

import (
	"testing"

	"pnmc/internal/account"
)

// manyInitial returns an automaton of which each state is initial and perhaps goes on with itself.
func manyInitial(t *testing.T, states int, goesOn bool) *Automaton {
	b := NewBuilder([]string{"p"}, GeneralizedBuchi(1))
	b.AddStates(states)
	for s := range State(states) {
		b.AddInitial(s)
		if goesOn {
			b.AddEdge(s, Label{NewCube(1)}, NewMarks(1, 0), s)
		}
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestPairsOfInitialStates: what goes through all pairs of initial states does so within its context,
// or its bound: there are millions of them where thousands of states are initial.
func TestPairsOfInitialStates(t *testing.T) {
	a := manyInitial(t, 2000, false)
	if p, err := Product(account.EndsAfter(3), a, a); err == nil {
		t.Errorf("a product within three looks: %d states, error %v", p.States(), err)
	}
	small := manyInitial(t, 20, true)
	if p, err := Product(t.Context(), small, small); err != nil || p.States() != 400 || len(p.Initial()) != 400 {
		t.Errorf("the product of small ones: error %v", err)
	}
	p := &selfProduct{ctx: t.Context(), a: manyInitial(t, 5000, true), useful: make([]bool, 5000)}
	p.differ()
	if p.work <= ambiguityWork || p.work > ambiguityWork+5000 {
		t.Errorf("%d of work", p.work)
	}
}

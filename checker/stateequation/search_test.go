package stateequation_test

import (
	"context"
	"testing"

	"pnmc/checker/stateequation"
	"pnmc/logic"
	"pnmc/petri"
)

// TestDisabledTransitionsAreSplit asks whether a transition with two input places can be disabled
// that always have what it needs. Only a split by its input places refutes that.
func TestDisabledTransitionsAreSplit(t *testing.T) {
	b := &petri.Builder{}
	test, err := b.AddTransition("test", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"a", "b"} {
		p, err := b.AddPlace(id, "", 1)
		if err != nil {
			t.Fatal(err)
		}
		if b.AddInput(p, test, 1) != nil || b.AddOutput(test, p, 1) != nil {
			t.Fatal("arc refused")
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	fireable := &logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{uint32(test)}}
	for name, p := range map[string]*logic.Predicate{
		"disabled": {Operator: logic.Not, Operands: []*logic.Predicate{fireable}},
		"deadlock": {Operator: logic.Deadlocked},
	} {
		if !stateequation.New(context.Background(), net).Contradicts(t.Context(), p) {
			t.Errorf("%s is not refuted", name)
		}
	}
	if stateequation.New(context.Background(), net).Contradicts(t.Context(), fireable) {
		t.Error("that the transition is enabled is refuted")
	}
}

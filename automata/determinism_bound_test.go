package automata

import (
	"context"
	"testing"

	"pnmc/automata/internal/effort"
)

// TestDeterminismOfLargeLabels: two labels of thousands of cubes that never meet are compared
// cube by cube only as long as there is work or time left.
func TestDeterminismOfLargeLabels(t *testing.T) {
	const propositions, cubes = 16, 1 << 14
	names := make([]string, propositions)
	for i := range names {
		names[i] = string(rune('a' + i))
	}
	b := NewBuilder(names, GeneralizedBuchi(0))
	b.AddStates(1)
	b.AddInitial(0)
	for _, value := range []bool{false, true} {
		var label Label
		for n := range cubes {
			c := NewCube(propositions).With(0, value)
			for p := 1; p < propositions; p++ {
				c = c.With(p, n>>(p-1)&1 == 1)
			}
			label = append(label, c)
		}
		b.AddEdge(0, label, NewMarks(0), 0)
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if !IsDeterministic(t.Context(), a) {
		t.Error("not deterministic, though the labels never meet")
	}
	if IsDeterministicWithin(t.Context(), a, cubes*cubes/2) {
		t.Error("deterministic, though not all cubes were compared")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if IsDeterministic(ended, a) {
		t.Error("deterministic, though the context had ended")
	}
	bound := effort.New(t.Context(), 1000)
	if !MayMeet(a, 0, 1, bound) || bound.Err != effort.ErrSpent {
		t.Errorf("labels do not meet: %v", bound.Err)
	}
}

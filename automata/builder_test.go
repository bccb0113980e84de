package automata

import (
	"context"
	"errors"
	"strings"
	"testing"

	"pnmc/internal/account"
)

// What matching and acceptance rely on is checked, and there is no automaton with an error.
func TestBuildRefuses(t *testing.T) {
	for _, test := range []struct {
		what  string
		cube  Cube
		marks Marks
		to    State
		want  string
	}{
		{"value beyond care", Cube{0b01, 0b11}, Marks{0}, 0, "does not mention"},
		{"no such proposition", Cube{0b100, 0}, Marks{0}, 0, "more than 2 propositions"},
		{"no such set", Cube{0b1, 0b1}, Marks{0b10}, 0, "more than 1 acceptance sets"},
		{"no such state", Cube{0b1, 0b1}, Marks{0}, 7, "edge from state 0 to 7"},
		{"half a cube", Cube{0b1}, Marks{0}, 0, "cubes not of 2 words"},
	} {
		b := NewBuilder([]string{"a", "b"}, GeneralizedBuchi(1))
		b.AddStates(1)
		b.AddInitial(0)
		b.AddEdge(0, Label{test.cube}, test.marks, test.to)
		if a, err := b.Build(); a != nil || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: automaton %v, error %v", test.what, a, err)
		}
	}
	b := NewBuilder(make([]string, 64), GeneralizedBuchi(64))
	b.AddStates(1)
	b.AddEdge(0, Label{{1<<63 | 1, 1 << 63}}, Marks{1<<63 | 1}, 0)
	if _, err := b.Build(); err != nil {
		t.Error(err)
	}
}

// A builder adds no edges beyond its limits, and says so instead of an automaton that lacks
// some.
func TestBuilderWithin(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	b := NewBuilder([]string{"a"}, GeneralizedBuchi(1))
	b.Within(ctx)
	b.AddStates(1)
	label, marks := Label{NewCube(1)}, NewMarks(1, 0)
	b.AddEdge(0, label, marks, 0)
	enough := errors.New("enough")
	cancel(enough)
	for range 1 << 20 {
		b.AddEdge(0, label, marks, 0)
	}
	if len(b.edges) > 1<<17 {
		t.Errorf("%d edges were added", len(b.edges))
	}
	if _, err := b.Build(); err != enough {
		t.Errorf("%v, want %v", err, enough)
	}
	limited, stop := account.Within(t.Context(), account.Budget{MemoryBytes: 1 << 20})
	defer stop(nil)
	b = NewBuilder(nil, GeneralizedBuchi(0))
	b.Within(limited)
	b.AddStates(1)
	b.AddEdge(0, Label{NewCube(0)}, NewMarks(0), 0)
	if _, err := b.Build(); !errors.As(err, new(*account.MemoryError)) {
		t.Errorf("%v, want that memory is full", err)
	}
}

// TestBuilderCharges: a builder charges what cubes, marks and edges take, each where the two others take
// little, and what the automaton will take.
func TestBuilderCharges(t *testing.T) {
	const edges, wide = 500, 100 // words
	for _, test := range []struct {
		name                  string
		propositions, sets, n int // cubes of an edge
		least                 int64
	}{
		{"cubes", 64, 0, wide / 2, edges * wide * 8},
		{"marks", 0, 64 * wide, 0, edges * wide * 8},
		{"edges", 0, 0, 0, edges * 12},
	} {
		b := NewBuilder(make([]string, test.propositions), GeneralizedBuchi(test.sets))
		b.Within(t.Context())
		b.AddStates(1)
		label, before := make(Label, test.n), b.account.Spent()
		for i := range label {
			label[i] = NewCube(test.propositions)
		}
		for range edges {
			b.AddEdge(0, label, NewMarks(test.sets), 0)
		}
		added := b.account.Spent()
		if added-before < test.least {
			t.Errorf("%s: %d units are charged, expected %d", test.name, added-before, test.least)
		}
		if _, err := b.Build(); err != nil || b.account.Spent()-added < test.least {
			t.Errorf("%s: Build charges %d units, expected %d; %v", test.name, b.account.Spent()-added, test.least, err)
		}
	}
}

package stuttering

import (
	"context"
	"testing"
	"time"

	"pnmc/automata"
)

// ends runs what takes well under a second, and fails if it doesn't end within a minute.
func ends(t *testing.T, f func()) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	done := make(chan struct{})
	go func() { f(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
		t.Fatal("it goes on and on")
	}
}

// TestManyInitialSuccessors: an initial state with very many edges is gone through once. It was for
// each of its successors.
func TestManyInitialSuccessors(t *testing.T) {
	const successors = 600_000
	b := automata.NewBuilder([]string{"p"}, automata.GeneralizedBuchi(1))
	b.Kind = automata.TGTA
	b.AddStates(1 + successors)
	b.AddInitial(0)
	for s := range successors {
		b.AddEdge(0, automata.Label{automata.NewCube(1)}, automata.NewMarks(1, 0), automata.State(1+(s*7919)%successors))
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	built, err := NewBuilt(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	ends(t, func() {
		list := built.Initial(built.Letter(automata.Valuation{0}))
		if len(list) != successors || list[0] != 1 || list[1] != 1+7919 {
			t.Errorf("%d successors, the first are %v", len(list), list[:2])
		}
	})
}

// TestManyEdgesToOneState: the steps of a state with many edges are put in order without going through
// the edges of where they lead for each comparison.
func TestManyEdgesToOneState(t *testing.T) {
	const edges = 12_000
	b := automata.NewBuilder([]string{"p"}, automata.GeneralizedBuchi(2))
	b.AddStates(3)
	b.AddInitial(0)
	for i := range edges {
		to := automata.State(1 + i*i%7%2)
		b.AddEdge(0, automata.Label{automata.NewCube(1)}, automata.NewMarks(2, 0), to)
		b.AddEdge(1, automata.Label{automata.NewCube(1)}, automata.NewMarks(2, 0), 1)
		b.AddEdge(2, automata.Label{automata.NewCube(1)}, automata.NewMarks(2, 0, 1), 2)
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	reader, err := NewPlain(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	ends(t, func() {
		l := reader.Letter(automata.Valuation{0})
		if steps := reader.Steps(0, l, l); len(steps) != edges || steps[0].To != 2 || steps[edges-1].To != 1 {
			t.Errorf("%d steps, the first leads to %d, the last to %d", len(steps), steps[0].To, steps[len(steps)-1].To)
		}
	})
}

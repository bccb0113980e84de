package marked

import (
	"context"
	"errors"
	"testing"

	"pnmc/automata"
	"pnmc/automata/bdd"
)

// TestReducibleEndsWithContext: no more diagrams are made of labels once the context is done.
func TestReducibleEndsWithContext(t *testing.T) {
	b := automata.NewBuilder([]string{"a", "b", "c"}, automata.GeneralizedBuchi(0))
	b.AddStates(50)
	b.AddInitial(0)
	for s := range 50 {
		for to := range 50 {
			cube := automata.NewCube(3).With(s%3, true).With((s+to+1)%3, to%2 == 0)
			b.AddEdge(automata.State(s), automata.Label{cube}, automata.Marks{0}, automata.State(to))
		}
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := bdd.New(3, 1<<20)
	f.Watch(ctx)
	before := f.Nodes()
	if r, err := ReducibleOver(f, a); r != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", r, err)
	}
	if f.Nodes() > before {
		t.Errorf("%d nodes were made", f.Nodes()-before)
	}
}

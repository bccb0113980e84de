package marked

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pnmc/automata"
	"pnmc/automata/automatatest"
)

// chain is an automaton of so many states, each with an edge to the next, and the last with
// one to itself in the acceptance set.
func chain(t *testing.T, states int) *Reducible {
	t.Helper()
	b := automata.NewBuilder([]string{"p"}, automata.GeneralizedBuchi(1))
	b.AddStates(states)
	b.AddInitial(0)
	p := automata.NewCube(1).With(0, true)
	for s := range states - 1 {
		b.AddEdge(automata.State(s), automata.Label{automata.NewCube(1)}, automata.Marks{0}, automata.State(s+1))
	}
	b.AddEdge(automata.State(states-1), automata.Label{p}, automata.Marks{1}, automata.State(states-1))
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewReducible(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestQuotientOfChain: in each of as many rounds as states, only those pairs are compared
// that were in the relation before; all pairs would be some hundred million.
func TestQuotientOfChain(t *testing.T) {
	const states = 600
	r := newRefinement(chain(t, states), Similar, false)
	for before := 0; before < r.count; {
		before = r.count
		if err := r.round(); err != nil {
			t.Fatal(err)
		}
	}
	if r.count != states || r.spent > 20*states*states {
		t.Errorf("%d classes after %d steps, expected %d classes", r.count, r.spent, states)
	}
}

// TestQuotientGivesSimilarityUp: where similar states take too much to find, bisimilar ones
// are merged.
func TestQuotientGivesSimilarityUp(t *testing.T) {
	// Each state of a chain has a twin, and the more states lie before it, the more it
	// simulates: all pairs of them are in the relation.
	const pairs = 400
	b := automata.NewBuilder([]string{"p"}, automata.GeneralizedBuchi(1))
	b.AddStates(2 * pairs)
	b.AddInitial(0)
	any, p := automata.Label{automata.NewCube(1)}, automata.Label{automata.NewCube(1).With(0, true)}
	for i := range automata.State(pairs) {
		for _, s := range []automata.State{2 * i, 2*i + 1} {
			if i > 0 {
				b.AddEdge(s, any, automata.Marks{0}, 2*i-2)
				b.AddEdge(s, any, automata.Marks{0}, 2*i-1)
			}
			b.AddEdge(s, p, automata.Marks{1}, s)
		}
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(fmt.Errorf("the automaton: %w", err))
	}
	r, err := NewReducible(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Quotient(Similar, false); err != nil {
		t.Fatal(err)
	}
	if len(r.Out) > pairs {
		t.Errorf("%d states, expected that each is one with its twin", len(r.Out))
	}
}

// TestQuotientOfChainEnds: each round is too short for its diagrams to look at the context,
// and there are as many as states.
func TestQuotientOfChainEnds(t *testing.T) {
	for _, by := range []equivalence{Bisimilar, Similar} {
		r := chain(t, 300)
		r.Functions.Watch(automatatest.EndsAfter(10))
		if err := r.Quotient(by, false); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("equivalence %v: %v, and %d of 300 states", by, err, len(r.Out))
		}
	}
}

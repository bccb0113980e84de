package automata

import (
	"fmt"
	"testing"
)

// chain is an automaton of so many states, each with an edge to the next, and the last with
// one to itself in the acceptance set.
func chain(t *testing.T, states int) *reducible {
	t.Helper()
	b := NewBuilder([]string{"p"}, GeneralizedBuchi(1))
	b.AddStates(states)
	b.AddInitial(0)
	p := NewCube(1).With(0, true)
	for s := range states - 1 {
		b.AddEdge(State(s), Label{NewCube(1)}, Marks{0}, State(s+1))
	}
	b.AddEdge(State(states-1), Label{p}, Marks{1}, State(states-1))
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	r, err := newReducible(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestQuotientOfChain: in each of as many rounds as states, only those pairs are compared
// that were in the relation before; all pairs would be some hundred million.
func TestQuotientOfChain(t *testing.T) {
	const states = 600
	r := newRefinement(chain(t, states), similar, false)
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
	b := NewBuilder([]string{"p"}, GeneralizedBuchi(1))
	b.AddStates(2 * pairs)
	b.AddInitial(0)
	any, p := Label{NewCube(1)}, Label{NewCube(1).With(0, true)}
	for i := range State(pairs) {
		for _, s := range []State{2 * i, 2*i + 1} {
			if i > 0 {
				b.AddEdge(s, any, Marks{0}, 2*i-2)
				b.AddEdge(s, any, Marks{0}, 2*i-1)
			}
			b.AddEdge(s, p, Marks{1}, s)
		}
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(fmt.Errorf("the automaton: %w", err))
	}
	r, err := newReducible(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.quotient(similar, false); err != nil {
		t.Fatal(err)
	}
	if len(r.out) > pairs {
		t.Errorf("%d states, expected that each is one with its twin", len(r.out))
	}
}

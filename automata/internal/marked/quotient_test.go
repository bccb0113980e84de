package marked

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pnmc/automata"
	"pnmc/internal/account"
)

// chain returns an automaton of so many states, each with an edge to the next, and the last with
// one to itself in the acceptance set.
func chain(t testing.TB, states int) *Reducible {
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

// TestQuotientOfChain: a state of a chain is told from others after all that come later, so
// that rounds over all states compute half a million signatures. Here each state's is
// computed a few times, and it is compared with few others.
func TestQuotientOfChain(t *testing.T) {
	const states = 1000
	for _, backwards := range []bool{false, true} {
		r := chain(t, states)
		if backwards {
			slices.Reverse(r.Out)
			for s, out := range r.Out {
				for i, e := range out {
					r.Out[s][i].To = states - 1 - e.To
				}
			}
			r.Initial[0] = states - 1
		}
		p := newPartition(r.predecessors(), make([]uint32, states), 1)
		if err := p.refine(t.Context(), newSignatures(r, p.class)); err != nil {
			t.Fatal(err)
		}
		if len(p.classes) != states || p.signed > 3*states {
			t.Errorf("backwards %v: %d classes of %d states after %d signatures", backwards, len(p.classes), states, p.signed)
		}
		class, _, err := r.similar(false, similarRounds, 100*states)
		if err != nil || len(class) != states {
			t.Errorf("backwards %v: similarity of %d states, %v", backwards, len(class), err)
		}
	}
}

// TestMergeWeakOfChain: as with Quotient.
func TestMergeWeakOfChain(t *testing.T) {
	const states = 1000
	r := chain(t, states)
	p := newPartition(r.predecessors(), r.weakColours(), 2)
	if err := p.refine(t.Context(), &steps{Reducible: r, class: p.class}); err != nil {
		t.Fatal(err)
	}
	if len(p.classes) < states || p.signed > 3*states {
		t.Errorf("%d classes of %d states after %d signatures", len(p.classes), states, p.signed)
	}
}

// TestPartitionForgets: functions of the past are forgotten, and classes are the same.
func TestPartitionForgets(t *testing.T) {
	const states = 300
	r := chain(t, states)
	p := newPartition(r.predecessors(), make([]uint32, states), 1)
	by := &forgetful{newSignatures(r, p.class), 0}
	if err := p.refine(t.Context(), by); err != nil {
		t.Fatal(err)
	}
	if len(p.classes) != states || by.times < 10 {
		t.Errorf("%d classes of %d states, functions were forgotten %d times", len(p.classes), states, by.times)
	}
}

// forgetful are signatures that are forgotten every other time.
type forgetful struct {
	*signatures
	times int
}

func (f *forgetful) crowded() bool {
	if f.times++; f.times%2 == 0 {
		return false
	}
	f.forget()
	return true
}

// TestQuotientGivesSimilarityUp: where similar states take too much to find, there are none,
// and bisimilar ones are merged only.
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
	if err := r.mergeBisimilar(false); err != nil {
		t.Fatal(err)
	}
	if len(r.Out) != pairs {
		t.Errorf("%d states, expected that each is one with its twin", len(r.Out))
	}
	if class, above, err := r.similar(false, similarRounds, 1000); class != nil || above != nil || err != nil {
		t.Errorf("%v, %v, %v after more than 1000 comparisons", class, above, err)
	}
	if class, _, err := r.similar(false, similarRounds, mostSpent); len(class) != pairs || err != nil {
		t.Errorf("%d states, %v", len(class), err)
	}
}

// TestQuotientOfChainEnds: each round is too short for its diagrams to look at the context,
// and there are as many as states.
func TestQuotientOfChainEnds(t *testing.T) {
	for _, by := range []equivalence{Bisimilar, Similar} {
		r := chain(t, 300)
		r.Functions.Watch(account.EndsAfter(10))
		if err := r.Quotient(by, false); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("equivalence %v: %v, and %d of 300 states", by, err, len(r.Out))
		}
	}
}

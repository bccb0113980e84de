package coloured

import (
	"context"
	"math/rand/v2"
	"testing"

	"pnmc/checker/internal/core"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/runs"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri/symmetric"
	"pnmc/petri/symmetric/colourless"
)

// countedLooks counts how often a context is asked whether it has ended.
type countedLooks struct {
	context.Context
	count int
}

func (c *countedLooks) Err() error {
	c.count++
	return nil
}

// walkerOf returns a walker of a ring, on which a token goes around for ever, with so many atoms that
// are never reached.
func walkerOf(t *testing.T, ctx context.Context, atoms int) *walker {
	ring := &symmetric.Class{Name: "R", Size: 3, Cyclic: true}
	term := func(steps int64) symmetric.Expression {
		return symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{{Kind: symmetric.Variable, Value: steps}}}}
	}
	net := &symmetric.Net{
		Places: []symmetric.Place{{ID: "p", Domain: symmetric.Domain{ring}, Initial: symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{{}}}}}},
		Transitions: []symmetric.Transition{{ID: "t", Variables: []symmetric.VariableDeclaration{{Name: "x", Class: ring}},
			Pre: []symmetric.Arc{{Expression: term(0)}}, Post: []symmetric.Arc{{Expression: term(1)}}}},
	}
	skeleton, err := colourless.Skeleton(net)
	if err != nil {
		t.Fatal(err)
	}
	c := &Folded{Task: &core.Task{Ledger: &ledger.Ledger{}}, source: net, skeleton: skeleton, Test: (*symmetric.Walk).Enabled}
	twoTokens := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 2, Terms: []logic.Term{{Place: 0, Coefficient: -1}}}}
	for range atoms {
		c.Ledger.Atoms = append(c.Ledger.Atoms, &ledger.Atom{Goal: twoTokens})
	}
	return &walker{
		present: present{Folded: c, enabled: make([]runs.Truth, 1)}, random: rand.New(rand.NewPCG(1, 1)),
		order: []int{0}, gain: make([]int64, 1), best: make([]sighting, atoms), limits: account.Of(ctx),
	}
}

// TestWalksChargeWhatTheyLookAt: a step of a walk costs what there is to look at in its marking: with
// thousands of atoms the context is looked at soon.
func TestWalksChargeWhatTheyLookAt(t *testing.T) {
	const atoms, length = 4000, 500
	for round := range 3 {
		ctx := &countedLooks{Context: t.Context()}
		w := walkerOf(t, ctx, atoms)
		open := make([]int, atoms)
		for i := range open {
			open[i] = i
		}
		if err := w.once(ctx, open, round, length); err != nil || len(w.run) != length {
			t.Fatalf("%d steps, %v", len(w.run), err)
		}
		if least := length * atoms * partWork >> 20; ctx.count < least {
			t.Errorf("round %d: %d looks, expected %d", round, ctx.count, least)
		}
		ended := account.EndsAfter(ctx.count / 2)
		if w = walkerOf(t, ended, atoms); w.once(ended, open, round, length) == nil || len(w.run) >= length || len(w.run) < length/8 {
			t.Errorf("round %d: %d steps until the context ends halfway", round, len(w.run))
		}
	}
}

// TestRunsAskForMemory: where there is no room for a run, it ends.
func TestRunsAskForMemory(t *testing.T) {
	ctx, stop := account.Within(t.Context(), account.Budget{MemoryBytes: 1})
	defer stop(nil)
	p := newPace(ctx)
	if p.keeps(symmetric.Firing{Binding: make([]int64, 1<<17)}) && p.keeps(symmetric.Firing{}) {
		t.Error("a run goes on without memory")
	}
}

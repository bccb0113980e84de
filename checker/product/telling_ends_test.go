package product

import (
	"context"
	"errors"
	"testing"

	"pnmc/automata"
	"pnmc/automata/degeneralize"
	"pnmc/checker/product/internal/states"
	"pnmc/checker/properties"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/internal/automatatest"
	"pnmc/logic"
	"pnmc/petri"
)

// length returns those of the two parts of a run.
func length(c *witness.Counterexample, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return [2]int{len(c.Prefix), len(c.Cycle)}, nil
}

// TestWalkToACycleEnds: where all runs are accepted, the walk to the first marking that comes again ends with
// its context, and so does looking for where the cycle begins: here that is a long way back.
func TestWalkToACycleEnds(t *testing.T) {
	const tokens = 10_000
	var n petri.Builder
	p, err := n.AddPlace("p", "", tokens)
	if err != nil {
		t.Fatal(err)
	}
	step, err := n.AddTransition("t", "")
	if err := errors.Join(err, n.AddInput(p, step, 1)); err != nil {
		t.Fatal(err)
	}
	net, err := n.Build()
	if err != nil {
		t.Fatal(err)
	}
	automatatest.EndsAtEachLook(t, "walk", 20, func(ctx context.Context) (any, error) {
		k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
		k.Begin(t.Context())
		x := &componentsOnTheFly{product: newProduct(t.Context(), k, nil, automata.EveryWord()), most: states.Most}
		if found, err := x.search(); err != nil || found == nil || !found.terminal {
			t.Fatal(found, err)
		}
		return length(x.terminalLasso(t.Context(), ctx))
	})
}

// gaining returns a net whose place gets a token with each firing, and a property of it. Its automaton accepts
// all words, but has to know at once whether few holds for ever.
func gaining(t *testing.T, most int64) (*petri.Net, properties.Property) {
	t.Helper()
	var n petri.Builder
	p, err := n.AddPlace("p", "", 1)
	if err != nil {
		t.Fatal(err)
	}
	step, err := n.AddTransition("t", "")
	if err := errors.Join(err, n.AddOutput(step, p, 1)); err != nil {
		t.Fatal(err)
	}
	net, err := n.Build()
	if err != nil {
		t.Fatal(err)
	}
	b := automata.NewBuilder([]string{"few"}, automata.GeneralizedBuchi(2))
	const first, changes, stays, won = 0, 1, 2, 3
	b.AddStates(4)
	b.AddInitial(first)
	free, holds := automata.NewCube(1), automata.NewCube(1).With(0, true)
	b.AddEdge(first, automata.Label{free}, automata.NewMarks(2), changes)
	b.AddEdge(first, automata.Label{free}, automata.NewMarks(2), stays)
	b.AddEdge(changes, automata.Label{holds}, automata.NewMarks(2), changes)
	b.AddEdge(changes, automata.Label{free.With(0, false)}, automata.NewMarks(2), won)
	b.AddEdge(stays, automata.Label{holds}, automata.NewMarks(2, 0, 1), stays)
	b.AddEdge(won, automata.Label{free}, automata.NewMarks(2, 0, 1), won)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	few := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: -most, Terms: []logic.Term{{Place: uint32(p), Coefficient: 1}}}}
	return net, properties.Property{Automaton: a, Predicates: []*logic.Predicate{few}}
}

// TestExplainingAgainEnds: a run that gains tokens gets longer until its rounds read the same labels, and
// that ends with its context, wherever it ends. The automaton accepts all words, but has to know at once
// whether few holds for ever; so no run shows a violation in which it still does. The number of looks is that of
// code that reserves what each longer run takes.
func TestExplainingAgainEnds(t *testing.T) {
	const most = 2_000
	net, property := gaining(t, most)
	buchi, err := degeneralize.Degeneralize(t.Context(), property.Automaton)
	if err != nil {
		t.Fatal(err)
	}
	k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
	found, err := checkPlain(t.Context(), k, properties.Property{Automaton: buchi, Predicates: property.Predicates}, Settings{})
	if err != nil || found.Verdict != properties.Violated {
		t.Fatal(found, err)
	}
	k.Account().Tell(t.Context())
	if c, err := explainAgain(t.Context(), k, property, found.Counterexample); err != nil || len(c.Prefix) < most {
		t.Fatal(c, err)
	}
	const all = 7_253_760
	if spent := k.Account().Spent() - 1<<20; spent < all {
		t.Errorf("%d units charged, expected %d", spent, int64(all))
	}
	automatatest.EndsAtEachLook(t, "again", 7, func(ctx context.Context) (any, error) {
		k.Account().Tell(ctx)
		return length(explainAgain(ctx, k, property, found.Counterexample))
	})
}

// TestExplainingAgainHasTimeOfItsOwn: when the search has found a violation, telling it is no more work of the
// time of the search, which may be over by then: with as many looks as the search needs it is told.
func TestExplainingAgainHasTimeOfItsOwn(t *testing.T) {
	net, property := gaining(t, 2_000)
	const searching = 1 // look
	for looks := range searching + 1 {
		k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
		r, err := CheckBy(account.EndsAfter(looks), k, property, Settings{Approach: ByBA, Distrust: true})
		if told := r.Verdict == properties.Violated; err != nil || told != (looks == searching) {
			t.Fatalf("after %d looks: %v, %s, %v", looks, r.Verdict, r.Reason, err)
		}
	}
}

// TestPreparingEnds: with a context that has ended no Büchi automaton is made, and no search begun.
func TestPreparingEnds(t *testing.T) {
	net, property := gaining(t, 2)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for ctx, begun := range map[context.Context]bool{t.Context(): true, over: false} {
		k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
		r, err := checkDegeneralized(ctx, k, property, Settings{})
		if err != nil || (r.Verdict == properties.Violated) != begun || (r.Statistics.States > 0) != begun {
			t.Errorf("ended: %v; %v, %+v, %v", !begun, r.Verdict, r.Statistics, err)
		}
	}
}

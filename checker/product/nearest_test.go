package product_test

import (
	"context"
	"fmt"
	"testing"

	"pnmc/automata"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// eventually returns an automaton that waits for proposition 0, and then accepts
// whatever follows; waiting for ever is accepted or not.
func eventually(t *testing.T, waiting bool) *automata.Automaton {
	t.Helper()
	b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(1))
	b.AddStates(2)
	b.AddInitial(0)
	marks := automata.NewMarks(1)
	if waiting {
		marks = automata.NewMarks(1, 0)
	}
	b.AddEdge(0, automata.Label{automata.NewCube(1).With(0, false)}, marks, 0)
	b.AddEdge(0, automata.Label{automata.NewCube(1).With(0, true)}, automata.NewMarks(1), 1)
	b.AddEdge(1, automata.Label{automata.NewCube(1)}, automata.NewMarks(1, 0), 1)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// atLeast says that p has count tokens or more.
func atLeast(p petri.Place, count int64) []*logic.Predicate {
	sum := logic.Sum{Constant: count, Terms: []logic.Term{{Place: uint32(p), Coefficient: -1}}}
	return []*logic.Predicate{{Operator: logic.AtMost, Sum: sum}}
}

// TestRunsThatNeverComeBack: in an unbounded net, a run may have to gain tokens
// for a while before its cycle can be shown.
func TestRunsThatNeverComeBack(t *testing.T) {
	var b petri.Builder
	p, _ := b.AddPlace("p", "", 1)
	q, _ := b.AddPlace("q", "", 0)
	tr, _ := b.AddTransition("t", "")
	if b.AddInput(p, tr, 1) != nil || b.AddOutput(tr, p, 1) != nil || b.AddOutput(tr, q, 1) != nil {
		t.Fatal("arc refused")
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, waiting := range []bool{false, true} {
		for count := range int64(9) {
			k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
			property := properties.Property{Automaton: eventually(t, waiting), Predicates: atLeast(q, count)}
			got, err := product.Check(context.Background(), k, property, nil)
			if err != nil || got.Verdict != properties.Violated {
				t.Errorf("q >= %d, waiting accepted %v: %v, %s, %v", count, waiting, got.Verdict, got.Reason, err)
			}
		}
	}
}

// TestCounterexampleIsNear: the run found is a shortest one, though the search
// goes deep first.
func TestCounterexampleIsNear(t *testing.T) {
	var b petri.Builder
	const length = 3000
	chain := make([]petri.Place, length)
	for i := range chain {
		initial := int64(0)
		if i == 0 {
			initial = 1
		}
		chain[i], _ = b.AddPlace(fmt.Sprintf("p%d", i), "", initial)
	}
	near, _ := b.AddPlace("near", "", 0)
	move := func(name string, from, to petri.Place) {
		tr, _ := b.AddTransition(name, "")
		if b.AddInput(from, tr, 1) != nil || b.AddOutput(tr, to, 1) != nil {
			t.Fatal("arc refused")
		}
	}
	for i := 1; i < length; i++ {
		move(fmt.Sprintf("t%d", i), chain[i-1], chain[i])
	}
	move("shortcut", chain[0], near)
	move("stay", near, near)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for name, predicates := range map[string][]*logic.Predicate{
		"terminal": atLeast(chain[0], 1), "weak": atLeast(near, 1),
	} {
		k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
		got, err := product.Check(context.Background(), k, properties.Property{Automaton: eventually(t, false), Predicates: predicates}, nil)
		if err != nil || got.Verdict != properties.Violated {
			t.Fatalf("%s: %v, %v", name, got.Verdict, err)
		}
		if c := got.Counterexample; len(c.Prefix) > 2 || len(c.Cycle) > 1 {
			t.Errorf("%s: a prefix of %d and a cycle of %d", name, len(c.Prefix), len(c.Cycle))
		}
	}
}

// TestCounterexampleFarAway: what is not near is found all the same.
func TestCounterexampleFarAway(t *testing.T) {
	net := petritest.Kanban(4)
	p, _ := net.PlaceByID("Pout4")
	k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
	got, err := product.Check(context.Background(), k,
		properties.Property{Automaton: eventually(t, false), Predicates: atLeast(p, 4)}, nil)
	if err != nil || got.Verdict != properties.Violated {
		t.Fatalf("%v, %s, %v", got.Verdict, got.Reason, err)
	}
}

// TestCounterexampleOfWideNet: thousands of transitions enabled at a time, and a
// budget that ends while the counterexample is told, leave the verdict.
func TestCounterexampleOfWideNet(t *testing.T) {
	var b petri.Builder
	const cycles = 1500
	var first petri.Place
	for i := range cycles {
		var ring [3]petri.Place
		for j := range ring {
			initial := int64(0)
			if j == 0 {
				initial = 1
			}
			ring[j], _ = b.AddPlace(fmt.Sprintf("p%d_%d", i, j), "", initial)
		}
		if i == 0 {
			first = ring[1]
		}
		for j := range ring {
			tr, _ := b.AddTransition(fmt.Sprintf("t%d_%d", i, j), "")
			if b.AddInput(ring[j], tr, 1) != nil || b.AddOutput(tr, ring[(j+1)%3], 1) != nil {
				t.Fatal("arc refused")
			}
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	k := petri.NewKripke(net, invariant.Prove(context.Background(), net, 0), petri.Budget{})
	got, err := product.Check(context.Background(), k,
		properties.Property{Automaton: eventually(t, false), Predicates: atLeast(first, 1)}, nil)
	if err != nil || got.Verdict != properties.Violated {
		t.Fatalf("%v, %s, %v", got.Verdict, got.Reason, err)
	}
	if k.Len() > 200_000 {
		t.Errorf("%d states were met for a run of a few steps", k.Len())
	}
}

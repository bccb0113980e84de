package product_test

import (
	"fmt"
	"testing"

	"pnmc/automata"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/internal/account"
	"pnmc/petri"
)

// twoWays returns a net that goes one of two ways: on the first it moves so many tokens one by one to
// a place, and on the other it empties three stores, which takes ever wider fields. Many places
// never change, so that it takes long to pack its markings anew. It returns the place of the
// first way; firstLast has the choice of that way come last.
func twoWays(t *testing.T, tokens int64, firstLast bool) (*petri.Net, petri.Place) {
	t.Helper()
	var b petri.Builder
	place := func(id string, tokens int64) petri.Place {
		p, err := b.AddPlace(id, "", tokens)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	move := func(id string, from, to petri.Place, way ...petri.Place) {
		transition, err := b.AddTransition(id, "")
		if err != nil || b.AddInput(from, transition, 1) != nil || b.AddOutput(transition, to, 1) != nil {
			t.Fatal("not a transition")
		}
		for _, p := range way {
			if b.AddInput(p, transition, 1) != nil || b.AddOutput(transition, p, 1) != nil {
				t.Fatal("not a transition")
			}
		}
	}
	start, first, second := place("start", 1), place("first", 0), place("second", 0)
	if !firstLast {
		move("choose-first", start, first)
	}
	move("choose-second", start, second)
	if firstLast {
		move("choose-first", start, first)
	}
	to := place("to", 0)
	move("t", place("from", tokens), to, first)
	for i := range 3 {
		move(fmt.Sprintf("t%d", i), place(fmt.Sprintf("from%d", i), 1<<10), place(fmt.Sprintf("to%d", i), 0), second)
	}
	for i := range 300 {
		place(fmt.Sprintf("idle%d", i), 1)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net, to
}

// TestTellingWithoutMarkings: where the time ends while markings are packed anew, which are
// lost then, a search that has found a run does not tell it; it does not fail.
func TestTellingWithoutMarkings(t *testing.T) {
	b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(1))
	b.AddStates(1)
	b.AddInitial(0)
	b.AddEdge(0, automata.Label{automata.NewCube(1).With(0, false)}, automata.NewMarks(1), 0)
	b.AddEdge(0, automata.Label{automata.NewCube(1).With(0, true)}, automata.NewMarks(1, 0), 0)
	often, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	told := false
	for _, last := range []bool{false, true} {
		net, to := twoWays(t, 1<<11, last)
		for looks := 1; looks < 20; looks++ {
			k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
			property := properties.Property{Automaton: often, Predicates: atLeast(to, 1<<11)}
			result, err := product.Check(account.EndsAfter(looks), k, property, nil)
			if err != nil || result.Verdict == properties.Holds {
				t.Fatalf("%d looks: %v, %v", looks, result.Verdict, err)
			}
			told = told || result.Verdict == properties.Violated
		}
	}
	if !told {
		t.Error("no run is told, whenever the time ends")
	}
}

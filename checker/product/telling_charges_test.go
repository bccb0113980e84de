package product

import (
	"errors"
	"fmt"
	"testing"

	"pnmc/automata"
	"pnmc/automata/translate"
	"pnmc/checker/product/internal/states"
	"pnmc/checker/properties"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/petri"
)

// TestTellingChargesItsOwnWork: on a graph that is kept, the ways to an accepting component and along a cycle
// of it are charged, and so is the walk where all runs are accepted. A charge that is missing makes a number less.
func TestTellingChargesItsOwnWork(t *testing.T) {
	for _, test := range []struct {
		formula       string
		prefix, cycle int64
	}{
		{"G F eats0 & G F (eats1 & thinks2) & G F left2", 448, 6216},
		{"F eats0", 1152, 9420},
	} {
		s := ltl.NewFormulas()
		f, err := ltl.Parse(test.formula, s)
		if err != nil {
			t.Fatal(err)
		}
		a, err := translate.ToAutomaton(t.Context(), s, f, translate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		net := petritest.Philosophers(8)
		var predicates []*logic.Predicate
		for _, name := range a.Propositions {
			for place := range petri.Place(net.Places()) {
				if net.PlaceLabel(place).ID == name {
					predicates = append(predicates, &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 1, Terms: []logic.Term{{Place: uint32(place), Coefficient: -1}}}})
				}
			}
		}
		k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
		k.Begin(t.Context())
		for s := petri.StateID(0); int(s) < k.Len(); s++ {
			if _, err := k.Successors(s); err != nil {
				t.Fatal(err)
			}
		}
		k.Begin(t.Context())
		x := &componentsOnTheFly{product: newProduct(t.Context(), k, properties.CompileAll(net, predicates), a), predicates: predicates, most: states.Most}
		found, err := x.search()
		if err != nil || found == nil {
			t.Fatal(found, err)
		}
		spent := func() int64 { return k.Account().Spent() - 1<<20 } // with which an account begins
		inside := func(p states.Pair) bool { return p == found.at }  // from where all runs are accepted
		if !found.terminal {
			first := x.roots.Top().number
			inside = func(p states.Pair) bool { // the component that is accepted
				n := *x.numbering.Slot(p.S, p.Q)
				return n != states.Dead && n >= first
			}
		}
		_, entry, err := x.prefixTo(t.Context(), inside)
		prefix := spent()
		if err == nil && found.terminal {
			_, err = x.terminalLasso(t.Context(), t.Context())
		} else if err == nil {
			x.account.Tell(t.Context())
			_, err = x.roads().cycleFrom(entry, x.union(), inside)
		}
		if err != nil {
			t.Fatal(err)
		}
		if prefix < test.prefix || spent() < test.cycle {
			t.Errorf("%s: %d units for the prefix and %d for the cycle, expected %d and %d", test.formula, prefix, spent(), test.prefix, test.cycle)
		}
	}
}

// TestWalkToACycleIsCharged: a walk that comes to its cycle after some steps is charged when it is taken, and
// again when it is looked for where the cycle begins. A charge that is missing makes the number less.
func TestWalkToACycleIsCharged(t *testing.T) {
	const before, cycle = 5, 3
	var n petri.Builder
	for i := range before + cycle {
		if _, err := n.AddPlace(fmt.Sprint("p", i), "", int64(1-min(i, 1))); err != nil {
			t.Fatal(err)
		}
	}
	for i := range before + cycle {
		to := i + 1
		if to == before+cycle {
			to = before
		}
		step, err := n.AddTransition(fmt.Sprint("t", i), "")
		if err := errors.Join(err, n.AddInput(petri.Place(i), step, 1), n.AddOutput(step, petri.Place(to), 1)); err != nil {
			t.Fatal(err)
		}
	}
	net, err := n.Build()
	if err != nil {
		t.Fatal(err)
	}
	b := automata.NewBuilder(nil, automata.GeneralizedBuchi(1))
	b.AddStates(1)
	b.AddInitial(0)
	b.AddEdge(0, automata.Label{automata.NewCube(0)}, automata.NewMarks(1, 0), 0)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
	k.Begin(t.Context())
	x := &componentsOnTheFly{product: newProduct(t.Context(), k, nil, a), most: states.Most}
	if found, err := x.search(); err != nil || found == nil || !found.terminal {
		t.Fatal(found, err)
	}
	c, err := x.terminalLasso(t.Context(), t.Context())
	if err != nil || len(c.Prefix) != before || len(c.Cycle) != cycle {
		t.Fatalf("%v, %v", c, err)
	}
	const all = 14_556
	if spent := k.Account().Spent() - 1<<20; spent < all {
		t.Errorf("%d units charged, expected %d", spent, int64(all))
	}
}

package symbolic

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/automata/stutter"
	"pnmc/internal/petritest"
	"pnmc/logic"
)

// TestRecurring expects every event of a cycle in the state graph among those
// that may recur.
func TestRecurring(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSystem(t)
		states, _, finished := s.explore(naiveLimit)
		if !finished {
			t.Skip("too many states")
		}
		x := &phase{product: &product{space: &StateSpace{System: s}}, stuttering: &eventGroup{}}
		for event := range s.Events {
			x.stuttering.events = append(x.stuttering.events, guardedStep{event, always, always})
		}
		recurring := map[int]bool{}
		for _, e := range x.recurring().events {
			recurring[e.event] = true
		}
		b := automata.NewBuilder(nil, automata.GeneralizedBuchi(0))
		numbers := map[string]automata.State{}
		for _, key := range states.keys() {
			numbers[key] = b.AddState("")
		}
		var events []int // by edge
		var graph *automata.Automaton
		for _, key := range states.keys() {
			for event, e := range s.Events {
				for _, next := range (&System{Events: []Event{e}}).successors(states[key]) {
					b.AddEdge(numbers[key], automata.Label{automata.NewCube(0)}, automata.NewMarks(0), numbers[fmt.Sprint(next)])
					events = append(events, event)
				}
			}
		}
		graph, err := b.Build()
		must(t, err)
		components := automata.FindComponents(graph)
		for e, event := range events {
			if components.Inside(graph, automata.Edge(e)) && !recurring[event] {
				t.Fatalf("event %d is on a cycle, but not among %v", event, recurring)
			}
		}
	})
}

// TestStutteringFirings compares with going through the states.
func TestStutteringFirings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space, states := drawSpace(t)
		_, propositions := drawPropositions(t, space.System, rapid.IntRange(0, 2).Draw(t, "propositions"))
		got, err := space.StutteringFirings(context.Background(), propositions)
		must(t, err)
		want := 0
		for _, v := range states {
			for _, w := range space.System.successors(v) {
				if !slices.ContainsFunc(propositions, func(p *logic.Predicate) bool {
					return holds(space.System, p, v) != holds(space.System, p, w)
				}) {
					want++
				}
			}
		}
		if got.Cmp(big.NewInt(int64(want))) != 0 {
			t.Fatalf("%v firings stutter, want %d", got, want)
		}
	})
}

// philosophersProduct returns a product that is not empty: somebody eats again and again
// while somebody else never does.
func philosophersProduct(t *testing.T, n int) (*StateSpace, *automata.Automaton, []*logic.Predicate) {
	net := petritest.Philosophers(n)
	space, err := Explore(t.Context(), net, Options{})
	must(t, err)
	b := automata.NewBuilder([]string{"a", "b"}, automata.GeneralizedBuchi(1))
	b.AddStates(1)
	b.AddInitial(0)
	never := automata.NewCube(2).With(1, false)
	b.AddEdge(0, automata.Label{never}, automata.NewMarks(1), 0)
	b.AddEdge(0, automata.Label{never.With(0, true)}, automata.NewMarks(1, 0), 0)
	a, err := b.Build()
	must(t, err)
	fireable := func(id string) *logic.Predicate {
		transition, ok := net.TransitionByID(id)
		if !ok {
			t.Fatalf("no transition %s", id)
		}
		return &logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{uint32(transition)}}
	}
	return space, a, []*logic.Predicate{fireable("leave1"), fireable("leave0")}
}

// TestCollectionAtEveryStep checks a product with dead nodes collected whenever a
// node is made, in all ways.
func TestCollectionAtEveryStep(t *testing.T) {
	space, a, propositions := philosophersProduct(t, 3)
	for where := range StateVariable(len(stateVariableNames)) {
		for _, testing := range []*stutter.Invariance{nil, {Whole: true, States: []bool{true}}} {
			for _, chaining := range []bool{false, true} {
				o := ProductOptions{StateVariable: where, Testing: testing, NoSaturation: chaining, Witness: true}
				want, err := CheckEmptiness(t.Context(), space, a, propositions, o)
				must(t, err)
				o.eager = true
				got, err := CheckEmptiness(t.Context(), space, a, propositions, o)
				must(t, err)
				if got.Empty != want.Empty || got.States.Cmp(want.States) != 0 || got.Rounds != want.Rounds {
					t.Errorf("%v, %+v: %+v, without collections %+v", where, o, got, want)
				}
				if got.Run != nil {
					replay(t, space.System, a, propositions, got.Run)
				}
			}
		}
	}
}

// TestProductMemory gives products less and less memory: they keep to it, and end
// with the right answer or for lack of it.
func TestProductMemory(t *testing.T) {
	space, a, propositions := philosophersProduct(t, 12)
	short := 0
	for budget := int64(8 << 20); budget >= 1<<17; budget = budget / 8 * 7 {
		for _, testing := range []*stutter.Invariance{nil, {Whole: true, States: []bool{true}}} {
			got, err := CheckEmptiness(t.Context(), space, a, propositions, ProductOptions{Memory: budget, Testing: testing})
			switch {
			case errors.Is(err, ErrMemory):
				short++
			case err != nil:
				t.Errorf("with %d bytes: %v", budget, err)
			case got.Empty:
				t.Errorf("with %d bytes the product is empty", budget)
			}
			if got != nil && got.Memory > budget {
				t.Errorf("%d bytes with a budget of %d", got.Memory, budget)
			}
		}
	}
	if short == 0 {
		t.Error("memory was never short: the test shows nothing")
	}
}

// TestWitnessWithChange has an accepted cycle between 2 and 1, from which 0 can be
// reached, where a run may stutter for ever but is not accepted: a witness must not
// take that for a cycle.
func TestWitnessWithChange(t *testing.T) {
	step := func(low, high uint32, delta int64) Event { return Event{{0, low, high, delta}} }
	s := &System{Names: []string{"x"}, Initial: []uint32{2}, Events: []Event{step(1, noLimit, -1), step(1, 1, 1), step(0, 0, 0)}}
	space, err := ExploreSystem(t.Context(), s, Options{})
	must(t, err)
	b := automata.NewBuilder([]string{"positive"}, automata.GeneralizedBuchi(0))
	b.AddStates(1)
	b.AddInitial(0)
	b.AddEdge(0, automata.Label{automata.NewCube(1).With(0, true)}, automata.NewMarks(0), 0)
	a, err := b.Build()
	must(t, err)
	// 1 - x <= 0: events that change x can change it, though not between 2 and 1.
	positive := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 1, Terms: []logic.Term{{Place: 0, Coefficient: -1}}}}
	got, err := CheckEmptiness(t.Context(), space, a, []*logic.Predicate{positive}, ProductOptions{
		Testing: &stutter.Invariance{Whole: true, States: []bool{true}}, Witness: true,
	})
	must(t, err)
	if got.Empty {
		t.Fatal("no run found")
	}
	replay(t, s, a, []*logic.Predicate{positive}, got.Run)
}

package complement

import (
	"context"
	"math/rand/v2"
	"testing"

	"pnmc/automata"
	"pnmc/automata/internal/marked"
	"pnmc/internal/automatatest"
)

// startingAt returns a with that initial state only.
func startingAt(t *testing.T, a *automata.Automaton, s automata.State) *automata.Automaton {
	b := automata.NewBuilder(a.Propositions, a.Acceptance)
	b.AddStates(a.States())
	b.AddInitial(s)
	for e := range automata.Edge(a.Edges()) {
		b.AddEdge(a.Source(e), a.Label(e), a.Marks(e), a.Destination(e))
	}
	c, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestSimulatingStatesAcceptMore: the words that a state accepts are accepted by those
// that simulate it; and each state simulates itself.
func TestSimulatingStatesAcceptMore(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	held, open, accepted := [2]int{}, [2]int{}, 0
	for seed := range uint64(150) {
		settings := automatatest.RandomSettings{
			States: 2 + int(seed%4), Propositions: []string{"a", "b"}[:1+seed%2], Density: 0.5,
			LiteralProbability: 0.4, Sets: int(seed / 2 % 3), MarkProbability: 0.5, Condition: automatatest.RandomCondition(seed % 3),
		}
		a := automatatest.Random(settings, seed)
		other := automatatest.Random(settings, seed+1000)
		buchi, err := transitionBuchi(context.Background(), other, 1000)
		if err != nil {
			t.Fatal(err)
		}
		useful := filled(a.States())
		fair, direct := FairSimulations(context.Background(), a, buchi, useful), DirectSimulations(context.Background(), a, a, useful)
		for p := range automata.State(a.States()) {
			if !direct.Has(p, p) {
				t.Fatalf("seed %d: state %d does not simulate itself", seed, p)
			}
		}
		for i, x := range []struct {
			by  *automata.Automaton
			has *Simulations
		}{{buchi, fair}, {a, direct}} {
			for p := range automata.State(a.States()) {
				for q := range automata.State(x.by.States()) {
					if !x.has.Has(p, q) {
						open[i]++
						continue
					}
					held[i]++
					from, by := startingAt(t, a, p), startingAt(t, x.by, q)
					for range 5 {
						l := automatatest.RandomWord(r, a.Propositions)
						if less, _ := automata.Accepts(from, l); less {
							accepted++
							if more, err := automata.Accepts(by, l); err != nil || !more {
								t.Fatalf("seed %d: state %d simulates %d, but %v (%v)", seed, q, p, l, err)
							}
						}
					}
				}
			}
		}
	}
	if held[0] < 50 || held[1] < 50 || open[0] < 50 || open[1] < 50 || accepted < 500 {
		t.Errorf("lopsided sample: %v pairs simulate, %v do not; %d words", held, open, accepted)
	}
}

// TestFairSimulationByItself: the Büchi form of a generalized Büchi automaton
// simulates it fairly, whichever set it waits for.
func TestFairSimulationByItself(t *testing.T) {
	for seed := range uint64(60) {
		a, err := marked.Prune(context.Background(), automatatest.Random(automatatest.RandomSettings{
			States: 3 + int(seed%4), Propositions: []string{"a", "b"}, Density: 0.4,
			LiteralProbability: 0.6, Sets: int(seed % 4), MarkProbability: 0.5,
		}, seed))
		if err != nil {
			t.Fatal(err)
		}
		buchi, err := transitionBuchi(context.Background(), a, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if a.Edges() > 0 && !FairSimulations(context.Background(), a, buchi, filled(a.States())).Initial(a, buchi) {
			t.Errorf("seed %d: no simulation", seed)
		}
	}
}

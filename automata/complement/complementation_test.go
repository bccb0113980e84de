package complement

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"pnmc/automata"
	"pnmc/internal/automatatest"
)

// TestComplementationOfEachKind: automata whose components are of all kinds, and of
// several at the same time, against the words that they accept and against the
// complement that knows no kinds.
func TestComplementationOfEachKind(t *testing.T) {
	kinds := map[string]int{}
	words, accepted := 0, 0
	r := rand.New(rand.NewPCG(7, 7))
	for seed := range uint64(800) {
		a := automatatest.Random(automatatest.RandomSettings{
			States: 1 + r.IntN(6), Propositions: []string{"a", "b"}[:1+r.IntN(2)], Density: []float64{0.1, 0.2, 0.4}[r.IntN(3)],
			LiteralProbability: []float64{0.5, 0.9, 1}[r.IntN(3)],
			Sets:               r.IntN(3), MarkProbability: []float64{0.2, 0.6, 1}[r.IntN(3)], Condition: automatatest.RandomCondition(r.IntN(3)),
		}, seed)
		c, err := NewComplementation(context.Background(), a, 4000)
		if errors.Is(err, ErrTooLarge) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		present := map[partKind]bool{}
		for _, k := range c.kind {
			present[k] = true
		}
		kinds[fmt.Sprint(present[weakPart], present[unbranchingPart], present[generalPart])]++
		complement, err := explicitComplementation(c)
		if errors.Is(err, ErrTooLarge) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		sliced, err := explicitComplement(a, 4000)
		if err != nil {
			sliced = nil
		}
		for range 10 {
			l := automatatest.RandomWord(r, a.Propositions)
			inA, _ := automata.Accepts(a, l)
			inComplement, err := automata.Accepts(complement, l)
			if err != nil || inA == inComplement {
				t.Fatalf("seed %d: %v is accepted by automaton and complement alike: %v (%v)", seed, l, inA, err)
			}
			if sliced != nil {
				if inSliced, err := automata.Accepts(sliced, l); err != nil || inA == inSliced {
					t.Fatalf("seed %d: %v is accepted by automaton and slices alike: %v (%v)", seed, l, inA, err)
				}
			}
			words++
			if inA {
				accepted++
			}
		}
	}
	for _, some := range []string{"true false false", "false true false", "false false true", "true true false", "true false true"} {
		if kinds[some] == 0 {
			t.Errorf("no automaton with weak, unbranching and general components: %s (there are %v)", some, kinds)
		}
	}
	if accepted < words/20 || accepted > words*19/20 {
		t.Errorf("%d of %d words accepted: the sample is lopsided", accepted, words)
	}
}

// explicitComplementation returns the reachable part of c.
func explicitComplementation(c *Complementation) (*automata.Automaton, error) {
	b := automata.NewBuilder(c.Propositions(), c.Acceptance())
	b.AddInitial(0)
	for s := uint32(0); int(s) < c.Known(); s++ {
		err := c.Out(s, automata.NewCube(len(c.Propositions())), func(l automata.Label, marks automata.Marks, to uint32) {
			b.AddEdge(automata.State(s), l, marks, automata.State(to))
		})
		if err != nil {
			return nil, err
		}
	}
	b.AddStates(c.Known())
	return b.Build()
}

// explicitComplement returns the part of a complement by slices that is reachable.
func explicitComplement(a *automata.Automaton, limit int) (*automata.Automaton, error) {
	buchi, err := transitionBuchi(context.Background(), a, limit)
	if err != nil {
		return nil, err
	}
	return automatatest.ExplicitSlices(buchi, limit)
}

package automata

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// explicitSlices is the part of a SliceComplement that is reachable.
func explicitSlices(a *Automaton, limit int) (*Automaton, error) {
	s, err := NewSliceComplement(a, limit)
	if err != nil {
		return nil, err
	}
	b := NewBuilder(a.Propositions, GeneralizedBuchi(1))
	b.AddInitial(0)
	for n := uint32(0); int(n) < s.Known(); n++ {
		err := s.Out(n, func(l Label, accepting bool, to uint32) {
			marks := NewMarks(1)
			if accepting {
				marks = NewMarks(1, 0)
			}
			b.AddEdge(State(n), l, marks, State(to))
		})
		if err != nil {
			return nil, err
		}
	}
	b.AddStates(s.Known())
	return b.Build()
}

// TestComplementationOfEachKind: automata whose components are of all kinds, and of
// several at the same time, against the words that they accept and against the
// complement that knows no kinds.
func TestComplementationOfEachKind(t *testing.T) {
	kinds := map[string]int{}
	words, accepted := 0, 0
	one := func(t *rapid.T) {
		a := Random(RandomSettings{
			States: rapid.IntRange(1, 6).Draw(t, "states"), Propositions: []string{"a", "b"}[:rapid.IntRange(1, 2).Draw(t, "propositions")],
			Density:            rapid.SampledFrom([]float64{0.1, 0.2, 0.4}).Draw(t, "density"),
			LiteralProbability: rapid.SampledFrom([]float64{0.5, 0.9, 1}).Draw(t, "literals"),
			Sets:               rapid.IntRange(0, 2).Draw(t, "sets"), MarkProbability: rapid.SampledFrom([]float64{0.2, 0.6, 1}).Draw(t, "marks"),
			Condition: RandomCondition(rapid.IntRange(0, 2).Draw(t, "condition")),
		}, rapid.Uint64().Draw(t, "seed"))
		c, err := NewComplementation(context.Background(), a, 4000)
		if errors.Is(err, ErrComplementTooLarge) {
			return
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
		if errors.Is(err, ErrComplementTooLarge) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		sliced, err := explicitSlices(a, 4000)
		if err != nil {
			sliced = nil
		}
		for range 10 {
			l := drawnWord(t, a.Propositions)
			inA, _ := Accepts(a, l)
			inComplement, err := Accepts(complement, l)
			if err != nil || inA == inComplement {
				t.Fatalf("%v is accepted by automaton and complement alike: %v (%v)", l, inA, err)
			}
			if sliced != nil {
				if inSliced, err := Accepts(sliced, l); err != nil || inA == inSliced {
					t.Fatalf("%v is accepted by automaton and slices alike: %v (%v)", l, inA, err)
				}
			}
			words++
			if inA {
				accepted++
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 6 {
			one(t)
		}
	})
	for _, some := range []string{"true false false", "false true false", "false false true", "true true false", "true false true"} {
		if kinds[some] == 0 {
			t.Errorf("no automaton with weak, unbranching and general components: %s (there are %v)", some, kinds)
		}
	}
	if accepted < words/20 || accepted > words*19/20 {
		t.Errorf("%d of %d words accepted: the sample is lopsided", accepted, words)
	}
}

// explicitComplementation is the reachable part of c.
func explicitComplementation(c *Complementation) (*Automaton, error) {
	b := NewBuilder(c.Propositions(), c.Acceptance())
	b.AddInitial(0)
	for s := uint32(0); int(s) < c.Known(); s++ {
		err := c.Out(s, NewCube(len(c.Propositions())), func(l Label, marks Marks, to uint32) { b.AddEdge(State(s), l, marks, State(to)) })
		if err != nil {
			return nil, err
		}
	}
	b.AddStates(c.Known())
	return b.Build()
}

// drawnWord is a lasso over the propositions.
func drawnWord(t *rapid.T, propositions []string) Lasso {
	letters := rapid.SliceOfN(rapid.Uint64Range(0, 1<<len(propositions)-1), 1, 8).Draw(t, "letters")
	l := Lasso{Propositions: propositions}
	cut := rapid.IntRange(0, len(letters)-1).Draw(t, "prefix")
	for i, v := range letters {
		if i < cut {
			l.Prefix = append(l.Prefix, Valuation{v})
		} else {
			l.Cycle = append(l.Cycle, Valuation{v})
		}
	}
	return l
}

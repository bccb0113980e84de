package inclusion

import (
	"context"
	"errors"
	"testing"

	"pnmc/automata"
	"pnmc/automata/complement"
	"pnmc/internal/automatatest"
)

func TestExamineComplement(t *testing.T) {
	found := map[string]int{}
	for seed := range uint64(60) {
		a := automatatest.Random(automatatest.RandomSettings{
			States: 3, Propositions: []string{"a", "b"}, Density: 0.4, LiteralProbability: 0.5, Sets: 1, MarkProbability: 0.3,
		}, seed)
		right, err := complement.Complement(context.Background(), a, 5000)
		if err != nil {
			continue
		}
		if err := ExamineComplement(context.Background(), a, right); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		found["right"]++
		for _, wrong := range []*automata.Automaton{a, automata.EveryWord()} {
			var told *WrongComplementError
			if err := ExamineComplement(context.Background(), a, wrong); !errors.As(err, &told) {
				continue // a is empty, or the words that show it are rare
			}
			for _, x := range [2]*automata.Automaton{a, wrong} {
				if accepted, err := automata.Accepts(x, *told.Word); err != nil || accepted != told.Both {
					t.Fatalf("seed %d: word %v: accepted %v (%v), both %v", seed, told.Word, accepted, err, told.Both)
				}
			}
			if told.Both {
				found["both"]++
			} else {
				found["neither"]++
			}
		}
	}
	if found["right"] < 30 || found["both"] < 30 || found["neither"] < 1 {
		t.Errorf("lopsided sample: %v", found)
	}
}

// TestEmptyIsIncludedInAnything: also where the complement of the other is too large.
func TestEmptyIsIncludedInAnything(t *testing.T) {
	b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(1))
	b.AddStates(1)
	b.AddInitial(0)
	b.AddEdge(0, automata.Label{automata.NewCube(1)}, automata.NewMarks(1), 0)
	empty, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, second := range []*automata.Automaton{automatatest.Pigeonhole(t, 5), automata.EveryWord()} {
		if r, err := Included(empty, second, Options{}); err != nil || !r.Holds {
			t.Errorf("holds %v, error %v", r.Holds, err)
		}
	}
}

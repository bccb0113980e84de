package automata_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/internal/automatatest"
)

// acceptingRuns counts the accepting runs of a Büchi automaton over one state
// sequence after the other: the runs of length n from the initial states over a
// word, told apart by states, that end where acceptance can still follow.
func acceptingRuns(a *automata.Automaton, good []bool, word []uint64) int {
	runs := map[automata.State]int{a.Initial()[0]: 1}
	for _, v := range word {
		next := map[automata.State]int{}
		for s, n := range runs {
			successors := map[automata.State]bool{}
			for e, end := a.Out(s); e < end; e++ {
				if a.Matches(e, automata.Valuation{v}) {
					successors[a.Destination(e)] = true
				}
			}
			for d := range successors {
				next[d] += n
			}
		}
		runs = next
	}
	total := 0
	for s, n := range runs {
		if good[s] {
			total += n
		}
	}
	return total
}

// TestUnambiguousAgainstCounting has automata of two layers: states that are
// passed, and last ones that accept every word. A word has as many accepting runs
// as paths to them.
func TestUnambiguousAgainstCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const layers, width = 3, 2
		b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(1))
		b.AddStates(layers * width)
		b.AddInitial(0)
		good := make([]bool, layers*width)
		for s := range layers * width {
			layer := s / width
			if layer == layers-1 {
				if good[s] = rapid.Bool().Draw(t, "accepts"); good[s] {
					b.AddEdge(automata.State(s), automata.Label{automata.NewCube(1)}, automata.NewMarks(1, 0), automata.State(s))
				}
				continue
			}
			for d := range width {
				switch rapid.IntRange(0, 2).Draw(t, "edge") {
				case 0:
					b.AddEdge(automata.State(s), automata.Label{automata.NewCube(1).With(0, rapid.Bool().Draw(t, "a"))},
						automata.NewMarks(1), automata.State((layer+1)*width+d))
				case 1:
					b.AddEdge(automata.State(s), automata.Label{automata.NewCube(1)}, automata.NewMarks(1), automata.State((layer+1)*width+d))
				}
			}
		}
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		most := 0
		for v := range uint64(4) {
			most = max(most, acceptingRuns(a, good, []uint64{v & 1, v >> 1}))
		}
		if got, err := automata.Unambiguous(context.Background(), a); err != nil || got != (most <= 1) {
			t.Fatalf("unambiguous: %t, %v, but a word has %d accepting runs", got, err, most)
		}
	})
}

// TestInherentlyWeakIsStrength: what has no strong component is inherently weak.
func TestInherentlyWeakIsStrength(t *testing.T) {
	seen := [2]int{}
	for seed := range uint64(300) {
		a := automatatest.Random(automatatest.RandomSettings{States: 4, Propositions: []string{"a"}, Density: 0.3,
			LiteralProbability: 0.5, Sets: 2, MarkProbability: 0.5, Condition: automatatest.RandomEmersonLei}, seed)
		c := automata.FindComponents(a)
		strong := false
		accepting, err := automata.AcceptingComponents(context.Background(), a, c)
		if err != nil {
			t.Fatal(err)
		}
		for n, s := range automata.Strengths(context.Background(), a, c) {
			strong = strong || s == automata.Strong
			if accepting[n] != (s != automata.Rejecting) {
				t.Fatalf("seed %d, component %d: accepting %t, strength %d", seed, n, accepting[n], s)
			}
		}
		got, err := automata.InherentlyWeak(context.Background(), a, c)
		if err != nil || got == strong {
			t.Fatalf("seed %d: inherently weak %t, %v, strong %t", seed, got, err, strong)
		}
		if got {
			seen[1]++
		} else {
			seen[0]++
		}
	}
	if seen[0] == 0 || seen[1] == 0 {
		t.Errorf("not both: %v", seen)
	}
}

package automata_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/internal/account"
	"pnmc/internal/automatatest"
)

// acceptingRuns counts the accepting runs of a Büchi automaton over one state
// sequence after the other: the runs of length n from the initial states over a
// word, told apart by states and marks, that end where acceptance can still follow.
func acceptingRuns(a *automata.Automaton, good []bool, word []uint64) int {
	runs := map[automata.State]int{a.Initial()[0]: 1}
	for _, v := range word {
		next := map[automata.State]int{}
		for s, n := range runs {
			type step struct {
				to    automata.State
				marks uint64
			}
			successors := map[step]bool{}
			for e, end := a.Out(s); e < end; e++ {
				if a.Matches(e, automata.Valuation{v}) {
					successors[step{a.Destination(e), a.Marks(e)[0]}] = true
				}
			}
			for d := range successors {
				next[d.to] += n
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
			for range rapid.IntRange(0, 3).Draw(t, "edges") {
				cube, marks := automata.NewCube(1), automata.NewMarks(1)
				if rapid.Bool().Draw(t, "of one letter") {
					cube = cube.With(0, rapid.Bool().Draw(t, "a"))
				}
				if rapid.IntRange(0, 3).Draw(t, "marked") == 0 {
					marks = automata.NewMarks(1, 0)
				}
				d := rapid.IntRange(0, width-1).Draw(t, "destination")
				b.AddEdge(automata.State(s), automata.Label{cube}, marks, automata.State((layer+1)*width+d))
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

// looksOf is a context that counts how often it is asked whether it has ended.
type looksOf struct {
	context.Context
	count int
}

// Err counts a look.
func (l *looksOf) Err() error {
	l.count++
	return nil
}

// TestAlikeEdgesAreNotCompared: edges of a state that lead to the same state with the same marks take no
// work for each pair of them.
func TestAlikeEdgesAreNotCompared(t *testing.T) {
	const edges = 20_000
	b := automata.NewBuilder(nil, automata.GeneralizedBuchi(1))
	b.AddStates(1)
	b.AddInitial(0)
	for range edges {
		b.AddEdge(0, automata.Label{automata.NewCube(0)}, automata.NewMarks(1, 0), 0)
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	ctx := &looksOf{Context: context.Background()}
	if one, err := automata.Unambiguous(ctx, a); !one || err != nil || ctx.count > 50 {
		t.Errorf("unambiguous: %t, %v, after %d looks", one, err, ctx.count)
	}
}

// fanned returns an automaton of which state 0 leads to each of so many states, which have loops.
func fanned(t *testing.T, states int) *automata.Automaton {
	b := automata.NewBuilder(nil, automata.GeneralizedBuchi(1))
	b.AddStates(states)
	b.AddInitial(0)
	for s := range automata.State(states) {
		b.AddEdge(0, automata.Label{automata.NewCube(0)}, automata.NewMarks(1), s)
		b.AddEdge(s, automata.Label{automata.NewCube(0)}, automata.NewMarks(1, 0), s)
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestUnambiguousEnds: an end of the context is told wherever it comes, and the product asks for memory
// before it is made.
func TestUnambiguousEnds(t *testing.T) {
	a := fanned(t, 100)
	automatatest.EndsAtEachLook(t, "unambiguous", 3, func(ctx context.Context) (any, error) { return automata.Unambiguous(ctx, a) })
	asked := 0
	ctx := account.Asking(func(bytes int) error { asked += bytes; return nil }, 1)
	if one, err := automata.Unambiguous(ctx, fanned(t, 200)); one || err != nil || asked < 1<<20 {
		t.Errorf("unambiguous: %t, %v, after %d bytes were asked for", one, err, asked)
	}
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

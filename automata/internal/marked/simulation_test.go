package marked

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/internal/automatatest"
)

// naiveSimulated returns the greatest simulation, found by looking at all pairs again until
// none is removed.
func naiveSimulated(s *simulation) [][]bool {
	n := len(s.step)
	initial := make([]bool, n)
	for _, p := range s.r.Initial {
		initial[p] = true
	}
	related := make([][]bool, n)
	for p := range related {
		related[p] = make([]bool, n)
		for q := range related[p] {
			related[p][q] = !s.backwards || !initial[p] || initial[q]
		}
	}
	matches := func(p, q int) bool {
		for _, e := range s.step[p] {
			rest := e.Label
			for _, f := range s.step[q] {
				if e.Marks&^f.Marks == 0 && related[e.To][f.To] {
					rest = s.r.Functions.Minus(rest, f.Label)
				}
			}
			if rest != bdd.FalseFunction {
				return false
			}
		}
		return true
	}
	for changed := true; changed; {
		changed = false
		for p := range n {
			for q := range n {
				if related[p][q] && !matches(p, q) {
					related[p][q] = false
					changed = true
				}
			}
		}
	}
	return related
}

func TestSimulationIsTheGreatest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := automatatest.Random(automatatest.RandomSettings{
			States: rapid.IntRange(1, 12).Draw(t, "states"), Propositions: []string{"a", "b"},
			Density: rapid.Float64Range(0, 0.4).Draw(t, "density"), LiteralProbability: 0.5,
			Sets: rapid.IntRange(0, 2).Draw(t, "sets"), MarkProbability: 0.3,
		}, rapid.Uint64().Draw(t, "seed"))
		for _, backwards := range []bool{false, true} {
			r, err := NewReducible(context.Background(), a)
			if err != nil {
				t.Fatal(err)
			}
			s, err := newSimulation(context.Background(), r, backwards)
			if err != nil {
				t.Fatal(err)
			}
			for p, row := range naiveSimulated(s) {
				for q, want := range row {
					if got := s.has(automata.State(p), automata.State(q)); got != want {
						t.Fatalf("backwards %v: %d simulates %d is %v, want %v", backwards, q, p, got, want)
					}
				}
			}
		}
	})
}

// In a chain few pairs are looked at, though all pairs of states differ.
func TestSimulationOfAChainIsLinear(t *testing.T) {
	const length = 500
	for name, number := range map[string]func(i int) automata.State{
		"up":   func(i int) automata.State { return automata.State(i) },
		"down": func(i int) automata.State { return automata.State(length - i) },
	} {
		b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(1))
		b.AddStates(length + 1)
		b.AddInitial(number(0))
		for i := range length {
			label := automata.Label{automata.NewCube(1)}
			if i == length-1 {
				label = automata.Label{automata.NewCube(1).With(0, true)}
			}
			b.AddEdge(number(i), label, automata.NewMarks(1), number(i+1))
		}
		b.AddEdge(number(length), automata.Label{automata.NewCube(1)}, automata.NewMarks(1, 0), number(length))
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		for _, backwards := range []bool{false, true} {
			r, err := NewReducible(context.Background(), a)
			if err != nil {
				t.Fatal(err)
			}
			s, err := newSimulation(context.Background(), r, backwards)
			if err != nil {
				t.Fatal(err)
			}
			if s.looks > 6*length {
				t.Errorf("%s, backwards %v: %d pairs looked at in a chain of %d", name, backwards, s.looks, length)
			}
		}
	}
}

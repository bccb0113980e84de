package symbolic

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
)

// TestAggregation compares self-loop aggregation with the naive product for random
// automata with larger components than those of TestEmptiness, with a run asked for
// and without: verdicts, runs, and the states reached.
func TestAggregation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space, _ := drawLargerSpace(t)
		names, propositions := drawPropositions(t, space.System, 2)
		a := drawConnected(t, names)
		product := naiveProduct(t, space.System, a, propositions)
		want, err := automata.HasAcceptingCycle(context.Background(), product)
		must(t, err)
		o := drawOptions(t)
		o.Aggregate = true
		for _, witness := range []bool{true, false} {
			o.Witness = witness
			got, err := CheckEmptiness(context.Background(), space, a, propositions, o)
			must(t, err)
			if got.Empty == want {
				t.Fatalf("options %+v: empty %v, want %v", o, got.Empty, !want)
			}
			// Where nothing is found, all of the product was.
			if !want && got.States.Int64() != int64(product.States()) {
				t.Fatalf("options %+v: %v states, want %d", o, got.States, product.States())
			}
			if want && witness {
				replay(t, space.System, a, propositions, got.Run)
			}
		}
	})
}

// drawLargerSpace draws a system as others do, or one whose events move tokens between
// variables, which has more states.
func drawLargerSpace(t *rapid.T) (*StateSpace, vectorSet) {
	if rapid.Bool().Draw(t, "any") {
		return drawSpace(t)
	}
	n := rapid.IntRange(2, 4).Draw(t, "variables")
	s := &System{Names: make([]string, n), Initial: make([]uint32, n)}
	s.Initial[0] = rapid.Uint32Range(1, 4).Draw(t, "tokens")
	for range rapid.IntRange(2, 6).Draw(t, "events") {
		from := rapid.IntRange(0, n-1).Draw(t, "from")
		to := (from + rapid.IntRange(1, n-1).Draw(t, "by")) % n
		s.Events = append(s.Events, Event{{uint32(from), 1, noLimit, -1}, {uint32(to), 0, noLimit, 1}})
	}
	return spaceOf(t, s)
}

// TestAggregated compares the closure of random sets of states under self-loops with
// a naive one.
func TestAggregated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space, states := drawLargerSpace(t)
		names, propositions := drawPropositions(t, space.System, 1)
		b := automata.NewBuilder(names, automata.GeneralizedBuchi(0))
		a, err := b.Build()
		must(t, err)
		p, err := systemProduct(space, a, propositions, drawOptions(t))
		must(t, err)
		byLevel := func(v []uint32) []uint32 {
			vector := make([]uint32, len(v))
			for i, level := range space.Levels {
				vector[level-1] = v[i]
			}
			return vector
		}
		entered, want := vectorSet{}, vectorSet{}
		var queue [][]uint32
		for _, key := range states.keys() {
			if rapid.IntRange(0, 3).Draw(t, "entered") == 0 {
				entered.add(byLevel(states[key]))
				want.add(byLevel(states[key]))
				queue = append(queue, states[key])
			}
		}
		for len(queue) > 0 {
			v := queue[0]
			queue = queue[1:]
			if !holds(space.System, propositions[0], v) {
				continue
			}
			for _, w := range space.System.successors(v) {
				if want.add(byLevel(w)) {
					queue = append(queue, w)
				}
			}
		}
		n := entered.node(t, p.forest)
		got, err := p.forest.guarded(nil, func() Node {
			p.observe(propositions)
			g := newAggregation(context.Background(), p, a)
			g.saturate = rapid.Bool().Draw(t, "saturate")
			return g.aggregated(g.propositions[0], n)
		})
		must(t, err)
		if found := vectorsOf(p.forest, got); !slices.Equal(found.keys(), want.keys()) {
			t.Fatalf("from %v: %v, want %v", entered.keys(), found.keys(), want.keys())
		}
	})
}

// drawConnected draws an automaton of up to four states and three acceptance sets,
// with a self-loop on each state, a cycle through all, and some other edges.
func drawConnected(t *rapid.T, names []string) *automata.Automaton {
	sets := rapid.IntRange(0, 3).Draw(t, "sets")
	states := rapid.IntRange(1, 4).Draw(t, "states")
	b := automata.NewBuilder(names, automata.GeneralizedBuchi(sets))
	b.AddStates(states)
	b.AddInitial(0)
	edge := func(from, to int) {
		cube := automata.NewCube(len(names))
		for p := range names {
			if literal := rapid.IntRange(0, 5).Draw(t, "literal"); literal < 4 {
				cube = cube.With(p, literal%2 == 0)
			}
		}
		var marks []int
		for set := range sets {
			if rapid.IntRange(0, 3).Draw(t, "mark") == 0 {
				marks = append(marks, set)
			}
		}
		b.AddEdge(automata.State(from), automata.Label{cube}, automata.NewMarks(sets, marks...), automata.State(to))
	}
	for q := range states {
		edge(q, q)
		edge(q, (q+1)%states)
	}
	for range rapid.IntRange(0, 3).Draw(t, "edges") {
		edge(rapid.IntRange(0, states-1).Draw(t, "from"), rapid.IntRange(0, states-1).Draw(t, "to"))
	}
	a, err := b.Build()
	must(t, err)
	return a
}

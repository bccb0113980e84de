package testingautomata

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/internal/marked"
	"pnmc/automata/stutter"
	"pnmc/internal/automatatest"
)

// acceptsOnTheFly reports whether x has an accepted run over l.
func acceptsOnTheFly(x *OnTheFly, l automata.Lasso) bool {
	word := slices.Concat(l.Prefix, l.Cycle)
	letters := make([]uint32, len(word))
	for i, v := range word {
		letters[i] = x.Letter(v)
	}
	type node struct {
		at    int
		state uint32
	}
	number := map[node]automata.State{}
	var nodes []node
	visit := func(n node) automata.State {
		s, known := number[n]
		if !known {
			s = automata.State(len(nodes))
			number[n] = s
			nodes = append(nodes, n)
		}
		return s
	}
	for _, n := range x.Initial(letters[0]) {
		visit(node{0, n})
	}
	graph := &marked.Graph{Sets: x.Sets()}
	if x.Kind() == automata.TA {
		graph.Sets = 1
	}
	stuttering := &marked.Graph{Sets: 1}
	for i := 0; i < len(nodes); i++ {
		from := nodes[i]
		next := from.at + 1
		if next == len(word) {
			next = len(l.Prefix)
		}
		var all, loops []marked.Link
		for _, e := range x.Steps(from.state, letters[from.at], letters[next]) {
			to := visit(node{next, e.To})
			all = append(all, marked.Link{To: to, Marks: e.Marks, Label: bdd.TrueFunction})
			if e.Marks&ChangeMark == 0 {
				loops = append(loops, marked.Link{To: to, Marks: e.Marks / LivelockMark, Label: bdd.TrueFunction})
			}
		}
		graph.Out = append(graph.Out, all)
		stuttering.Out = append(stuttering.Out, loops)
	}
	if x.Kind() == automata.TA {
		for s := range graph.Out {
			for i := range graph.Out[s] {
				graph.Out[s][i].Marks &= BuchiMark
			}
		}
		if slices.Contains(stuttering.AcceptingComponents(stuttering.Components()), true) {
			return true
		}
	}
	return slices.Contains(graph.AcceptingComponents(graph.Components()), true)
}

func TestTestingOnTheFlyKeepsTheLanguage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := automatatest.SmallAutomaton(t)
		if rapid.Bool().Draw(t, "closed") {
			a = stutterClosed(t, a)
		}
		v, err := stutter.DecideInvariance(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "whole only") {
			clear(v.States)
		}
		kinds := []automata.Kind{automata.TGTA}
		if v.Whole {
			kinds = append(kinds, automata.TA)
		}
		for _, kind := range kinds {
			x, err := NewOnTheFly(context.Background(), kind, a, v)
			if err != nil {
				t.Fatal(err)
			}
			for range 10 {
				l := automatatest.SmallWord(t, a)
				if automatatest.Accepts(t, a, l) != acceptsOnTheFly(x, l) {
					t.Fatalf("%v: accepted %v, by the %v on the fly %v", l, automatatest.Accepts(t, a, l), kind, acceptsOnTheFly(x, l))
				}
			}
		}
	})
}

// With 20 propositions the states of the whole TGTA can't be listed, but those
// for a few valuations can.
func TestTestingOnTheFlyWithManyPropositions(t *testing.T) {
	const n = 20
	names := make([]string, n)
	cube := automata.NewCube(n)
	for p := range names {
		names[p] = string(rune('a' + p))
		cube = cube.With(p, p%2 == 0)
	}
	b := automata.NewBuilder(names, automata.GeneralizedBuchi(1))
	b.AddStates(2)
	b.AddInitial(0)
	b.AddEdge(0, automata.Label{automata.NewCube(n)}, automata.NewMarks(1), 0)
	b.AddEdge(0, automata.Label{cube}, automata.NewMarks(1), 1)
	b.AddEdge(1, automata.Label{automata.NewCube(n)}, automata.NewMarks(1, 0), 1)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	v := stutter.Invariance{Whole: true, States: []bool{true, true}}
	x, err := NewOnTheFly(context.Background(), automata.TGTA, a, v)
	if err != nil {
		t.Fatal(err)
	}
	reached := uint64(0)
	for p := 0; p < n; p += 2 {
		reached |= 1 << p
	}
	for _, c := range []struct {
		word []automata.Valuation
		want bool
	}{
		{[]automata.Valuation{{0}, {5}, {reached}, {0}}, true},
		{[]automata.Valuation{{0}, {5}, {reached | 2}, {0}}, false},
	} {
		if got := acceptsOnTheFly(x, automata.Lasso{Propositions: names, Prefix: c.word, Cycle: []automata.Valuation{{1}}}); got != c.want {
			t.Errorf("%v: accepted %v, want %v", c.word, got, c.want)
		}
	}
	if x.States() > 3 {
		t.Errorf("%d states for two words", x.States())
	}
}

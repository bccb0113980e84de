package automata

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// acceptsOnTheFly tells whether x has an accepted run over l.
func acceptsOnTheFly(x *TestingOnTheFly, l Lasso) bool {
	word := slices.Concat(l.Prefix, l.Cycle)
	letters := make([]uint32, len(word))
	for i, v := range word {
		letters[i] = x.Letter(v)
	}
	type node struct {
		at    int
		state uint32
	}
	number := map[node]State{}
	var nodes []node
	visit := func(n node) State {
		s, known := number[n]
		if !known {
			s = State(len(nodes))
			number[n] = s
			nodes = append(nodes, n)
		}
		return s
	}
	for _, n := range x.Initial(letters[0]) {
		visit(node{0, n})
	}
	graph := &reducible{sets: x.Sets()}
	if x.Kind() == TA {
		graph.sets = 1
	}
	stuttering := &reducible{sets: 1}
	for i := 0; i < len(nodes); i++ {
		from := nodes[i]
		next := from.at + 1
		if next == len(word) {
			next = len(l.Prefix)
		}
		var all, loops []link
		for _, e := range x.Steps(from.state, letters[from.at], letters[next]) {
			to := visit(node{next, e.To})
			all = append(all, link{to, e.Marks, TrueFunction})
			if e.Marks&ChangeMark == 0 {
				loops = append(loops, link{to, e.Marks / LivelockMark, TrueFunction})
			}
		}
		graph.out = append(graph.out, all)
		stuttering.out = append(stuttering.out, loops)
	}
	if x.Kind() == TA {
		for s := range graph.out {
			for i := range graph.out[s] {
				graph.out[s][i].marks &= BuchiMark
			}
		}
		if slices.Contains(stuttering.acceptingComponents(stuttering.components()), true) {
			return true
		}
	}
	return slices.Contains(graph.acceptingComponents(graph.components()), true)
}

func TestTestingOnTheFlyKeepsTheLanguage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := SmallAutomaton(t)
		if rapid.Bool().Draw(t, "closed") {
			a = stutterClosed(t, a)
		}
		v, err := DecideInvariance(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "whole only") {
			clear(v.States)
		}
		kinds := []Kind{TGTA}
		if v.Whole {
			kinds = append(kinds, TA)
		}
		for _, kind := range kinds {
			x, err := NewTestingOnTheFly(context.Background(), kind, a, v)
			if err != nil {
				t.Fatal(err)
			}
			for range 10 {
				l := smallWord(t, a)
				if accepts(t, a, l) != acceptsOnTheFly(x, l) {
					t.Fatalf("%v: accepted %v, by the %v on the fly %v", l, accepts(t, a, l), kind, acceptsOnTheFly(x, l))
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
	cube := NewCube(n)
	for p := range names {
		names[p] = string(rune('a' + p))
		cube = cube.With(p, p%2 == 0)
	}
	b := NewBuilder(names, GeneralizedBuchi(1))
	b.AddStates(2)
	b.AddInitial(0)
	b.AddEdge(0, Label{NewCube(n)}, NewMarks(1), 0)
	b.AddEdge(0, Label{cube}, NewMarks(1), 1)
	b.AddEdge(1, Label{NewCube(n)}, NewMarks(1, 0), 1)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	v := Invariance{Whole: true, States: []bool{true, true}}
	x, err := NewTestingOnTheFly(context.Background(), TGTA, a, v)
	if err != nil {
		t.Fatal(err)
	}
	reached := uint64(0)
	for p := 0; p < n; p += 2 {
		reached |= 1 << p
	}
	for _, c := range []struct {
		word []Valuation
		want bool
	}{
		{[]Valuation{{0}, {5}, {reached}, {0}}, true},
		{[]Valuation{{0}, {5}, {reached | 2}, {0}}, false},
	} {
		if got := acceptsOnTheFly(x, Lasso{Propositions: names, Prefix: c.word, Cycle: []Valuation{{1}}}); got != c.want {
			t.Errorf("%v: accepted %v, want %v", c.word, got, c.want)
		}
	}
	if x.States() > 3 {
		t.Errorf("%d states for two words", x.States())
	}
}

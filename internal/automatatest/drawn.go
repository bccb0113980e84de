package automatatest

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/internal/bitset"
)

// SmallAutomaton draws an automaton over two or three propositions.
func SmallAutomaton(t *rapid.T) *automata.Automaton {
	names := []string{"a", "b", "c"}[:rapid.IntRange(1, 3).Draw(t, "propositions")]
	return Random(RandomSettings{
		States: rapid.IntRange(1, 5).Draw(t, "states"), Propositions: names,
		Density:            rapid.Float64Range(0.1, 0.6).Draw(t, "density"),
		LiteralProbability: rapid.Float64Range(0.2, 1).Draw(t, "literals"),
		Sets:               rapid.IntRange(0, 3).Draw(t, "sets"), MarkProbability: 0.4,
	}, rapid.Uint64().Draw(t, "seed"))
}

// SmallWord draws a word over the propositions of a that often stutters.
func SmallWord(t *rapid.T, a *automata.Automaton) automata.Lasso {
	letter := rapid.Uint64Range(0, 1<<len(a.Propositions)-1)
	var last uint64
	draw := func(n int, label string) []automata.Valuation {
		var word []automata.Valuation
		for range n {
			if len(word) == 0 || rapid.IntRange(0, 2).Draw(t, "stutter") > 0 {
				last = letter.Draw(t, label)
			}
			word = append(word, automata.Valuation{last})
		}
		return word
	}
	return automata.Lasso{
		Propositions: a.Propositions,
		Prefix:       draw(rapid.IntRange(0, 5).Draw(t, "prefix length"), "prefix"),
		Cycle:        draw(rapid.IntRange(1, 4).Draw(t, "cycle length"), "cycle"),
	}
}

// Accepts reports whether a accepts the word; a testing automaton reads its changes.
func Accepts(t *rapid.T, a *automata.Automaton, l automata.Lasso) bool {
	plain := *a
	plain.Kind = automata.Plain
	if a.Kind != automata.Plain {
		l = l.Changes()
	}
	accepted, err := automata.Accepts(&plain, l)
	if err != nil {
		t.Fatal(err)
	}
	return accepted
}

// RandomWord returns a lasso over the propositions.
func RandomWord(r *rand.Rand, propositions []string) automata.Lasso {
	l := automata.Lasso{Propositions: propositions}
	letter := func() automata.Valuation { return automata.Valuation{r.Uint64() & (1<<len(propositions) - 1)} }
	for range r.IntN(4) {
		l.Prefix = append(l.Prefix, letter())
	}
	for range 1 + r.IntN(4) {
		l.Cycle = append(l.Cycle, letter())
	}
	return l
}

// Streett returns an automaton with that many pairs, the sets of each of which are visited by
// loops of the one state: apart, or all at the same time.
func Streett(t *testing.T, pairs int, apart bool) *automata.Automaton {
	t.Helper()
	c := &automata.Condition{Operator: automata.ConditionAnd}
	for i := range pairs {
		c.Operands = append(c.Operands, &automata.Condition{Operator: automata.ConditionOr, Operands: []*automata.Condition{
			{Operator: automata.Fin, Set: 2 * i}, {Operator: automata.Inf, Set: 2*i + 1},
		}})
	}
	b := automata.NewBuilder([]string{"a"}, automata.Acceptance{Sets: 2 * pairs, Condition: c})
	b.AddStates(1)
	b.AddInitial(0)
	all := [2]automata.Marks{automata.NewMarks(2 * pairs), automata.NewMarks(2 * pairs)}
	for i := range 2 * pairs {
		if apart {
			b.AddEdge(0, automata.Label{automata.NewCube(1)}, automata.NewMarks(2*pairs, i), 0)
		}
		bitset.Add(all[i%2], i)
	}
	for i := range 2 {
		b.AddEdge(0, automata.Label{automata.NewCube(1).With(0, i == 1)}, all[i], 0)
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// DrawLabel draws a label of up to six cubes over that many propositions.
func DrawLabel(t *rapid.T, propositions int) automata.Label {
	l := make(automata.Label, rapid.IntRange(0, 6).Draw(t, "cubes"))
	for i := range l {
		l[i] = automata.NewCube(propositions)
		for p := range propositions {
			if k := rapid.IntRange(0, 2).Draw(t, "literal"); k > 0 {
				l[i] = l[i].With(p, k == 2)
			}
		}
	}
	return l
}

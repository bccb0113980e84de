package automata

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// SmallAutomaton draws an automaton over two or three propositions.
func SmallAutomaton(t *rapid.T) *Automaton {
	names := []string{"a", "b", "c"}[:rapid.IntRange(1, 3).Draw(t, "propositions")]
	return Random(RandomSettings{
		States: rapid.IntRange(1, 5).Draw(t, "states"), Propositions: names,
		Density:            rapid.Float64Range(0.1, 0.6).Draw(t, "density"),
		LiteralProbability: rapid.Float64Range(0.2, 1).Draw(t, "literals"),
		Sets:               rapid.IntRange(0, 3).Draw(t, "sets"), MarkProbability: 0.4,
	}, rapid.Uint64().Draw(t, "seed"))
}

// smallWord draws a word over the propositions of a that often stutters.
func smallWord(t *rapid.T, a *Automaton) Lasso {
	letter := rapid.Uint64Range(0, 1<<len(a.Propositions)-1)
	var last uint64
	draw := func(n int, label string) []Valuation {
		var word []Valuation
		for range n {
			if len(word) == 0 || rapid.IntRange(0, 2).Draw(t, "stutter") > 0 {
				last = letter.Draw(t, label)
			}
			word = append(word, Valuation{last})
		}
		return word
	}
	return Lasso{
		Propositions: a.Propositions,
		Prefix:       draw(rapid.IntRange(0, 5).Draw(t, "prefix length"), "prefix"),
		Cycle:        draw(rapid.IntRange(1, 4).Draw(t, "cycle length"), "cycle"),
	}
}

func accepts(t *rapid.T, a *Automaton, l Lasso) bool {
	plain := *a
	plain.Kind = Plain
	if a.Kind != Plain {
		l = l.Changes()
	}
	accepted, err := Accepts(&plain, l)
	if err != nil {
		t.Fatal(err)
	}
	return accepted
}

// randomWord is a lasso over the propositions.
func randomWord(r *rand.Rand, propositions []string) Lasso {
	l := Lasso{Propositions: propositions}
	letter := func() Valuation { return Valuation{r.Uint64() & (1<<len(propositions) - 1)} }
	for range r.IntN(4) {
		l.Prefix = append(l.Prefix, letter())
	}
	for range 1 + r.IntN(4) {
		l.Cycle = append(l.Cycle, letter())
	}
	return l
}

// streett is an automaton with that many pairs, the sets of each of which are visited by
// loops of the one state: apart, or all at the same time.
func streett(t *testing.T, pairs int, apart bool) *Automaton {
	t.Helper()
	c := &Condition{Operator: ConditionAnd}
	for i := range pairs {
		c.Operands = append(c.Operands, &Condition{Operator: ConditionOr, Operands: []*Condition{
			{Operator: Fin, Set: 2 * i}, {Operator: Inf, Set: 2*i + 1},
		}})
	}
	b := NewBuilder([]string{"a"}, Acceptance{Sets: 2 * pairs, Condition: c})
	b.AddStates(1)
	b.AddInitial(0)
	all := [2]Marks{NewMarks(2 * pairs), NewMarks(2 * pairs)}
	for i := range 2 * pairs {
		if apart {
			b.AddEdge(0, Label{NewCube(1)}, NewMarks(2*pairs, i), 0)
		}
		all[i%2][i/64] |= 1 << (i % 64)
	}
	for i := range 2 {
		b.AddEdge(0, Label{NewCube(1).With(0, i == 1)}, all[i], 0)
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

package complement

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"pnmc/automata"
	"pnmc/internal/automatatest"
)

func TestDisjunctiveFormHasItsBound(t *testing.T) {
	for _, c := range []struct {
		pairs int
		apart bool
		want  int // disjuncts; 0: too many
	}{{12, true, 1 << 12}, {13, true, 0}, {40, true, 0}, {13, false, 2}, {400, false, 2}} {
		d, err := disjunctiveForm(context.Background(), automatatest.Streett(t, c.pairs, c.apart))
		if len(d) != c.want || (err != nil) != (c.want == 0) || err != nil && !errors.Is(err, ErrConditionTooLarge) {
			t.Errorf("%d pairs, apart %v: %d disjuncts, error %v, want %d", c.pairs, c.apart, len(d), err, c.want)
		}
	}
	if _, err := Complement(context.Background(), automatatest.Streett(t, 40, true), 1000); !errors.Is(err, ErrConditionTooLarge) {
		t.Errorf("the complement of 40 pairs: error %v", err)
	}
}

// TestDisjunctiveFormKeepsTheWords: sets with the same edges, with all and with none, under
// conditions of all forms: the Büchi automaton accepts the words that the automaton does.
func TestDisjunctiveFormKeepsTheWords(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	accepted, tried := 0, 0
	for seed := range uint64(300) {
		base := automatatest.Random(automatatest.RandomSettings{
			States: 3, Propositions: []string{"a"}, Density: 0.6, LiteralProbability: 0.6, Sets: 3, MarkProbability: 0.4,
		}, seed)
		const sets = 6 // of the last three, one is like the first, one has all edges, one has none
		b := automata.NewBuilder(base.Propositions, automata.Acceptance{Sets: sets, Condition: randomConditionTree(r, sets, 3)})
		b.AddStates(base.States())
		for e := range automata.Edge(base.Edges()) {
			marks := automata.NewMarks(sets, 4)
			m := base.Marks(e)[0]
			marks[0] |= m | m&1<<3
			b.AddEdge(base.Source(e), base.Label(e), marks, base.Destination(e))
		}
		b.AddInitial(base.Initial()[0])
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		buchi, err := transitionBuchi(context.Background(), a, 10_000)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			l := automatatest.RandomWord(r, a.Propositions)
			want, err := automata.Accepts(a, l)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := automata.Accepts(buchi, l); err != nil || got != want {
				t.Fatalf("seed %d: the Büchi automaton: %v (%v), want %v", seed, got, err, want)
			}
			tried++
			if want {
				accepted++
			}
		}
	}
	if accepted < tried/10 || accepted > tried*9/10 {
		t.Errorf("lopsided sample: %d of %d words accepted", accepted, tried)
	}
}

// randomConditionTree returns a condition over all sets.
func randomConditionTree(r *rand.Rand, sets, depth int) *automata.Condition {
	if depth == 0 || r.IntN(4) == 0 {
		return &automata.Condition{Operator: automata.Inf + automata.ConditionOperator(r.IntN(2)), Set: r.IntN(sets), Negated: r.IntN(4) == 0}
	}
	return &automata.Condition{Operator: automata.ConditionAnd + automata.ConditionOperator(r.IntN(2)), Operands: []*automata.Condition{
		randomConditionTree(r, sets, depth-1), randomConditionTree(r, sets, depth-1),
	}}
}

package testingautomata

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"pnmc/automata"
	"pnmc/automata/internal/marked"
	"pnmc/automata/stutter"
	"pnmc/internal/automatatest"
)

// TestReadingValuations: a testing automaton and the plain one made of it accept the
// same words, the former as changes.
func TestReadingValuations(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	words, accepted, kinds := 0, 0, map[automata.Kind]int{}
	for seed := range uint64(120) {
		a, err := marked.Prune(context.Background(), automatatest.Random(automatatest.RandomSettings{
			States: 1 + int(seed%4), Propositions: []string{"a", "b", "c"}[:1+seed%3], Density: 0.4,
			LiteralProbability: []float64{0.3, 0.7}[seed%2], Sets: int(seed/3) % 3, MarkProbability: 0.5,
		}, seed))
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []automata.Kind{automata.TGTA, automata.TA} {
			make := NewTGTA
			if kind == automata.TA {
				make = NewTA
			}
			v, err := stutter.DecideInvariance(context.Background(), a)
			if err != nil {
				t.Fatal(err)
			}
			testing, err := make(context.Background(), a, v)
			if errors.Is(err, ErrNotStutterInvariant) || errors.Is(err, ErrStutterUnknown) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			kinds[kind]++
			plain, err := automata.ReadingValuations(t.Context(), testing)
			if err != nil || plain.Kind != automata.Plain {
				t.Fatalf("seed %d: %v", seed, err)
			}
			for range 10 {
				l := automatatest.RandomWord(r, a.Propositions)
				want, _ := automata.Accepts(a, l)
				got, err := automata.Accepts(plain, l)
				if err != nil || got != want {
					t.Fatalf("seed %d, %v: %v is accepted by the automaton: %v, read back from its testing automaton: %v (%v)", seed, kind, l, want, got, err)
				}
				words++
				if want {
					accepted++
				}
			}
		}
	}
	if words < 1000 || accepted < words/20 || accepted > words*19/20 || kinds[automata.TGTA] < 100 || kinds[automata.TA] < 3 {
		t.Errorf("%d of %d words accepted, kinds %v: the sample is lopsided", accepted, words, kinds)
	}
}

func TestReadingValuationsOfManyPropositions(t *testing.T) {
	names := make([]string, 17)
	for i := range names {
		names[i] = string(rune('a' + i))
	}
	for _, n := range []int{11, 17} {
		b := automata.NewBuilder(names[:n], automata.GeneralizedBuchi(0))
		b.Kind = automata.TGTA
		b.AddStates(2)
		b.AddInitial(0)
		b.AddEdge(0, automata.Label{automata.NewCube(n)}, automata.NewMarks(0), 1)
		b.AddEdge(1, automata.Label{automata.NewCube(n)}, automata.NewMarks(0), 1)
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := automata.ReadingValuations(t.Context(), a); !errors.Is(err, automata.ErrTooManyChanges) {
			t.Errorf("%d propositions: error %v, want ErrTooManyChanges", n, err)
		}
	}
}

// TestReadingValuationsEndsWithTheContext: changes are looked at within the context even if
// no label matches any, so that no edge is made.
func TestReadingValuationsEndsWithTheContext(t *testing.T) {
	const n = 16
	names := make([]string, n)
	for i := range names {
		names[i] = string(rune('a' + i))
	}
	b := automata.NewBuilder(names, automata.GeneralizedBuchi(0))
	b.Kind = automata.TGTA
	b.AddStates(1)
	b.AddInitial(0)
	for range 1000 {
		b.AddEdge(0, automata.Label{}, automata.NewMarks(0), 0)
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	ctx := &countedContext{Context: t.Context()}
	if plain, err := automata.ReadingValuations(ctx, a); err != nil || plain.Edges() != 0 {
		t.Fatalf("in time: %v", err)
	}
	if ctx.looks < 100 {
		t.Errorf("%d looks at the context while %d changes are tried on 1000 edges", ctx.looks, 1<<n)
	}
	ended, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	cancel(reason)
	if _, err := automata.ReadingValuations(ended, a); !errors.Is(err, reason) {
		t.Errorf("error %v, want %v", err, reason)
	}
}

// A countedContext counts how often it is looked at.
type countedContext struct {
	context.Context
	looks int
}

func (c *countedContext) Err() error {
	c.looks++
	return nil
}

// Value hides that the context within could be asked instead.
func (c *countedContext) Value(any) any { return nil }

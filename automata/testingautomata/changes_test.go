package testingautomata

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

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

// manyChanges returns a TGTA of n propositions with so many loops behind its initial state, each of which
// has this label.
func manyChanges(t *testing.T, n, loops int, label func(loop int) automata.Label) *automata.Automaton {
	names := make([]string, n)
	for i := range names {
		names[i] = string(rune('a' + i))
	}
	b := automata.NewBuilder(names, automata.GeneralizedBuchi(0))
	b.Kind = automata.TGTA
	b.AddStates(2)
	b.AddInitial(0)
	b.AddEdge(0, automata.Label{automata.NewCube(n)}, automata.NewMarks(0), 1)
	for i := range loops {
		b.AddEdge(1, label(i), automata.NewMarks(0), 1)
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestReadingValuationsEndsWithTheContext: an end of the context is told wherever it comes, and what no
// label matches takes no work.
func TestReadingValuationsEndsWithTheContext(t *testing.T) {
	const n = 6
	a := manyChanges(t, n, 100, func(int) automata.Label { return automata.Label{automata.NewCube(n)} })
	automatatest.EndsAtEachLook(t, "valuations", 20, func(ctx context.Context) (any, error) {
		plain, err := automata.ReadingValuations(ctx, a)
		if err != nil {
			return nil, err
		}
		return plain.Edges(), nil
	})
	none := manyChanges(t, 10, 10, func(int) automata.Label { return automata.Label{} })
	ctx := &countedContext{Context: t.Context()}
	if plain, err := automata.ReadingValuations(ctx, none); err != nil || plain.Edges() != 1<<10 || ctx.looks > 20 {
		t.Errorf("%v, after %d looks", err, ctx.looks)
	}
	ended, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	cancel(reason)
	if _, err := automata.ReadingValuations(ended, a); !errors.Is(err, reason) {
		t.Errorf("error %v, want %v", err, reason)
	}
}

// TestChangesAreMatchedOnce: the work is that of the edges that are made, not of all changes tried on each of them.
func TestChangesAreMatchedOnce(t *testing.T) {
	const n, loops = 8, 100
	a := manyChanges(t, n, loops, func(loop int) automata.Label {
		return automata.Label{automata.CompleteCube(n, automata.Valuation{uint64(loop)})}
	})
	ctx := &countedContext{Context: t.Context()}
	plain, err := automata.ReadingValuations(ctx, a)
	if err != nil || plain.Edges() != 1<<n+loops<<n {
		t.Fatal(err)
	}
	if ctx.looks > 20 {
		t.Errorf("%d looks while %d edges are made", ctx.looks, plain.Edges())
	}
}

// TestChangesOfLabels: the edges are those that trying each change on each edge finds, in this order.
func TestChangesOfLabels(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(0, 7).Draw(r, "propositions")
		a := manyChanges(t, n, 3, func(int) automata.Label {
			label := make(automata.Label, rapid.IntRange(0, 3).Draw(r, "cubes"))
			for i := range label {
				label[i] = automata.NewCube(n)
				for p := range n {
					if sign := rapid.IntRange(0, 2).Draw(r, "literal"); sign < 2 {
						label[i] = label[i].With(p, sign == 1)
					}
				}
			}
			return label
		})
		plain, err := automata.ReadingValuations(t.Context(), a)
		if err != nil {
			r.Fatal(err)
		}
		type state struct {
			of   automata.State
			last uint64
		}
		states, number := []state{{0, 0}}, map[state]int{{0, 0}: 0}
		at := automata.Edge(0)
		for i := 0; i < len(states); i++ {
			for e, end := a.Out(states[i].of); e < end; e++ {
				for change := range uint64(1) << n {
					if !a.Matches(e, automata.Valuation{change}) {
						continue
					}
					to := state{a.Destination(e), states[i].last ^ change}
					if _, known := number[to]; !known {
						number[to] = len(states)
						states = append(states, to)
					}
					if int(at) >= plain.Edges() || plain.Source(at) != automata.State(i) || plain.Destination(at) != automata.State(number[to]) ||
						!slices.Equal(plain.Cube(at, 0), automata.CompleteCube(n, automata.Valuation{to.last})) {
						r.Fatalf("edge %d of %d is not the one from %v to %v", at, plain.Edges(), states[i], to)
					}
					at++
				}
			}
		}
		if int(at) != plain.Edges() || plain.States() != len(states) {
			r.Fatalf("%d edges and %d states, expected %d and %d", plain.Edges(), plain.States(), at, len(states))
		}
	})
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

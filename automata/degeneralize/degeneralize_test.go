package degeneralize

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/internal/automatatest"
)

// countedLooks counts how often a computation asks whether to go on, which measures
// its work and depends on no clock.
type countedLooks struct {
	context.Context
	looks int
}

func (c *countedLooks) Err() error {
	c.looks++
	return c.Context.Err()
}

// Few orders of acceptance sets are tried where each makes hundreds of states, all of
// them where the automata are small.
func TestDegeneralizeBoundsTheWork(t *testing.T) {
	settings := automatatest.RandomSettings{
		States: 10, Propositions: []string{"a", "b"}, Density: 0.35, LiteralProbability: 0.9,
		Sets: 20, MarkProbability: 0.2,
	}
	looks := func(settings automatatest.RandomSettings, seed uint64) int {
		c := &countedLooks{Context: context.Background()}
		b, err := Degeneralize(c, automatatest.Random(settings, seed))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d sets: %d states, %d edges, %d looks", settings.Sets, b.States(), b.Edges(), c.looks)
		return c.looks
	}
	for seed := range uint64(2) {
		if n := looks(settings, seed); n > 20000 {
			t.Errorf("seed %d: %d looks", seed, n)
		}
	}
	settings.Sets, settings.States = 3, 4
	if n := looks(settings, 0); n < 30 { // each attempt looks twice at least
		t.Errorf("%d looks: are there attempts that are not made?", n)
	}
}

func TestDegeneralizeKeepsTheLanguage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := automatatest.SmallAutomaton(t)
		b, err := Degeneralize(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		for s := range automata.State(b.States()) {
			for e, end := b.Out(s); e < end; e++ {
				if first, _ := b.Out(s); b.Marks(e)[0] != b.Marks(first)[0] {
					t.Fatalf("edges of state %d differ in marks", s)
				}
			}
		}
		for range 10 {
			l := automatatest.SmallWord(t, a)
			if automatatest.Accepts(t, a, l) != automatatest.Accepts(t, b, l) {
				t.Fatalf("%v: accepted %v, degeneralized %v", l, automatatest.Accepts(t, a, l), automatatest.Accepts(t, b, l))
			}
		}
	})
}

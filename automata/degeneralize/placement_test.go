package degeneralize

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/automata/internal/marked"
	"pnmc/internal/automatatest"
)

// naiveShared finds by the definition which marks all edges inside the component into a state
// have, and all edges out of it.
func naiveShared(p *part, marks []uint64, state int) (into, outOf uint64) {
	into, outOf = p.all, p.all
	for s := range p.states {
		for e := p.start[s]; e < p.start[s+1]; e++ {
			if p.to[e] == outside {
				continue
			}
			if int(p.to[e]) == state {
				into &= marks[e]
			}
			if s == state {
				outOf &= marks[e]
			}
		}
	}
	return into, outOf
}

// naivePlace places as part.place does, by the definitions.
func naivePlace(p *part, how placement) []uint64 {
	marks := slices.Clone(p.marks)
	spread := how == spreadBack || how == spreadBoth || how == droppedBack || how == droppedBoth
	for changed := spread; changed; {
		changed = false
		now := slices.Clone(marks)
		for s := range p.states {
			for e := p.start[s]; e < p.start[s+1]; e++ {
				if p.to[e] == outside {
					continue
				}
				_, m := naiveShared(p, now, int(p.to[e]))
				if how == spreadBoth || how == droppedBoth {
					into, _ := naiveShared(p, now, s)
					m |= into
				}
				changed = changed || m&^marks[e] != 0
				marks[e] |= m
			}
		}
	}
	for s := range p.states {
		if how != droppedBack && how != droppedBoth && how != droppedMarked {
			break
		}
		into, _ := naiveShared(p, marks, s)
		for e := p.start[s]; e < p.start[s+1]; e++ {
			if int(p.to[e]) != s {
				marks[e] &^= into
			}
		}
	}
	return marks
}

func TestPlacementAgainstTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, err := marked.NewReducible(t.Context(), automatatest.Random(automatatest.RandomSettings{
			States: rapid.IntRange(1, 8).Draw(t, "states"), Propositions: []string{"a"},
			Density: rapid.Float64Range(0.05, 0.6).Draw(t, "density"), LiteralProbability: 0.5,
			Sets: rapid.IntRange(1, 5).Draw(t, "sets"), MarkProbability: rapid.Float64Range(0.2, 0.9).Draw(t, "marks"),
		}, rapid.Uint64().Draw(t, "seed")))
		if err != nil {
			t.Fatal(err)
		}
		c := r.Components()
		place := members(c)
		for n := range automata.Component(c.Count()) {
			p := newPart(r, c, n, place)
			for _, how := range placements {
				got, err := p.place(t.Context(), how)
				if err != nil {
					t.Fatal(err)
				}
				if want := naivePlace(p, how); !slices.Equal(got, want) {
					t.Fatalf("placement %d: %b, by the definition %b", how, got, want)
				}
			}
		}
	})
}

// A large component with many sets is placed and copied in a time that is linear in its edges:
// by the square of its states, this takes an hour.
func TestLargeComponentWithManySets(t *testing.T) {
	const states, sets = 20_000, 60
	b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(sets))
	b.AddStates(states)
	b.AddInitial(0)
	for s := range states {
		for k, to := range []int{s + 1, 7*s + 3, 11*s + 5, 13*s + 1} {
			marks := automata.NewMarks(sets, (s+k)%sets)
			b.AddEdge(automata.State(s), automata.Label{automata.NewCube(1)}, marks, automata.State(to%states))
		}
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	r, err := marked.NewReducible(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	if err := degeneralize(r, t.Context(), levels{}); err != nil {
		t.Fatal(err)
	}
	if len(r.Out) < states || len(r.Out) > states*(sets+1) {
		t.Errorf("%d states of %d", len(r.Out), states)
	}
}

// The search for copies ends with its context: nothing after it asks.
func TestCopiesEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := marked.NewReducible(t.Context(), automatatest.Random(automatatest.RandomSettings{
		States: 500, Propositions: []string{"a"}, Density: 0.5, LiteralProbability: 0.5, Sets: 3, MarkProbability: 0.3,
	}, 1))
	if err != nil {
		t.Fatal(err)
	}
	if err := degeneralize(r, ctx, levels{}); err == nil {
		t.Error("the context had ended, and no error")
	}
}

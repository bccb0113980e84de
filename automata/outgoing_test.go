package automata

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata/internal/effort"
)

// TestDeterminismOfLargeLabels: two labels of thousands of cubes that never meet are compared
// cube by cube only as long as there is work or time left.
func TestDeterminismOfLargeLabels(t *testing.T) {
	const propositions, cubes = 15, 1 << 14
	names := make([]string, propositions)
	for i := range names {
		names[i] = string(rune('a' + i))
	}
	b := NewBuilder(names, GeneralizedBuchi(0))
	b.AddStates(1)
	b.AddInitial(0)
	for _, value := range []bool{false, true} {
		var label Label
		for n := range cubes {
			c := NewCube(propositions).With(0, value)
			for p := 1; p < propositions; p++ {
				c = c.With(p, n>>(p-1)&1 == 1)
			}
			label = append(label, c)
		}
		b.AddEdge(0, label, NewMarks(0), 0)
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if is, err := IsDeterministic(t.Context(), a); !is || err != nil {
		t.Errorf("not deterministic, though the labels never meet: %v", err)
	}
	little := &Outgoing{a: a, bound: effort.New(t.Context(), 4*cubes)}
	if is, err := little.Deterministic(0, nil); is || err != effort.ErrSpent {
		t.Errorf("deterministic, though not all cubes were looked at: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if is, err := IsDeterministic(ended, a); is || err == nil {
		t.Error("deterministic, though the context had ended")
	}
	if is, err := NewOutgoing(t.Context(), a).Deterministic(0, func(e Edge) bool { return e == 1 }); !is || err != nil {
		t.Errorf("one edge is not deterministic: %v", err)
	}
	if is, err := NewOutgoing(t.Context(), a).Complete(0, func(e Edge) bool { return e == 1 }); is || err != nil {
		t.Errorf("one edge is complete: %v", err)
	}
	if is, err := IsComplete(t.Context(), a); !is || err != nil {
		t.Errorf("not complete, though every valuation has an edge: %v", err)
	}
}

// matchingEdges returns the smallest and largest number of edges that a valuation matches in
// any state, found by trying all.
func matchingEdges(a *Automaton) (least, most int) {
	least = a.Edges()
	for s := range State(a.States()) {
		for v := range uint64(1) << len(a.Propositions) {
			n := 0
			for e, end := a.Out(s); e < end; e++ {
				if a.Matches(e, Valuation{v}) {
					n++
				}
			}
			least, most = min(least, n), max(most, n)
		}
	}
	return least, most
}

// partition draws a state's edges such that the cubes of an initial split are
// distributed over them, now and then with one left out or doubled, so that all
// four combinations of deterministic and complete come up.
func partition(t *rapid.T, b *Builder, s State, propositions int) {
	cubes := Label{NewCube(propositions)}
	for range rapid.IntRange(0, 80).Draw(t, "splits") {
		i := rapid.IntRange(0, len(cubes)-1).Draw(t, "cube")
		p := rapid.IntRange(0, propositions-1).Draw(t, "proposition")
		if occurs, _ := cubes[i].Literal(p); !occurs {
			cubes = append(cubes, cubes[i].With(p, true))
			cubes[i] = cubes[i].With(p, false)
		}
	}
	switch rapid.IntRange(0, 3).Draw(t, "flaw") {
	case 0:
		cubes = cubes[1:]
	case 1:
		cubes = append(cubes, cubes[rapid.IntRange(0, len(cubes)-1).Draw(t, "doubled")])
	}
	for len(cubes) > 0 {
		n := rapid.IntRange(1, min(3, len(cubes))).Draw(t, "of an edge")
		b.AddEdge(s, cubes[:n], NewMarks(0), 0)
		cubes = cubes[n:]
	}
}

func TestDeterminismAndCompletenessAgainstCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		propositions := rapid.IntRange(1, 8).Draw(t, "propositions")
		b := NewBuilder(make([]string, propositions), GeneralizedBuchi(0))
		b.AddStates(2)
		b.AddInitial(0)
		partition(t, b, 0, propositions)
		partition(t, b, 1, propositions)
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		least, most := matchingEdges(a)
		if got, err := IsDeterministic(t.Context(), a); err != nil || got != (most <= 1) {
			t.Fatalf("deterministic: %t, %v, but up to %d edges match", got, err, most)
		}
		if got, err := IsComplete(t.Context(), a); err != nil || got != (least >= 1) {
			t.Fatalf("complete: %t, %v, but as few as %d edges match", got, err, least)
		}
	})
}

// TestCompleteWithManyPropositions has edges whose cubes are too long to add up
// their shares.
func TestCompleteWithManyPropositions(t *testing.T) {
	const n = 100
	for _, whole := range []bool{true, false} {
		b := NewBuilder(make([]string, n), GeneralizedBuchi(0))
		b.AddStates(1)
		b.AddInitial(0)
		all := NewCube(n)
		for p := range n { // p is the first that is false
			b.AddEdge(0, Label{all.With(p, false)}, NewMarks(0), 0)
			all = all.With(p, true)
		}
		if whole {
			b.AddEdge(0, Label{all}, NewMarks(0), 0)
		}
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := IsComplete(t.Context(), a); err != nil || got != whole {
			t.Errorf("complete: %t, %v, want %t", got, err, whole)
		}
		if got, err := IsDeterministic(t.Context(), a); err != nil || !got {
			t.Errorf("deterministic: %t, %v", got, err)
		}
	}
}

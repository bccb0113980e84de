package hoa

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
)

// count is the smallest and largest number of edges that a valuation matches in
// any state, found by trying all.
func count(a *automata.Automaton) (least, most int) {
	least = a.Edges()
	for s := range automata.State(a.States()) {
		for v := range uint64(1) << len(a.Propositions) {
			n := 0
			for e, end := a.Out(s); e < end; e++ {
				if a.Matches(e, automata.Valuation{v}) {
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
func partition(t *rapid.T, b *automata.Builder, s automata.State, propositions int) {
	cubes := automata.Label{automata.NewCube(propositions)}
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
		b.AddEdge(s, cubes[:n], automata.NewMarks(0), 0)
		cubes = cubes[n:]
	}
}

func TestDeterminismAndCompletenessAgainstCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		propositions := rapid.IntRange(1, 8).Draw(t, "propositions")
		b := automata.NewBuilder(make([]string, propositions), automata.GeneralizedBuchi(0))
		b.AddStates(2)
		b.AddInitial(0)
		partition(t, b, 0, propositions)
		partition(t, b, 1, propositions)
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		least, most := count(a)
		if got, err := deterministic(a); err != nil || got != (most <= 1) {
			t.Fatalf("deterministic: %t, %v, but up to %d edges match", got, err, most)
		}
		if got, err := complete(a); err != nil || got != (least >= 1) {
			t.Fatalf("complete: %t, %v, but as few as %d edges match", got, err, least)
		}
	})
}

// TestCompleteWithManyPropositions has edges whose cubes are too long to add up
// their shares.
func TestCompleteWithManyPropositions(t *testing.T) {
	const n = 100
	for _, whole := range []bool{true, false} {
		b := automata.NewBuilder(make([]string, n), automata.GeneralizedBuchi(0))
		b.AddStates(1)
		b.AddInitial(0)
		all := automata.NewCube(n)
		for p := range n { // p is the first that is false
			b.AddEdge(0, automata.Label{all.With(p, false)}, automata.NewMarks(0), 0)
			all = all.With(p, true)
		}
		if whole {
			b.AddEdge(0, automata.Label{all}, automata.NewMarks(0), 0)
		}
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := complete(a); err != nil || got != whole {
			t.Errorf("complete: %t, %v, want %t", got, err, whole)
		}
		if got, err := deterministic(a); err != nil || !got {
			t.Errorf("deterministic: %t, %v", got, err)
		}
	}
}

// TestUncheckedPropertyIsAWarning claims what would take too large a decision
// diagram to check.
func TestUncheckedPropertyIsAWarning(t *testing.T) {
	var text strings.Builder
	text.WriteString("HOA: v1 Start: 0 Acceptance: 0 t properties: complete AP: 100")
	for i := range 100 {
		fmt.Fprintf(&text, " \"%d\"", i)
	}
	text.WriteString("\n--BODY-- State: 0\n")
	for i := range 50 {
		fmt.Fprintf(&text, "[%d & %d] 0 [!%d & !%d] 0\n", i, i+50, i, i+50)
	}
	text.WriteString("--END--")
	r := NewReader(strings.NewReader(text.String()), "")
	a, err := r.Read()
	if err != nil || a.Claims != 0 || len(r.Warnings()) != 1 {
		t.Fatal(err, r.Warnings())
	}
	if want := "1:46: property complete was not checked, and is dropped: the Boolean function is too large"; r.Warnings()[0].Error() != want {
		t.Errorf("got %v", r.Warnings()[0])
	}
}

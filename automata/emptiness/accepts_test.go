package emptiness

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/internal/account"
	"pnmc/internal/automatatest"
)

// TestAcceptsAsByDefinition: of random automata, testing ones among them, and words that lack some of
// their propositions and have others.
func TestAcceptsAsByDefinition(t *testing.T) {
	count := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		a := automatatest.SmallAutomaton(t)
		a.Kind = rapid.SampledFrom([]automata.Kind{automata.Plain, automata.TGTA}).Draw(t, "kind")
		l := automatatest.SmallWord(t, a)
		want := automatatest.Accepts(t, a, l)
		for _, word := range []automata.Lasso{l, *l.Over([]string{"another"})} {
			got, err := Accepts(a, word, Options{})
			if err != nil || got != want {
				t.Fatalf("%v, %v, by definition %v", got, err, want)
			}
		}
		count[want]++
	})
	if !testing.Short() && (count[true] < 5 || count[false] < 5) {
		t.Errorf("accepted and not: %v", count)
	}
	if _, err := Accepts(automatatest.UniversalAutomaton(), automata.Lasso{}, Options{}); !errors.Is(err, errNoCycle) {
		t.Errorf("without a cycle: %v", err)
	}
}

// TestAcceptsOfLargeAutomata: what is held follows from the pairs of a state and a letter, not from the
// edges between them, and the account may end it.
func TestAcceptsOfLargeAutomata(t *testing.T) {
	const states, sets, length = 5_000, 26, 40
	r := rand.New(rand.NewPCG(1, 2))
	b := automata.NewBuilder(nil, automata.GeneralizedBuchi(sets))
	b.AddStates(states)
	b.AddInitial(0)
	for s := range automata.State(states) {
		b.AddEdge(s, automata.Label{automata.NewCube(0)}, automata.NewMarks(sets), (s+1)%states)
		for range 8 {
			b.AddEdge(s, automata.Label{automata.NewCube(0)}, automata.NewMarks(sets, r.IntN(sets-1)), automata.State(r.IntN(states)))
		}
	}
	a, err := b.Build() // no edge is in the last set
	if err != nil {
		t.Fatal(err)
	}
	word := automata.Lasso{Cycle: make([]automata.Valuation, length)}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	accepted, err := Accepts(a, word, Options{})
	runtime.ReadMemStats(&after)
	if err != nil || accepted {
		t.Errorf("%v, %v", accepted, err)
	}
	if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 64 {
		t.Errorf("%d MB were allocated", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Accepts(a, word, Options{Context: ctx}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	full := account.New(account.Budget{MemoryBytes: 1 << 20})
	full.Begin(t.Context())
	if _, err := Accepts(a, word, Options{Account: full}); !errors.As(err, new(*account.MemoryError)) {
		t.Errorf("without memory: %v", err)
	}
}

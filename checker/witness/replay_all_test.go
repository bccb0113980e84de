package witness

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"pnmc/automata"
	"pnmc/automata/automatatest"
	"pnmc/hoa"
)

// TestAcceptsAllByTurns: sets that come on different edges, one after the other, and some
// edges that are in none.
func TestAcceptsAllByTurns(t *testing.T) {
	for text, expected := range map[string]bool{
		`HOA: v1 States: 4 Start: 0 AP: 0 Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 3 State: 1 [t] 0
		 State: 2 [t] 0 {0} [t] 2 State: 3 [t] 2 {0} [t] 2 --END--`: true,
		`HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 2 Inf(0)&Inf(1) --BODY-- State: 0 [0] 1 {0} [!0] 1 {0}
		 State: 1 [t] 0 {1} --END--`: true,
		`HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 2 Inf(0)&Inf(1) --BODY-- State: 0 [0] 0 {0} [!0] 0 {1} --END--`: false,
		`HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 1 {0} State: 1 [t] 0 --END--`:    false,
	} {
		a, err := hoa.NewReader(strings.NewReader(text), "text").Read()
		if err != nil {
			t.Fatal(err)
		}
		if found := acceptsAll(context.Background(), a, 0); found != expected {
			t.Errorf("%v, expected %v:\n%s", found, expected, text)
		}
	}
}

// TestAcceptsAllIsRight: a state that is said to accept every word accepts random ones.
func TestAcceptsAllIsRight(t *testing.T) {
	all := 0
	for seed := range uint64(3000) {
		a := automatatest.RandomBuchi(seed)
		if len(a.Initial()) == 0 || !acceptsAll(context.Background(), a, a.Initial()[0]) {
			continue
		}
		all++
		r := rand.New(rand.NewPCG(seed, 1))
		letters := func(n int) (list []automata.Valuation) {
			for range n {
				list = append(list, automata.Valuation{r.Uint64N(1 << len(a.Propositions))})
			}
			return list
		}
		for range 20 {
			word := automata.Lasso{Propositions: a.Propositions, Prefix: letters(r.IntN(4)), Cycle: letters(1 + r.IntN(4))}
			if accepted, err := automata.Accepts(a, word); err != nil || !accepted {
				t.Fatalf("seed %d: %s is not accepted, %v", seed, word, err)
			}
		}
	}
	if all < 20 {
		t.Errorf("%d automata accept all words", all)
	}
}

package witness

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pnmc/automata"
	"pnmc/hoa"
	"pnmc/internal/account"
	"pnmc/internal/automatatest"
	"pnmc/internal/petritest"
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
		if found, err := acceptsAll(new(account.Account), a, 0); found != expected || err != nil {
			t.Errorf("%v, %v, expected %v:\n%s", found, err, expected, text)
		}
	}
}

// TestAcceptsAllIsRight: a state that is said to accept every word accepts random ones.
func TestAcceptsAllIsRight(t *testing.T) {
	all := 0
	for seed := range uint64(3000) {
		a := automatatest.RandomBuchi(seed)
		if len(a.Initial()) == 0 {
			continue
		}
		if accepts, err := acceptsAll(new(account.Account), a, a.Initial()[0]); err != nil {
			t.Fatal(err)
		} else if !accepts {
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

// TestReplayEndsWithItsAccount: a long run is replayed until the account ends it, which says nothing of
// the run.
func TestReplayEndsWithItsAccount(t *testing.T) {
	net := petritest.Counter()
	a := automata.EveryWord()
	c := &Counterexample{Cycle: slices.Repeat([]Step{{}}, 1<<16)}
	if err := Replay(net, a, nil, c); err != nil {
		t.Fatal(err)
	}
	for looks := range 3 {
		work := new(account.Account)
		work.Begin(account.EndsAfter(looks))
		if err := ReplayWithin(work, net, a, nil, c); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after %d looks: %v", looks, err)
		}
	}
}

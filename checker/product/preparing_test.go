package product_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"testing"

	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/hoa"
	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// manyPairs returns an automaton whose condition is a choice of so many pairs, each of which makes
// a copy of it where a Büchi automaton is needed.
func manyPairs(t *testing.T, pairs int) properties.Property {
	const states = 60
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	fmt.Fprintf(&b, "HOA: v1\nStates: %d\nStart: 0\nAP: 1 \"a\"\nAcceptance: %d ", states, 2*pairs)
	for i := range pairs {
		if i > 0 {
			b.WriteString(" | ")
		}
		fmt.Fprintf(&b, "(Fin(%d) & Inf(%d))", 2*i, 2*i+1)
	}
	b.WriteString("\n--BODY--\n")
	for s := range states {
		fmt.Fprintf(&b, "State: %d\n", s)
		for _, label := range []string{"0", "!0"} {
			for range 10 {
				fmt.Fprintf(&b, "[%s] %d {%d %d}\n", label, rng.IntN(states), rng.IntN(2*pairs), rng.IntN(2*pairs))
			}
		}
	}
	b.WriteString("--END--\n")
	a, err := hoa.NewReader(strings.NewReader(b.String()), "f").Read()
	if err != nil {
		t.Fatal(err)
	}
	return properties.Property{Automaton: a, Predicates: []*logic.Predicate{{Operator: logic.True}}}
}

// TestPreparingHasTheBudgetOfTheCheck: what is made of an automaton before the search is
// given up where it comes to the memory that the check may take.
func TestPreparingHasTheBudgetOfTheCheck(t *testing.T) {
	property := manyPairs(t, 60)
	for _, approach := range []product.Approach{product.ByTA, product.ByTGTA, product.ByBA} {
		debug.FreeOSMemory() // or garbage would count as room
		before := account.InUse()
		k := petri.NewKripke(petritest.Philosophers(2), petri.Facts{}, petri.Budget{MemoryBytes: before + 8<<20})
		r, err := product.CheckBy(context.Background(), k, property, product.Settings{Approach: approach, Built: true, Distrust: true})
		if err != nil || r.Verdict != properties.Unknown || !r.MemoryFull {
			t.Errorf("%v: %v, %q, %v, want memory to be full", approach, r.Verdict, r.Reason, err)
		}
	}
}

package atoms

import (
	"context"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/core/coretest"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// TestWithoutDead: on nets without transitions that never fire, whose goals are asked together and alone, the state
// equation and the state graph find what the naive exploration of the net as it is finds. Runs replay, as the ledger sees to.
func TestWithoutDead(t *testing.T) {
	smaller, alone, unreachable, reached, bounds := 0, 0, 0, 0, 0
	if !petritest.CheckManyUntil(t, 3000, func() bool {
		return smaller > 100 && alone > 20 && unreachable > 100 && reached > 100 && bounds > 100
	}, func(rt *rapid.T) {
		net, g := checkertest.AnyNet(rt)
		if net.Places() == 0 {
			return
		}
		r, record := coretest.NewTask(t, net, 8, time.Minute)
		r.Family = inquiry.ReachabilityFamily
		together := rapid.Bool().Draw(rt, "together")
		for i := range rapid.IntRange(1, 3).Draw(rt, "atoms") {
			atom := &ledger.Atom{Goal: checkertest.Goal(rt, net, 2)}
			if rapid.IntRange(0, 3).Draw(rt, "maximum") == 0 {
				sum := logic.Sum{Terms: []logic.Term{{Place: rapid.Uint32Range(0, uint32(net.Places()-1)).Draw(rt, "place"), Coefficient: 1}}}
				atom = &ledger.Atom{Maximum: &sum}
			}
			r.Ledger.Ask(&ledger.Question{Number: i, OnReached: inquiry.Truth(true), OnUnreachable: inquiry.Truth(false)}, atom)
		}
		engines := []core.Engine{OneByOne}
		if together {
			engines = []core.Engine{Equation, Graph}
		}
		for _, engine := range engines {
			if err := engine(t.Context(), r); err != nil {
				rt.Fatal(err)
			}
		}
		left := strings.Contains(record.Explained(), "never fire")
		if left && together {
			smaller++
			if by := r.ReducedForAll(t.Context()).By(0); by != inquiry.LinearProgram|inquiry.StructuralReduction {
				rt.Fatalf("what is found on the smaller net rests on %v", by)
			}
		} else if left {
			alone++
		}
		for i, a := range r.Ledger.Atoms {
			if a.Maximum != nil {
				most := int64(0)
				for _, m := range g.Markings {
					most = max(most, m[a.Maximum.Terms[0].Place])
				}
				if value := record.Value(i); value != inquiry.Number(most) {
					rt.Fatalf("at most %d tokens, not %v", most, value)
				}
				bounds++
				continue
			}
			holds := false
			for _, m := range g.Markings {
				holds = holds || witness.Satisfies(net, m, a.Goal)
			}
			if value := record.Value(i); value != inquiry.Truth(holds) {
				rt.Fatalf("%+v is reached: %t, not %v", a.Goal, holds, value)
			}
			if holds {
				reached++
			} else {
				unreachable++
			}
		}
	}) {
		t.Errorf("%d nets for all were smaller, %d for one; %d goals unreachable, %d reached, %d bounds", smaller, alone, unreachable, reached, bounds)
	}
}

// TestUnfired: what short runs leave are all transitions that never fire, and maybe others.
func TestUnfired(t *testing.T) {
	left := 0
	petritest.CheckMany(t, 500, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		is := make([]bool, net.Transitions())
		for _, u := range unfired(context.Background(), net, rapid.Uint64().Draw(t, "seed")) {
			is[u] = true
			left++
		}
		for u := range petri.Transition(net.Transitions()) {
			fires := false
			for _, m := range g.Markings {
				fires = fires || net.Enabled(m, u)
			}
			if !fires && !is[u] {
				t.Fatalf("%d fires on no run", u)
			}
		}
	})
	if left == 0 {
		t.Error("no transition was left")
	}
}

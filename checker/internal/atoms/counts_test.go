package atoms

import (
	"context"
	"fmt"
	"testing"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core/coretest"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/petri"
)

// sparing returns a net with n units of fuel and n places, each of which gets a token from two units at
// once, or in two steps from one. Between the steps a token waits beside the place.
func sparing(t *testing.T, n int) (*petri.Net, *logic.Predicate) {
	b := &petri.Builder{}
	fuel, err := b.AddPlace("fuel", "", int64(n))
	if err != nil {
		t.Fatal(err)
	}
	goal := &logic.Predicate{Operator: logic.And}
	for i := range n {
		half, _ := b.AddPlace(fmt.Sprint("half", i), "", 0)
		made, _ := b.AddPlace(fmt.Sprint("made", i), "", 0)
		quick, _ := b.AddTransition(fmt.Sprint("quick", i), "")
		begin, _ := b.AddTransition(fmt.Sprint("begin", i), "")
		end, _ := b.AddTransition(fmt.Sprint("end", i), "")
		if b.AddInput(fuel, quick, 2) != nil || b.AddOutput(quick, made, 1) != nil || b.AddInput(fuel, begin, 1) != nil ||
			b.AddOutput(begin, half, 1) != nil || b.AddInput(half, end, 1) != nil || b.AddOutput(end, made, 1) != nil {
			t.Fatal("arc refused")
		}
		// That half is empty has the place stay where the net is reduced.
		for _, term := range []logic.Sum{{Constant: 1, Terms: []logic.Term{{Place: uint32(made), Coefficient: -1}}}, {Terms: []logic.Term{{Place: uint32(half), Coefficient: 1}}}} {
			goal.Operands = append(goal.Operands, &logic.Predicate{Operator: logic.AtMost, Sum: term})
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net, goal
}

// TestWalksAlongCounts: the state equation leaves walks the counts by which they make all from scarce
// fuel, on the net reduced for all as on one reduced for the goal alone. Without either technique it leaves
// none, and walks ask for none.
func TestWalksAlongCounts(t *testing.T) {
	net, goal := sparing(t, 40)
	for _, without := range []inquiry.Techniques{0, inquiry.RandomWalk, inquiry.LinearProgram} {
		for _, alone := range []bool{false, true} {
			r, record := coretest.NewTask(t, net, 1, time.Minute)
			r.Shared.Without = without
			r.Ledger.Ask(&ledger.Question{OnReached: inquiry.Truth(true)}, &ledger.Atom{Goal: goal})
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			n := r.ReducedForAll(ctx)
			if without != 0 {
				if err := Equation(ctx, r); err != nil {
					t.Fatal(err)
				}
				if left := len(n.Solution(0, 0)) > 0; left != (without == inquiry.LinearProgram) { // the plan doesn't ask it then
					t.Errorf("without %v: the state equation leaves counts: %t", without, left)
				}
				w, err := NewWalk(ctx, r, n, 1)
				if err != nil {
					t.Fatal(err)
				}
				if asks := w.Counts != nil; asks != (without == inquiry.RandomWalk) {
					t.Errorf("without %v: walks ask for counts: %t", without, asks)
				}
				continue
			}
			walks := WalksOneByOne
			if !alone {
				if err := Equation(ctx, r); err != nil {
					t.Fatal(err)
				}
				walks = Walks
			}
			if err := walks(ctx, r); err != nil {
				t.Fatal(err)
			}
			got := record.Answer(0)
			m, err := witness.ReplayRun(net, got.Witness.Run)
			if !got.Value.IsTrue() || err != nil || !witness.Satisfies(net, m, goal) {
				t.Errorf("alone %t: answer %v, its run leads to %v, %v", alone, got.Value, m, err)
			}
			if both := inquiry.RandomWalk | inquiry.LinearProgram; got.By&both != both {
				t.Errorf("alone %t: answered by %v", alone, got.By)
			}
		}
	}
}

// TestManyGoalsLeaveNoCounts: of very many goals the state equation leaves no solutions.
func TestManyGoalsLeaveNoCounts(t *testing.T) {
	for _, goals := range []int{fewGoals, fewGoals + 1} {
		net := chain(t, int64(goals))
		r, _ := coretest.NewTask(t, net, goals, time.Minute)
		for i := range goals {
			goal := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: int64(i + 1), Terms: []logic.Term{{Place: 1, Coefficient: -1}}}}
			r.Ledger.Ask(&ledger.Question{Number: i, OnReached: inquiry.Truth(true)}, &ledger.Atom{Goal: goal})
		}
		n := r.ReducedForAll(t.Context())
		if err := Equation(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		for i := range n.Goals {
			if left := len(n.Solution(i, 0)) > 0; left != (goals == fewGoals) {
				t.Errorf("%d goals: counts are left for goal %d: %t", goals, i, left)
			}
		}
	}
}

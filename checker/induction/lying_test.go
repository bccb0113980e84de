//go:build unix

package induction

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/checker/internal/checkertest"
	"pnmc/checker/stateequation"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/internal/smtlib"
	"pnmc/internal/smtlib/smtlibtest"
	"pnmc/petri"
)

func init() { smtlibtest.Main() }

// TestLyingSolver asks a solver that answers at random: whatever comes out is right, though runs and
// invariants do come out.
func TestLyingSolver(t *testing.T) {
	counts := map[string]int{}
	if !petritest.CheckUntil(t, func() bool {
		return counts["reached"] > 0 && counts["unreachable"] > 0 && counts["refused"] > 0 && counts["wrong"] > 0
	}, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		if net.Places() == 0 || net.Transitions() == 0 {
			t.Skip("not a net for this test")
		}
		goal := drawGoal(t, net)
		reachable := slices.ContainsFunc(g.Markings, func(m petri.Marking) bool { return witness.Satisfies(net, m, goal) })
		seed := rapid.IntRange(0, 1000).Draw(t, "seed")
		solver, err := smtlib.ParseCommand(smtlibtest.Command(smtlibtest.Random, strconv.Itoa(seed)))
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(context.Background(), net, Known{Equation: stateequation.New(context.Background(), net)}, goal, solver, 0)
		if errors.Is(err, ErrNotLinear) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		for name, search := range ways {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			outcome, err := search(s, ctx)
			cancel()
			switch {
			case errors.Is(err, ErrNotCertified):
				counts["refused"]++
			case errors.Is(err, ErrWrong):
				counts["wrong"]++
			case err != nil:
			case outcome.Reached != reachable || outcome.Unreachable == reachable:
				t.Fatalf("%s: %+v, but reachable is %t", name, outcome, reachable)
			case reachable:
				m, err := witness.ReplayRun(net, outcome.Run)
				if err != nil || !witness.Satisfies(net, m, goal) {
					t.Fatalf("%s: a run to %v, %v", name, m, err)
				}
				counts["reached"]++
			default:
				counts["unreachable"]++
			}
		}
	}) {
		t.Errorf("a lying solver was not tried in all ways: %v", counts)
	}
}

// TestBadSolvers asks solvers that do not even answer: each search ends with an error, by itself or with its
// context, and gives no outcome.
func TestBadSolvers(t *testing.T) {
	net := petritest.Philosophers(3)
	goal := atLeast(net, map[string]int64{"left0": 1, "left1": 1, "left2": 1}, 3)
	for _, way := range smtlibtest.Ways {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			solver, err := smtlib.ParseCommand(smtlibtest.Command(way))
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
			defer cancel()
			s, err := New(ctx, net, Known{Equation: stateequation.New(context.Background(), net)}, goal, solver, 0)
			if err != nil {
				t.Fatal(err)
			}
			for name, search := range ways {
				if outcome, err := search(s, ctx); err == nil || outcome.Reached || outcome.Unreachable {
					t.Errorf("%s: %+v, %v", name, outcome, err)
				}
			}
		})
	}
}

package induction

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/checker/internal/checkertest"
	"pnmc/checker/stateequation"
	"pnmc/checker/witness"
	"pnmc/internal/smtlib"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// installed returns the solvers that are on the PATH. The test is skipped where there is none.
func installed(t *testing.T) []*smtlib.Command {
	t.Helper()
	var list []*smtlib.Command
	for _, name := range []string{"z3", "cvc5", "yices-smt2"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Logf("%s is not installed", name)
			continue
		}
		c, err := smtlib.ParseCommand(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		t.Skip("none of z3, cvc5 and yices-smt2 is installed")
	}
	return list
}

// drawGoal draws a goal of one to three predicates.
func drawGoal(t *rapid.T, net *petri.Net) *logic.Predicate {
	goal := checkertest.Predicate(t, net)
	for range rapid.IntRange(0, 2).Draw(t, "more") {
		operator := rapid.SampledFrom([]logic.Operator{logic.And, logic.And, logic.Or, logic.Equivalent}).Draw(t, "operator")
		goal = &logic.Predicate{Operator: operator, Operands: []*logic.Predicate{goal, checkertest.Predicate(t, net)}}
	}
	return goal
}

// ways are the two kinds of search.
var ways = map[string]func(*Search, context.Context) (Outcome, error){"directed": (*Search).Directed, "unrolled": (*Search).Unrolled}

// TestTwin compares outcomes on random nets with all their markings. Runs lead to the goal, and invariants
// have no reachable marking in a cube. With a real solver, property-directed reachability decides nearly
// all, and nothing is wrong with models.
func TestTwin(t *testing.T) {
	for _, solver := range installed(t) {
		t.Run(solver.String(), func(t *testing.T) {
			counts := map[string]int{}
			rapid.Check(t, func(t *rapid.T) {
				net, g := checkertest.AnyNet(t)
				if net.Places() == 0 || net.Transitions() == 0 {
					t.Skip("not a net for this test")
				}
				goal := drawGoal(t, net)
				reachable := slices.ContainsFunc(g.Markings, func(m petri.Marking) bool { return witness.Satisfies(net, m, goal) })
				s, err := New(context.Background(), net, Known{Equation: stateequation.New(context.Background(), net), Semiflows: invariant.Semiflows(context.Background(), net, 1_000_000)}, goal, solver, 0)
				if errors.Is(err, ErrNotLinear) {
					return
				} else if err != nil {
					t.Fatal(err)
				}
				for name, search := range ways {
					limit := 2 * time.Second
					if name == "unrolled" {
						limit = 200 * time.Millisecond
					}
					ctx, cancel := context.WithTimeout(context.Background(), limit)
					outcome, err := search(s, ctx)
					late := ctx.Err() != nil
					cancel()
					switch {
					case err != nil && (late || errors.Is(err, ErrLarge) || errors.Is(err, ErrUnknown) || errors.Is(err, ErrNotCertified)):
						counts[name+" open: "+err.Error()]++
					case err != nil: // a wrong model, or a question that is no SMT-LIB
						t.Fatalf("%s: %v", name, err)
					case outcome.Reached != reachable || outcome.Unreachable == reachable:
						t.Fatalf("%s: %+v, but reachable is %t", name, outcome, reachable)
					case reachable:
						m, err := witness.ReplayRun(net, outcome.Run)
						if err != nil || !witness.Satisfies(net, m, goal) {
							t.Fatalf("%s: a run to %v, %v", name, m, err)
						}
						counts[name+" reached"]++
					default:
						for _, c := range outcome.Invariant {
							if slices.ContainsFunc(g.Markings, c.Contains) {
								t.Fatalf("%s: a reachable marking is in cube %v", name, c)
							}
						}
						counts[name+" unreachable"]++
					}
				}
			})
			t.Log(counts)
		})
	}
}

//go:build unix

package induction

import (
	"context"
	"flag"
	"path/filepath"
	"testing"
	"time"

	"pnmc/checker/stateequation"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/internal/smtlib"
	"pnmc/internal/smtlib/smtlibtest"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

var update = flag.Bool("update", false, "record what z3 says in testdata anew")

// locked returns a net in which two transitions wait for each other: t makes y of x where there is a c, and
// u makes c where there is a y. By the state equation alone, t might fire.
func locked(t *testing.T) *petri.Net {
	t.Helper()
	var b petri.Builder
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	place := func(name string, tokens int64) petri.Place {
		p, err := b.AddPlace(name, "", tokens)
		must(err)
		return p
	}
	x, y, c := place("x", 1), place("y", 0), place("c", 0)
	first, err := b.AddTransition("t", "")
	must(err)
	second, err := b.AddTransition("u", "")
	must(err)
	must(b.AddInput(x, first, 1))
	must(b.AddRead(c, first, 1))
	must(b.AddOutput(first, y, 1))
	must(b.AddRead(y, second, 1))
	must(b.AddOutput(second, c, 1))
	net, err := b.Build()
	must(err)
	return net
}

// TestTranscripts searches with what z3 once said, so that the questions are seen to be the same without a
// solver. The state equation alone decides none of these.
func TestTranscripts(t *testing.T) {
	left := map[string]int64{"left0": 1, "left1": 1, "left2": 1}
	for _, c := range []struct {
		name    string
		net     *petri.Net
		goal    func(*petri.Net) *logic.Predicate
		reached bool
	}{
		{"locked", locked(t), func(n *petri.Net) *logic.Predicate { return atLeast(n, map[string]int64{"y": 1}, 1) }, false},
		{"philosophers", petritest.Philosophers(3), func(n *petri.Net) *logic.Predicate { return atLeast(n, left, 3) }, true},
	} {
		for way, search := range ways {
			t.Run(c.name+"-"+way, func(t *testing.T) {
				file, err := filepath.Abs(filepath.Join("testdata", c.name+"-"+way+".txt"))
				if err != nil {
					t.Fatal(err)
				}
				line := smtlibtest.Command(smtlibtest.Repeating, file)
				if *update {
					line = smtlibtest.Command(smtlibtest.Recording, file, "z3", "-in")
				}
				solver, err := smtlib.ParseCommand(line)
				if err != nil {
					t.Fatal(err)
				}
				goal, equation := c.goal(c.net), stateequation.New(c.net)
				if equation.Contradicts(context.Background(), goal) {
					t.Fatal("the state equation alone excludes the goal")
				}
				s, err := New(context.Background(), c.net, Known{Equation: equation, Semiflows: invariant.Semiflows(context.Background(), c.net, 1_000_000)}, goal, solver, 0)
				if err != nil {
					t.Fatal(err)
				}
				s.patience = time.Hour
				outcome, err := search(s, context.Background())
				if err != nil || outcome.Reached != c.reached || outcome.Unreachable == c.reached {
					t.Fatalf("%+v, %v", outcome, err)
				}
				if m, err := witness.ReplayRun(c.net, outcome.Run); c.reached && (err != nil || !s.holds(goal, m)) {
					t.Errorf("the run leads to %v, %v", m, err)
				}
			})
		}
	}
}

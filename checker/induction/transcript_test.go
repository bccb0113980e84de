//go:build unix

package induction

import (
	"context"
	"flag"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pnmc/checker/stateequation"
	"pnmc/checker/witness"
	"pnmc/exchange"
	"pnmc/internal/petritest"
	"pnmc/internal/smtlib"
	"pnmc/internal/smtlib/smtlibtest"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

var update = flag.Bool("update", false, "record what z3 says in testdata anew")

// In locked two transitions wait for each other: t makes y of x where there is a c, and u makes c where there
// is a y. By the state equation alone, t might fire.
const locked = `net locked
tr t x c?1 -> y
tr u y?1 -> c
pl x (1)
`

// In phases the first place gets tokens early, and the second one late, without end. That both phases never
// meet the state equation knows, and not that the second place is empty in the first.
const phases = `net phases
tr switch early -> late
tr collect early?1 -> first
tr spend late?1 first -> second*2
tr waste second ->
pl early (1)
`

// net reads a net as Tina has it.
func net(t *testing.T, text string) *petri.Net {
	t.Helper()
	n, err := exchange.ReadTina(strings.NewReader(text), "net.net", nil)
	if err != nil {
		t.Fatal(err)
	}
	return n
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
		{"locked", net(t, locked), func(n *petri.Net) *logic.Predicate { return atLeast(n, map[string]int64{"y": 1}, 1) }, false},
		{"phases", net(t, phases), func(n *petri.Net) *logic.Predicate {
			return both(atLeast(n, map[string]int64{"early": 1}, 1), atLeast(n, map[string]int64{"second": 1}, 1))
		}, false},
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
				goal, equation := c.goal(c.net), stateequation.New(context.Background(), c.net)
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

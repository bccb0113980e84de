package checker_test

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/checker"
	"pnmc/checker/internal/checkertest"
	"pnmc/exchange"
	"pnmc/internal/petritest"
	"pnmc/internal/smtlib/smtlibtest"
	"pnmc/logic"
)

func init() { smtlibtest.Main() }

// withSolver lets a portfolio of a solver and the state equation answer a question about a random net. It
// returns the answer, which is right or unknown.
func withSolver(t *rapid.T, solver string, warn func(string)) (a checker.Answer) {
	net, g := checkertest.AnyNet(t)
	if len(g.Markings) > checkertest.MostMarkings || net.Places() == 0 || net.Transitions() == 0 {
		t.Skip("not a net for this test")
	}
	kind := rapid.SampledFrom([]string{"reachable", "invariant"}).Draw(t, "kind")
	q, same := drawQuestion(t, net, kind)
	without := checker.ExplicitSearch | checker.DecisionDiagrams | checker.RandomWalk
	if rapid.Bool().Draw(t, "as it is") {
		without |= checker.StructuralReduction | checker.QueryReduction | checker.Topological
	}
	var e explained
	s, err := checker.New(checker.Problem{Net: net}, checker.Options{
		Explain: e.say, MemoryBytes: testMemory, Without: without, SMTSolver: solver, Warn: warn, Threads: rapid.SampledFrom([]int{0, 1, 2, 8, 64}).Draw(t, "threads"),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	a = decideAll(t, ctx, s, []checker.Question{q})[0]
	want, ok := checkertest.NewTwin(net, g).Answer(same)
	switch {
	case ok && a.Value.IsKnown() && !a.Value.Equal(want):
		t.Fatalf("%s %v is %v, should be %v\n%s", kind, q, a.Value, want, e.text.String())
	case e.defect() != "":
		t.Fatal(e.defect())
	}
	return a
}

// TestSMTSolver: answers with a solver are right. Some are runs that it found, and some invariants.
func TestSMTSolver(t *testing.T) {
	if _, err := exec.LookPath("z3"); err != nil {
		t.Skip("z3 is not installed")
	}
	reached, excluded := 0, 0
	if !petritest.CheckUntil(t, func() bool { return reached > 0 && excluded > 0 }, func(t *rapid.T) {
		a := withSolver(t, "z3", func(warning string) { t.Errorf("warning: %s", warning) })
		switch {
		case a.By&checker.SolverModuloTheories == 0:
		case a.Witness.Ground == checker.Induction && a.By&checker.LinearProgram != 0:
			excluded++
		case a.Witness.Ground == checker.ReachedMarking:
			reached++
		default:
			t.Fatalf("%v by %v, ground %v", a.Value, a.By, a.Witness.Ground)
		}
	}) {
		t.Errorf("%d runs and %d invariants by the solver", reached, excluded)
	}
}

// phases is a net without bounds. While a token is in early, none is in second.
const phases = `net phases
tr switch early -> late
tr collect early?1 -> first
tr spend late?1 first -> second*2
tr waste second ->
pl early (1)
`

// TestSMTSolverOnUnboundedNet: with a solver an invariant is proven of which no other engine knows, as the
// markings are infinitely many and the state equation has solutions that violate it.
func TestSMTSolverOnUnboundedNet(t *testing.T) {
	if _, err := exec.LookPath("z3"); err != nil {
		t.Skip("z3 is not installed")
	}
	net, err := exchange.ReadTina(strings.NewReader(phases), "phases.net", nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := checker.New(checker.Problem{Net: net}, checker.Options{MemoryBytes: testMemory, SMTSolver: "z3"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	p, err := logic.ParsePredicate("early = 0 | second = 0", checker.Vocabulary(net))
	if err != nil {
		t.Fatal(err)
	}
	var a checker.Answer
	if err := s.Decide(t.Context(), []checker.Question{checker.Invariant{Predicate: p}}, func(given checker.Answer) { a = given }); err != nil {
		t.Fatal(err)
	}
	if !a.Value.Equal(checker.Truth(true)) || a.Witness.Ground != checker.Induction {
		t.Errorf("%v by %v, ground %v: %v", a.Value, a.By, a.Witness.Ground, a.Reason)
	}
}

// TestLyingSMTSolver: answers with a solver that answers at random are right, too, or unknown.
func TestLyingSMTSolver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.IntRange(0, 1000).Draw(t, "seed")
		withSolver(t, smtlibtest.Command(smtlibtest.Random, strconv.Itoa(seed)), nil)
	})
}

// TestFailingSMTSolver: a solver that fails is told once, and is not asked for ever.
func TestFailingSMTSolver(t *testing.T) {
	net := petritest.Philosophers(3)
	predicate := fireable(0, false)
	for _, way := range []string{smtlibtest.Dying, smtlibtest.Nonsense, smtlibtest.Sat} {
		var warnings []string
		s, err := checker.New(checker.Problem{Net: net}, checker.Options{
			MemoryBytes: testMemory, SMTSolver: smtlibtest.Command(way), Warn: func(w string) { warnings = append(warnings, w) },
			Without: checker.ExplicitSearch | checker.DecisionDiagrams | checker.RandomWalk | checker.StructuralReduction,
		})
		if err != nil {
			t.Fatal(err)
		}
		var a checker.Answer
		if err := s.Decide(t.Context(), []checker.Question{checker.Invariant{Predicate: predicate}}, func(given checker.Answer) { a = given }); err != nil {
			t.Fatal(err)
		}
		s.Close()
		if a.Value.IsKnown() || len(warnings) != 1 || !strings.Contains(warnings[0], "fails: ") {
			t.Errorf("%s: %v, warnings %q", way, a.Value, warnings)
		}
	}
	if _, err := checker.New(checker.Problem{Net: net}, checker.Options{SMTSolver: "no-such-solver-here"}); err == nil {
		t.Error("a solver that is not there is no error")
	}
}

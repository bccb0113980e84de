package checker_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/automata/complement"
	"pnmc/automata/testingautomata"
	"pnmc/checker"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/petri"
)

// kinds are names of the kinds of questions that drawQuestion draws.
var kinds = []string{"reachable", "invariant", "bound", "branching", "linear", "automaton", "testing automaton",
	"deadlock", "quasi-live", "live", "one-safe", "stable", "sizes"}

// drawQuestion draws a question of a kind over the nodes of a net, and one that has the same
// answer for the twin.
func drawQuestion(t *rapid.T, net *petri.Net, kind string) (q, same checker.Question) {
	switch kind {
	case "reachable":
		q = checker.Reachable{Predicate: checkertest.Goal(t, net, 2)}
	case "invariant":
		q = checker.Invariant{Predicate: checkertest.Goal(t, net, 2)}
	case "bound":
		q = checker.Bound{Sum: checkertest.Sum(t, net), Products: checkertest.Products(t, net)}
	case "branching":
		q = checker.Branching{Formula: checkertest.CTL(t, net, 3)}
	case "linear":
		l := checker.Linear{Formulas: ltl.NewFormulas(), Predicates: []*logic.Predicate{checkertest.Goal(t, net, 1), checkertest.Goal(t, net, 1)}}
		l.Formulas.Atom("a")
		l.Formulas.Atom("b")
		l.Formula = checkertest.Linear(t, l.Formulas, []string{"a", "b"}, 3)
		q = l
	case "automaton", "testing automaton":
		var property properties.Property
		var names []string
		for i := range rapid.IntRange(0, 2).Draw(t, "propositions") {
			names = append(names, fmt.Sprintf("a%d", i))
			property.Predicates = append(property.Predicates, checkertest.Goal(t, net, 1))
		}
		property.Automaton = checkertest.Automaton(t, names)
		if kind == "testing automaton" {
			return testingQuestion(t, property), checker.Automaton{Property: property}
		}
		// What it claims may be wrong.
		claiming := *property.Automaton
		claiming.Claims = automata.Claims(rapid.IntRange(0, int(automata.ClaimTerminal)*2-1).Draw(t, "claims"))
		return checker.Automaton{Property: properties.Property{Automaton: &claiming, Predicates: property.Predicates}}, checker.Automaton{Property: property}
	case "deadlock":
		q = checker.Deadlock{}
	case "quasi-live":
		q = checker.QuasiLive{}
	case "live":
		q = checker.Live{}
	case "one-safe":
		q = checker.OneSafe{}
	case "stable":
		q = checker.StableMarking{}
	default:
		q = rapid.SampledFrom(checker.Sizes()).Draw(t, "size")
	}
	return q, q
}

// testingQuestion asks by a testing automaton for the same.
func testingQuestion(t *rapid.T, property properties.Property) checker.Question {
	a, err := complement.WithGeneralizedBuchi(context.Background(), property.Automaton)
	if err != nil {
		t.Skip("no generalized Büchi acceptance")
	}
	pruned, v, err := product.PrepareTesting(context.Background(), a, true)
	if err != nil {
		t.Fatal(err)
	}
	testing, err := testingautomata.NewTGTA(context.Background(), pruned, v)
	if err != nil {
		t.Fatal(err)
	}
	return checker.Automaton{Property: properties.Property{Automaton: testing, Predicates: property.Predicates}}
}

// testMemory bounds what a test takes, if engines go wrong.
const testMemory = 1 << 30

// explained collects what a solver explains.
type explained struct {
	mutex sync.Mutex
	text  strings.Builder
}

func (e *explained) say(message string) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	fmt.Fprintln(&e.text, message)
}

// defect returns what tells of a defect in what was explained, or nothing.
func (e *explained) defect() string {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for _, sign := range []string{"does not replay", "not confirmed", "defect: "} {
		if strings.Contains(e.text.String(), sign) {
			return e.text.String()
		}
	}
	return ""
}

// TestSolverAgreesWithNaiveTwin: questions of all kinds, several at a time and one after the
// other on one solver, have the answers that all markings give, each once, and shown by runs
// of the net where a run can show them.
func TestSolverAgreesWithNaiveTwin(t *testing.T) {
	answered := map[string]int{}
	missing := func() bool { return slices.ContainsFunc(kinds, func(k string) bool { return answered[k] == 0 }) }
	if !petritest.CheckUntil(t, func() bool { return !missing() }, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		if len(g.Markings) > checkertest.MostMarkings || net.Places() == 0 || net.Transitions() == 0 {
			t.Skip("not a net for this test")
		}
		w := checkertest.NewTwin(net, g)
		var e explained
		options := checker.Options{Seed: rapid.Uint64().Draw(t, "seed"), Explain: e.say, MemoryBytes: testMemory, Threads: rapid.SampledFrom([]int{0, 1, 2, 8, 64}).Draw(t, "threads")}
		s, err := checker.New(checker.Problem{Net: net}, options)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for range rapid.IntRange(1, 3).Draw(t, "calls") {
			var names []string
			var questions, twins []checker.Question
			for range rapid.IntRange(1, 5).Draw(t, "questions") {
				kind := rapid.SampledFrom(kinds).Draw(t, "kind")
				q, same := drawQuestion(t, net, kind)
				names, questions, twins = append(names, kind), append(questions, q), append(twins, same)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			answers := decideAll(t, ctx, s, questions)
			cancel()
			for i, a := range answers {
				want, ok := w.Answer(twins[i])
				if !ok {
					continue
				}
				if !a.Value.Equal(want) {
					t.Fatalf("%s %v is %v, should be %v (%v; %v)\n%s", names[i], questions[i], a.Value, want, a.Reason, a.By, e.text.String())
				}
				requireWitness(t, net, twins[i], a)
				answered[names[i]]++
			}
		}
		if d := e.defect(); d != "" {
			t.Fatal(d)
		}
	}) {
		t.Errorf("too few answers: %v", answered)
	}
}

// decideAll returns the answers to questions, in their order; each has to come once.
func decideAll(t *rapid.T, ctx context.Context, s *checker.Solver, questions []checker.Question) []checker.Answer {
	answers := make([]checker.Answer, len(questions))
	given := make([]int, len(questions))
	if err := s.Decide(ctx, questions, func(a checker.Answer) {
		answers[a.Question] = a
		given[a.Question]++
	}); err != nil {
		t.Fatal(err)
	}
	for i, n := range given {
		if n != 1 {
			t.Fatalf("question %d has %d answers", i, n)
		}
	}
	return answers
}

// requireWitness replays the run of an answer, by the definitions, and looks whether it shows
// what it should.
func requireWitness(t *rapid.T, net *petri.Net, q checker.Question, a checker.Answer) {
	w := &a.Witness
	if w.Net == nil {
		return
	}
	m, err := witness.ReplayRun(w.Net, w.Run)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case w.Ends && !net.Deadlock(m):
		t.Fatalf("a run that should end in a deadlock ends in %v", m)
	case w.Ground == checker.InfiniteRun && !w.Ends && len(w.Cycle) == 0: // however it goes on
		switch q.(type) {
		case checker.Linear, checker.Automaton:
		default:
			t.Fatalf("an infinite run without a cycle answers %T", q)
		}
	case w.Ground == checker.InfiniteRun && !w.Ends:
		for _, b := range w.Cycle {
			for range b.Times {
				if !net.Fire(m, b.Transition) {
					t.Fatal("a cycle does not replay")
				}
			}
		}
		start, _ := witness.ReplayRun(w.Net, w.Run)
		for p := range m {
			if m[p] < start[p] {
				t.Fatalf("a cycle leads from %v to %v", start, m)
			}
		}
	case w.Ground == checker.ReachedMarking:
		holds := true
		switch q := q.(type) {
		case checker.Reachable:
			holds = witness.Satisfies(net, m, q.Predicate)
		case checker.Invariant:
			holds = !witness.Satisfies(net, m, q.Predicate)
		case checker.Bound:
			value, _ := witness.ValueOfAll(&q.Sum, q.Products, m)
			holds = a.Value.Equal(checker.Number(value))
		case checker.Deadlock:
			holds = net.Deadlock(m)
		}
		if !holds {
			t.Fatalf("%v leads to %v, which does not show %v", w.Run, m, q)
		}
	}
}

// TestEachEngineAlone runs each phase of each plan by itself: what it answers is
// right, and no phase is there for nothing.
func TestEachEngineAlone(t *testing.T) {
	answered := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		if len(g.Markings) > checkertest.MostMarkings || net.Places() == 0 || net.Transitions() == 0 {
			t.Skip("not a net for this test")
		}
		w := checkertest.NewTwin(net, g)
		kind := rapid.SampledFrom(kinds).Draw(t, "kind")
		q, same := drawQuestion(t, net, kind)
		want, ok := w.Answer(same)
		if !ok {
			t.Skip("a formula that takes the twin too long")
		}
		for _, phase := range checker.PhasesFor(q) {
			var e explained
			s, err := checker.New(checker.Problem{Net: net}, checker.Options{Explain: e.say, MemoryBytes: testMemory})
			if err != nil {
				t.Fatal(err)
			}
			s.Only(phase)
			ctx, cancel := context.WithTimeout(context.Background(), 40*time.Millisecond)
			a := decideAll(t, ctx, s, []checker.Question{q})[0]
			cancel()
			s.Close()
			answered[phase] += 0
			if d := e.defect(); d != "" {
				t.Fatalf("%s: %s", phase, d)
			}
			if a.Value.IsKnown() && !a.Value.Equal(want) {
				t.Fatalf("%s: %s %v is %v, should be %v\n%s", phase, kind, q, a.Value, want, e.text.String())
			}
			if a.Value.IsKnown() && strings.Contains(e.text.String(), "begin") {
				answered[phase]++
			}
		}
	})
	for key, n := range answered {
		if n == 0 {
			t.Logf("%s never answered", key)
		}
	}
}

// TestDecideEnds: what is not answered has the reason, and nothing is told afterwards.
func TestDecideEnds(t *testing.T) {
	s, err := checker.New(checker.Problem{Net: petritest.Grid(12)}, checker.Options{MemoryBytes: testMemory})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	returned := false
	err = s.Decide(ctx, []checker.Question{checker.Firings, checker.Deadlock{}}, func(a checker.Answer) {
		if returned {
			t.Error("an answer after the end")
		}
		if a.Question == 0 && !errors.Is(a.Reason, context.DeadlineExceeded) {
			t.Errorf("%v because of %v", a.Value, a.Reason)
		}
	})
	if returned = true; err != nil {
		t.Fatal(err)
	}
}

// TestStateEquationProvesThatThereIsNoDeadlock: on a net with more markings than can be
// explored, whether it is asked as such, as an invariant, as a formula or by an automaton.
func TestStateEquationProvesThatThereIsNoDeadlock(t *testing.T) {
	deadlock := &logic.Predicate{Operator: logic.Deadlocked}
	f := ltl.NewFormulas()
	always := checker.Linear{Formulas: f, Formula: f.Globally(f.Not(f.Atom("d"))), Predicates: []*logic.Predicate{deadlock}}
	b := automata.NewBuilder([]string{"d"}, automata.GeneralizedBuchi(1))
	b.AddStates(2)
	b.AddInitial(0)
	b.AddEdge(0, automata.Label{automata.NewCube(1).With(0, false)}, automata.NewMarks(1), 0)
	b.AddEdge(0, automata.Label{automata.NewCube(1).With(0, true)}, automata.NewMarks(1), 1)
	b.AddEdge(1, automata.Label{automata.NewCube(1)}, automata.NewMarks(1, 0), 1)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	s, err := checker.New(checker.Problem{Net: petritest.Kanban(500)}, checker.Options{MemoryBytes: testMemory})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	questions := []checker.Question{
		checker.Deadlock{}, checker.Invariant{Predicate: &logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{deadlock}}},
		always, checker.Automaton{Property: properties.Property{Automaton: a, Predicates: []*logic.Predicate{deadlock}}},
	}
	if err := s.Decide(t.Context(), questions, func(a checker.Answer) {
		if a.Value.String() != fmt.Sprint(a.Question > 0) {
			t.Errorf("question %d is %v, %v", a.Question, a.Value, a.Reason)
		}
	}); err != nil {
		t.Fatal(err)
	}
}

package checker_test

import (
	"context"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/checker"
	"pnmc/checker/internal/checkertest"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
)

// workingOn returns how many goroutines are at work on something that is named by where: the names of functions
// that are on the stack, each of which begins a try.
func workingOn(where *regexp.Regexp) (goroutines int) {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)] // of all at the same moment
	for stack := range strings.SplitSeq(string(stacks), "\n\n") {
		if where.MatchString(stack) {
			goroutines++
		}
	}
	return goroutines
}

// besideEachOther returns how many goroutines were at work at the same time on what is named by where, while a solver
// with so many threads works on questions of which none is easy. It ends once there are as many as wanted.
func besideEachOther(t *testing.T, net *petri.Net, threads, wanted int, limit time.Duration, without checker.Techniques, where string, questions []checker.Question) (most int) {
	t.Helper()
	s, err := checker.New(checker.Problem{Net: net}, checker.Options{Threads: threads, Without: without, MemoryBytes: testMemory})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		pattern := regexp.MustCompile(where)
		for ; ctx.Err() == nil; time.Sleep(5 * time.Millisecond) {
			if most = max(most, workingOn(pattern)); most >= wanted {
				cancel()
			}
		}
	}()
	answers := 0
	if err := s.Decide(ctx, questions, func(checker.Answer) { answers++ }); err != nil {
		t.Error(err)
	}
	cancel()
	<-watched
	if answers != len(questions) {
		t.Errorf("%d answers to %d questions", answers, len(questions))
	}
	return most
}

// TestQuestionsRunBesideEachOther: with 8 threads two questions are at work at the same moment, in each engine that
// takes questions one by one; so are questions that different engines decide. With one thread, or two where three
// engines are at work, one question is at a time.
func TestQuestionsRunBesideEachOther(t *testing.T) {
	const explicit = ^(checker.ExplicitSearch | checker.StateCompression)
	net := petritest.Philosophers(16) // some 43 million markings
	at := func(p, q uint32) *logic.Predicate {
		return &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Terms: []logic.Term{{Place: p, Coefficient: -1}, {Place: q, Coefficient: -1}}, Constant: 9}}
	}
	neverEven := func(p uint32) *ctl.Formula { // AG (EF at | EF at): all markings must be seen
		return ctl.New(ctl.AllGlobally, ctl.New(ctl.ExistsFinally, ctl.Of(&logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{at(p, p+1)}})))
	}
	var atoms, branching, linear, mixed []checker.Question
	for i := range uint32(3) {
		atoms = append(atoms, checker.Reachable{Predicate: at(i, 2*i+5)})
		branching = append(branching, checker.Branching{Formula: neverEven(i)})
		linear = append(linear, checker.Automaton{Property: checkertest.Negated(t, net, fmt.Sprintf(`G ("eats%d + eats%d <= 1" | F "eats3 >= 2")`, i, i+1))})
	}
	mixed = append(mixed, linear[0], branching[0])
	for _, c := range []struct {
		name, where string
		wanted      int
		questions   []checker.Question
		without     checker.Techniques
	}{
		{"atoms", `atoms\.OneByOne\.func`, 2, atoms, explicit},
		{"walks", `atoms\.WalksOneByOne\.func`, 2, atoms, ^checker.RandomWalk},
		{"formulas of CTL", `tree\.searchFormulas\.func2`, 3, branching, explicit}, // two lanes have this engine
		{"formulas of LTL", `linear\.\(\*products\)\.check\.func2`, 2, linear, explicit},
		{"families", `checker\.\(\*Solver\)\.decidePart\(`, 2, mixed, explicit},
	} {
		if most := besideEachOther(t, net, 8, c.wanted, 5*time.Second, c.without, c.where, c.questions); most < c.wanted {
			t.Errorf("%s: with 8 threads %d at the same time, expected %d", c.name, most, c.wanted)
		}
		if most := besideEachOther(t, net, 1, 2, 1500*time.Millisecond, c.without, c.where, c.questions); most != 1 {
			t.Errorf("%s: with one thread %d at the same time, expected 1", c.name, most)
		}
	}
}

// TestEachEngineBesideItself: engines that take questions one by one, each alone with 8 threads and several
// questions, answer as the definitions do, each question once, and show it by runs that replay.
func TestEachEngineBesideItself(t *testing.T) {
	answered := map[string]int{}
	rapid.Check(t, func(t *rapid.T) { engineBesideItself(t, answered) })
	t.Log(answered)
}

// TestBesideStress does the same for as long as one likes.
func TestBesideStress(t *testing.T) {
	goesOn := petritest.Stress(t)
	answered := map[string]int{}
	for goesOn() {
		rapid.Check(t, func(t *rapid.T) { engineBesideItself(t, answered) })
	}
	t.Logf("answers by phase: %v", answered)
}

// engineBesideItself compares the engines for questions of one kind about one net, and counts answers by phase.
func engineBesideItself(t *rapid.T, answered map[string]int) {
	net, g := checkertest.AnyNet(t)
	if len(g.Markings) > checkertest.MostMarkings || net.Places() == 0 || net.Transitions() == 0 {
		t.Skip("not a net for this test")
	}
	w := checkertest.NewTwin(net, g)
	kind := rapid.SampledFrom([]string{"reachable", "bound", "branching", "linear", "automaton", "one-safe", "quasi-live"}).Draw(t, "kind")
	var questions, twins []checker.Question
	for range rapid.IntRange(2, 6).Draw(t, "questions") {
		q, same := drawQuestion(t, net, kind)
		questions, twins = append(questions, q), append(twins, same)
	}
	seed := rapid.Uint64().Draw(t, "seed")
	for _, phase := range checker.PhasesFor(questions[0]) {
		if !takesOneByOne(phase) {
			continue
		}
		var e explained
		s, err := checker.New(checker.Problem{Net: net}, checker.Options{Explain: e.say, MemoryBytes: testMemory, Threads: 8, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		s.Only(phase)
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		answers := decideAll(t, ctx, s, questions)
		cancel()
		s.Close()
		if d := e.defect(); d != "" {
			t.Fatalf("%s: %s", phase, d)
		}
		for i, a := range answers {
			if !a.Value.IsKnown() {
				continue
			}
			if want, ok := w.Answer(twins[i]); ok && !a.Value.Equal(want) {
				t.Fatalf("%s: %s %v is %v, should be %v\n%s", phase, kind, questions[i], a.Value, want, e.text.String())
			}
			requireWitness(t, net, twins[i], a)
			answered[phase]++
		}
	}
}

// takesOneByOne reports whether a phase has questions that may be tried beside each other.
func takesOneByOne(phase string) bool {
	for _, part := range []string{"reduced for it", "reduced for one", "on the fly", "products with automata", "random runs"} {
		if strings.Contains(phase, part) {
			return true
		}
	}
	return false
}

package checker_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"pnmc/checker"
	"pnmc/checker/internal/checkertest"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// decideWith has a solver with so many threads, but without some techniques, decide questions. It
// returns their values, and what was explained.
func decideWith(t *testing.T, net *petri.Net, threads int, without checker.Techniques, questions []checker.Question) (values map[int]string, told string) {
	t.Helper()
	var mutex sync.Mutex
	values = map[int]string{}
	s, err := checker.New(checker.Problem{Net: net}, checker.Options{
		Threads: threads, Without: without, MemoryBytes: testMemory,
		Explain: func(message string) {
			mutex.Lock()
			defer mutex.Unlock()
			told += message + "\n"
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := s.Decide(ctx, questions, func(a checker.Answer) { values[a.Question] = a.Value.String() }); err != nil {
		t.Errorf("%d threads: %v", threads, err)
	}
	return values, told
}

// TestSearchUsesFreeThreads: the search of a state graph uses the threads that other engines leave,
// and has the right answers, with runs that replay; with one thread, or where others have all, it
// is alone.
func TestSearchUsesFreeThreads(t *testing.T) {
	only := checker.ExplicitSearch | checker.StateCompression
	rest := ^only &^ checker.InitialState // one lane is left
	net := petritest.Philosophers(9)
	first := logic.Sum{Terms: []logic.Term{{Place: 0, Coefficient: 1}, {Place: 1, Coefficient: 1}}}
	second := logic.Sum{Terms: []logic.Term{{Place: 2, Coefficient: 3}}}
	questions := []checker.Question{checker.Bound{Sum: first}, checker.Bound{Sum: second}}
	g, _ := petritest.Explore(net, 20_000)
	var want [2]int64
	for _, m := range g.Markings {
		a, _ := first.Value(m)
		b, _ := second.Value(m)
		want[0], want[1] = max(want[0], a), max(want[1], b)
	}
	for _, c := range []struct {
		threads int
		without checker.Techniques
		want    string
	}{
		{1, rest, ""}, {4, rest, "4 threads explored"}, {7, rest, "7 threads explored"},
		{4, rest &^ checker.RandomWalk, "3 threads explored"}, {2, rest &^ checker.RandomWalk, ""},
	} {
		values, told := decideWith(t, net, c.threads, c.without, questions)
		if values[0] != fmt.Sprint(want[0]) || values[1] != fmt.Sprint(want[1]) {
			t.Errorf("%d threads: %v, expected %v", c.threads, values, want)
		}
		if c.want == "" && strings.Contains(told, "threads explored") || !strings.Contains(told, c.want) {
			t.Errorf("%d threads: expected %q in\n%s", c.threads, c.want, told)
		}
	}
}

// TestProductsUseFreeThreads: so do products with automata, and have the right answers.
func TestProductsUseFreeThreads(t *testing.T) {
	only := checker.ExplicitSearch | checker.StateCompression
	net := petritest.Philosophers(9)
	var questions []checker.Question
	for _, text := range []string{`G "eats0 + eats1 <= 1"`, `G (X "eats0 >= 1" -> ("eats1 < 1" | X "eats1 < 1"))`, `G F "eats0 >= 1"`} {
		questions = append(questions, checker.Automaton{Property: checkertest.Negated(t, net, text)})
	}
	for _, threads := range []int{1, 4} {
		values, told := decideWith(t, net, threads, ^only&^checker.InitialState, questions)
		if values[0] != "true" || values[1] != "true" || values[2] != "false" {
			t.Errorf("%d threads: %v", threads, values)
		}
		if several := strings.Contains(told, "4 threads explored"); several != (threads > 1) {
			t.Errorf("%d threads: several explored: %v\n%s", threads, several, told)
		}
	}
}

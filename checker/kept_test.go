package checker

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/atoms"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/linear"
	"pnmc/internal/account"
	"pnmc/internal/atwork"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/petri"
)

// responds asks whether a token on the first place is always followed by one on the second, in a
// formula that no rule makes smaller than the net.
func responds(net *petri.Net) Linear {
	s := ltl.NewFormulas()
	l := Linear{Formulas: s}
	for p := range uint32(2) {
		l.Predicates = append(l.Predicates, &logic.Predicate{Operator: logic.AtMost,
			Sum: logic.Sum{Constant: 1, Terms: []logic.Term{{Place: p, Coefficient: -1}}}})
	}
	// With X, so that all of the state graph's branching stays.
	l.Formula = s.Globally(s.Or(s.Not(s.Atom("a")), s.Finally(s.Next(s.Atom("b")))))
	return l
}

// TestLaterQuestionsFindWhatIsKnown: what one call of Decide explored and computed, the next
// one has.
func TestLaterQuestionsFindWhatIsKnown(t *testing.T) {
	net := petritest.Philosophers(6)
	var mutex sync.Mutex
	var told strings.Builder
	s, err := New(Problem{Net: net}, Options{Threads: 1, MemoryBytes: 1 << 30, Explain: func(message string) {
		mutex.Lock()
		defer mutex.Unlock()
		fmt.Fprintln(&told, message)
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.plan = func(inquiry.Family) []core.Phase {
		return []core.Phase{proving("products", 1, 0, linear.Products), diagrams("diagrams", 1, 0, linear.Diagrams)}
	}
	reductions := -1
	for round := range 2 {
		if err := s.Decide(t.Context(), []Question{responds(net)}, func(a Answer) {
			if !a.Value.IsKnown() {
				t.Errorf("round %d: %v", round, a.Reason)
			}
		}); err != nil {
			t.Fatal(err)
		}
		n, graphs, diagrams := s.shared.Kept.Counts()
		if graphs+diagrams == 0 {
			t.Errorf("round %d: no graph is kept\n%s", round, told.String())
		}
		if reductions >= 0 && n != reductions {
			t.Errorf("%d reductions, then %d", reductions, n)
		}
		reductions = n
	}
	if n := strings.Count(told.String(), "decision diagram of all markings"); n > 1 {
		t.Errorf("the decision diagram was computed %d times", n)
	}
	s.shared.Kept.Drop()
	if n, graphs, diagrams := s.shared.Kept.Counts(); n+graphs+diagrams > 0 {
		t.Error("something is left that was to be dropped")
	}
}

// TestFullMemoryIsMadeFreeFirst: where half of the memory is in use before a question, what is kept of others goes before
// engines begin.
func TestFullMemoryIsMadeFreeFirst(t *testing.T) {
	net := petritest.Philosophers(6)
	s, err := New(Problem{Net: net}, Options{Threads: 1, MemoryBytes: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	kept := -1
	count := func(context.Context, *core.Task) error {
		n, graphs, diagrams := s.shared.Kept.Counts()
		kept = n + graphs + diagrams
		return nil
	}
	s.plan = func(inquiry.Family) []core.Phase {
		return []core.Phase{proving("counting", 1, 0, count), proving("products", 1, 0, linear.Products)}
	}
	ask := func() {
		if err := s.Decide(t.Context(), []Question{responds(net)}, func(Answer) {}); err != nil {
			t.Fatal(err)
		}
	}
	ask()
	if ask(); kept <= 0 {
		t.Fatalf("%d things are kept for a question with much memory, expected some", kept)
	}
	s.shared.Budget.MemoryBytes = account.InUse() * 3 / 2
	if ask(); kept != 0 {
		t.Errorf("%d things are kept for a question with little memory, expected none", kept)
	}
}

// TestQuestionsAfterTheMemoryWasFull: a question that fills the memory does not spoil the next
// one, which is easy.
func TestQuestionsAfterTheMemoryWasFull(t *testing.T) {
	debug.FreeOSMemory()
	const large = 1 << 40
	inUse := large - petri.Budget{MemoryBytes: large}.Free()
	net := rings(t)
	far := logic.Sum{Constant: -40 * 12}
	for p := uint32(2); p < uint32(net.Places()); p += 3 {
		far.Terms = append(far.Terms, logic.Term{Place: p, Coefficient: 1})
	}
	s, err := New(Problem{Net: net}, Options{MemoryBytes: (inUse + 24<<20) * 2})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.plan = func(inquiry.Family) []core.Phase { return []core.Phase{proving("each alone", 1, 0, atoms.OneByOne)} }
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	hard := Reachable{Predicate: &logic.Predicate{Operator: logic.Equal, Sum: far}}
	easy := Reachable{Predicate: &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 2, Terms: []logic.Term{{Place: 2, Coefficient: -1}}}}}
	for _, q := range []Question{hard, easy} {
		ctx := ctx
		if q == Question(easy) {
			ctx = t.Context()
		}
		_ = s.Decide(ctx, []Question{q}, func(a Answer) {
			if q == Question(easy) && !a.Value.IsTrue() {
				t.Errorf("the easy question after the hard one: %v, %v", a.Value, a.Reason)
			}
		})
	}
}

// TestEnginesHaveStopped: when Decide returns, be it since time is over or since all is
// answered, nothing that it has begun is at work, and the collector has its limit back. With one
// processor, what is told to end does so only if somebody waits for it.
func TestEnginesHaveStopped(t *testing.T) {
	limit := debug.SetMemoryLimit(-1)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, net := range []*petri.Net{petritest.Kanban(300), petritest.Philosophers(5)} {
		s, err := New(Problem{Net: net}, Options{MemoryBytes: 2 << 30, Threads: 4})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		err = s.Decide(ctx, append(Sizes(), Live{}, Deadlock{}, responds(net)), func(a Answer) {
			if !a.Value.IsKnown() && !errors.Is(a.Reason, context.DeadlineExceeded) && !errors.Is(a.Reason, ErrNotDecided) {
				t.Errorf("question %d is open because of %v", a.Question, a.Reason)
			}
		})
		left := atwork.Others()
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		for _, stack := range left {
			t.Errorf("after Decide there is\n%s", stack)
		}
		s.Close()
		if got := debug.SetMemoryLimit(-1); got != limit {
			t.Errorf("the collector's limit is %d, was %d", got, limit)
		}
	}
}

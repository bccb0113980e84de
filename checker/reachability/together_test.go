package reachability_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/checker/internal/checkertest"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/reachability"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// searchBy looks for goals with so many threads, and replays what it finds. It fails if Open or
// Found is called by two threads at once. One thread explores the first markings alone.
func searchBy(ctx context.Context, t rapid.TB, threads, first int, net *petri.Net, facts petri.Facts, goals []walk.Goal, stubborn bool) searched {
	r := searched{found: make([]bool, len(goals)), value: make([]int64, len(goals)), steps: make([]int, len(goals))}
	var inside atomic.Int32
	alone := func() func() {
		if inside.Add(1) != 1 {
			t.Error("two threads call at once")
		}
		return func() { inside.Add(-1) }
	}
	var s reachability.GoalSearch
	s = reachability.GoalSearch{
		Net: net, Facts: facts, Goals: goals, Stubborn: stubborn, Threads: threads, First: first,
		Open: func(i int) bool {
			defer alone()()
			return !r.found[i]
		},
		Found: func(i int, value int64, run []witness.Burst) {
			defer alone()()
			if r.found[i] || s.States < 1 {
				t.Errorf("goal %d was found before: %v; %d markings", i, r.found[i], s.States)
			}
			r.found[i], r.value[i], r.steps[i] = true, value, len(run)
			m, err := witness.ReplayRun(net, run)
			if err != nil || goals[i].Predicate != nil && !witness.Satisfies(net, m, goals[i].Predicate) ||
				goals[i].Predicate == nil && numberIn(&goals[i], m) != value {
				t.Errorf("%d threads: goal %d is not reached by %v: %v", threads, i, run, err)
			}
		},
	}
	r.err = s.Run(ctx)
	r.states, r.left = s.States, s.Savings.Left
	return r
}

// TestGoalsByThreads: several threads find the goals that are there, with and without stubborn sets,
// and no others, and look at no more markings than there are.
func TestGoalsByThreads(t *testing.T) {
	left := int64(0)
	if !petritest.CheckManyUntil(t, 2000, func() bool { return left > 100 }, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		goals := drawGoals(t, net)[:rapid.IntRange(1, 8).Draw(t, "goals")]
		if rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
			goals = []walk.Goal{{Predicate: &logic.Predicate{Operator: logic.Deadlocked}}}
		}
		reachable, largest := naiveGoals(net, g, goals)
		facts := petri.Facts{}
		if rapid.Bool().Draw(t, "facts") {
			facts = invariant.Prove(context.Background(), net, 0)
		}
		for _, stubborn := range []bool{false, true} {
			r := searchBy(context.Background(), t, rapid.IntRange(2, 8).Draw(t, "threads"), rapid.SampledFrom([]int{0, 0, 1, 10}).Draw(t, "first"), net, facts, goals, stubborn)
			if r.err != nil || r.states > len(g.Markings) {
				t.Fatalf("%d markings of %d, %v", r.states, len(g.Markings), r.err)
			}
			all := true
			for i, goal := range goals {
				if goal.Predicate != nil && r.found[i] != reachable[i] || goal.Predicate == nil && (!r.found[i] || r.value[i] != largest[i]) {
					t.Fatalf("goal %d, %v: found %v with %d, expected %v, %d", i, goal.Predicate, r.found[i], r.value[i], reachable[i], largest[i])
				}
				all = all && goal.Predicate != nil && r.found[i]
			}
			if !stubborn && !all && r.states != len(g.Markings) {
				t.Fatalf("%d markings of %d", r.states, len(g.Markings))
			}
			left += r.left
		}
	}) {
		t.Error("nothing was left out")
	}
}

// TestEndlessGoalsByThreads: in nets without bounds, several threads end as one does: one explores
// again if some place grows. In which order threads meet markings differs, and very rarely they meet
// none that covers an ancestor for long: two such draws are left out, and a third fails.
func TestEndlessGoalsByThreads(t *testing.T) {
	endless, late := 0, 0
	if !petritest.CheckUntil(t, func() bool { return endless > 30 }, func(t *rapid.T) {
		net := anyNet(t)
		goals := drawGoals(t, net)[:rapid.IntRange(1, 8).Draw(t, "goals")]
		stubborn := rapid.Bool().Draw(t, "stubborn")
		one := search(t, net, petri.Facts{}, goals, stubborn)
		if !errors.As(one.err, new(*petri.UnboundedError)) || one.states > 3000 {
			t.Skip("bounded, or not known")
		}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		r := searchBy(ctx, t, rapid.IntRange(2, 8).Draw(t, "threads"), rapid.SampledFrom([]int{0, 0, 1, 10}).Draw(t, "first"), net, petri.Facts{}, goals, stubborn)
		if late < 2 && errors.Is(r.err, context.DeadlineExceeded) {
			late++
			t.Skip("the threads did not meet what covers an ancestor")
		}
		// If the threads found all goals before, they ended. Else one thread explored again, and what
		// they had found before changes nothing.
		if r.err != nil && (r.err.Error() != one.err.Error() || r.states != one.states || r.left != one.left) {
			t.Fatalf("%v, %d markings, %d firings left out, expected %v, %d, %d", r.err, r.states, r.left, one.err, one.states, one.left)
		}
		for i := range goals {
			if one.found[i] && !r.found[i] || r.err == nil && goals[i].Predicate != nil && !r.found[i] && one.found[i] {
				t.Fatalf("goal %d was not found: %v", i, r.err)
			}
		}
		if r.err != nil {
			endless++
		}
	}) {
		t.Error("nothing was unbounded")
	}
}

// TestOneThreadIsAsBefore: 0 and 1 thread explore breadth first, to the same runs.
func TestOneThreadIsAsBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net, _ := checkertest.AnyNet(t)
		goals := drawGoals(t, net)
		none := searchBy(context.Background(), t, 0, 0, net, petri.Facts{}, goals, true)
		one := searchBy(context.Background(), t, 1, 0, net, petri.Facts{}, goals, true)
		if fmt.Sprint(none) != fmt.Sprint(one) {
			t.Fatalf("%v and %v", none, one)
		}
	})
}

// TestFirstAlone: where one thread explores the first markings alone, and there are no more, runs are
// shortest and all is as with one thread.
func TestFirstAlone(t *testing.T) {
	net := petritest.Philosophers(5)
	goals := []walk.Goal{{Predicate: &logic.Predicate{Operator: logic.Deadlocked}}, {Maximum: &logic.Sum{Terms: []logic.Term{{Place: 0, Coefficient: 1}}}}}
	one := searchBy(context.Background(), t, 1, 0, net, petri.Facts{}, goals, false)
	for _, first := range []int{one.states, one.states + 1} {
		if r := searchBy(context.Background(), t, 4, first, net, petri.Facts{}, goals, false); fmt.Sprint(r) != fmt.Sprint(one) {
			t.Errorf("%d first: %v, expected %v", first, r, one)
		}
	}
	if r := searchBy(context.Background(), t, 4, one.states-1, net, petri.Facts{}, goals, false); r.states != one.states || fmt.Sprint(r.found) != fmt.Sprint(one.found) {
		t.Errorf("one less first: %v, expected as much as in %v", r, one)
	}
}

// TestThreadsEndEarly: a search ends soon after the last goal was found, or when its context ends,
// and leaves no thread behind.
func TestThreadsEndEarly(t *testing.T) {
	before := runtime.NumGoroutine()
	net := petritest.Kanban(4)
	goal := walk.Goal{Predicate: &logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{uint32(net.Transitions() - 1)}}}
	never := walk.Goal{Predicate: &logic.Predicate{Operator: logic.Deadlocked}}
	least := 454_475
	for range 20 {
		r := searchBy(context.Background(), t, 4, 0, net, petri.Facts{}, []walk.Goal{goal}, false)
		if !r.found[0] || r.err != nil {
			t.Errorf("found %v after %d markings, %v", r.found[0], r.states, r.err)
		}
		least = min(least, r.states)
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
		if r := searchBy(ctx, t, 4, 0, net, petri.Facts{}, []walk.Goal{goal, never}, false); !errors.Is(r.err, context.DeadlineExceeded) && (r.err != nil || r.states != 454_475) {
			t.Errorf("%d markings, %v", r.states, r.err)
		}
		cancel()
	}
	if least > 300_000 {
		t.Errorf("ended after %d markings at least", least)
	}
	s := reachability.GoalSearch{
		Net: net, Goals: []walk.Goal{never}, Threads: 4, Budget: petri.Budget{MemoryBytes: account.InUse() / 2},
		Open: func(int) bool { return true }, Found: func(int, int64, []witness.Burst) { t.Error("found a deadlock") },
	}
	if err := s.Run(context.Background()); !errors.As(err, new(*petri.MemoryError)) {
		t.Errorf("%v without memory", err)
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// TestThreadsInALane: the context of a lane, which one goroutine may use, is used by one.
func TestThreadsInALane(t *testing.T) {
	lane := func(ctx context.Context) {
		never := []walk.Goal{{Predicate: &logic.Predicate{Operator: logic.Deadlocked}}}
		if r := searchBy(ctx, t, 3, 0, petritest.Kanban(3), petri.Facts{}, never, false); r.err != nil || r.found[0] || r.states != 58_400 {
			t.Errorf("found %v, %d markings, %v", r.found[0], r.states, r.err)
		}
	}
	lanes.NewTurnstile(1).Run(context.Background(), lane, lane)
}

// TestDefectOfFound: what Found panics with comes to the caller, whichever thread has called it.
func TestDefectOfFound(t *testing.T) {
	defer func() {
		if defect := recover(); !strings.HasPrefix(fmt.Sprint(defect), "a defect\n") {
			t.Errorf("the caller sees %v", defect)
		}
	}()
	s := reachability.GoalSearch{
		Net: petritest.Philosophers(8), Goals: []walk.Goal{{Predicate: &logic.Predicate{Operator: logic.Deadlocked}}}, Threads: 4,
		Open: func(int) bool { return true }, Found: func(int, int64, []witness.Burst) { panic("a defect") },
	}
	t.Errorf("ended with %v", s.Run(context.Background()))
}

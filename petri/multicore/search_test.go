package multicore_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/invariant"
	"pnmc/petri/multicore"
	"pnmc/petri/stubborn"
)

// sighting is what the threads of a search have looked at.
type sighting struct {
	mutex    sync.Mutex
	times    map[string]int // by marking
	replayed int
}

// lookout returns a search that notes all markings, and replays the runs to some of them, one in
// every.
func lookout(t rapid.TB, net *petri.Net, facts petri.Facts, threads, every int, seen *sighting) *multicore.Search {
	seen.times = map[string]int{}
	return &multicore.Search{Net: net, Facts: facts, Threads: threads, Begin: func(thread *multicore.Thread) (multicore.Look, petri.Selection) {
		looks := 0
		return func(id petri.StateID, m petri.Marking) error {
			seen.mutex.Lock()
			seen.times[fmt.Sprint(m)]++
			seen.mutex.Unlock()
			if looks++; looks%every == 0 {
				run, err := thread.Run(id)
				if end := replay(net, run); err != nil || !slices.Equal(end, m) {
					t.Errorf("%v leads to %v, not to %v; %v", run, end, m, err)
				}
				seen.mutex.Lock()
				seen.replayed++
				seen.mutex.Unlock()
			}
			return nil
		}, nil
	}}
}

// replay fires a run, and returns where it leads; nil if it can't be fired.
func replay(net *petri.Net, run []petri.Transition) petri.Marking {
	m := net.Initial()
	for _, u := range run {
		if m = petritest.Fires(net, m, u); m == nil {
			return nil
		}
	}
	return m
}

// TestSearchLooksOnceAtEach: however threads come between each other, and however often they meet,
// each reachable marking is looked at once, and a run leads to it.
func TestSearchLooksOnceAtEach(t *testing.T) {
	yields(t)
	for name, generator := range generators {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				net, threads := generator.Draw(t, "net"), rapid.IntRange(1, 8).Draw(t, "threads")
				g, finite := petritest.Explore(net, explorable)
				if !finite {
					t.Skip("too large or unbounded")
				}
				facts := petri.Facts{}
				if rapid.Bool().Draw(t, "facts") {
					facts = invariant.Prove(context.Background(), net, 0)
				}
				var seen sighting
				complete, err := lookout(t, net, facts, threads, 7, &seen).Run(context.Background())
				if !complete || err != nil || len(seen.times) != len(g.Markings) {
					t.Fatalf("%d threads: %d markings of %d, complete %v, %v", threads, len(seen.times), len(g.Markings), complete, err)
				}
				for _, m := range g.Markings {
					if n := seen.times[fmt.Sprint(m)]; n != 1 {
						t.Fatalf("%d threads: %v was looked at %d times", threads, m, n)
					}
				}
			})
		})
	}
}

// TestSearchLarge: so it is where tables grow by themselves and threads take work from each other.
func TestSearchLarge(t *testing.T) {
	t.Cleanup(multicore.ForTests(give, 3000, 0))
	net := petritest.Kanban(2)
	for _, threads := range []int{2, 8} {
		var seen sighting
		complete, err := lookout(t, net, petri.Facts{}, threads, 50, &seen).Run(context.Background())
		if !complete || err != nil || len(seen.times) != 4600 || seen.replayed < 50 {
			t.Errorf("%d threads: %d markings, %d runs, complete %v, %v", threads, len(seen.times), seen.replayed, complete, err)
		}
	}
}

// deadlocks returns a search that notes the deadlocks that are left by stubborn sets, and counts the
// markings it looks at.
func deadlocks(t rapid.TB, net *petri.Net, threads int, found map[string]bool, looked *int) *multicore.Search {
	var mutex sync.Mutex
	first, err := stubborn.NewDeadlocks(context.Background(), net, petri.Facts{})
	if err != nil {
		t.Fatal(err)
	}
	return &multicore.Search{Net: net, Threads: threads, Begin: func(thread *multicore.Thread) (multicore.Look, petri.Selection) {
		return func(id petri.StateID, m petri.Marking) error {
			mutex.Lock()
			defer mutex.Unlock()
			*looked++
			if net.Deadlock(m) {
				found[fmt.Sprint(m)] = true
				if run, err := thread.Run(id); err != nil || !slices.Equal(replay(net, run), m) {
					t.Errorf("%v does not lead to %v: %v", run, m, err)
				}
			}
			return nil
		}, first.Another()
	}}
}

// TestSearchWithStubbornSets: each thread fires what its own selection chooses, and no deadlock is
// lost, nor is more explored than there is.
func TestSearchWithStubbornSets(t *testing.T) {
	yields(t)
	saved := 0
	if !petritest.CheckUntil(t, func() bool { return saved > 100 }, func(t *rapid.T) {
		net := rapid.OneOf(petritest.Loose(), petritest.Net(), petritest.StateMachines(true)).Draw(t, "net")
		g, finite := petritest.Explore(net, explorable)
		if !finite {
			t.Skip("too large or unbounded")
		}
		want := map[string]bool{}
		for i, m := range g.Markings {
			if len(g.Edges[i]) == 0 {
				want[fmt.Sprint(m)] = true
			}
		}
		found, looked, threads := map[string]bool{}, 0, rapid.IntRange(1, 8).Draw(t, "threads")
		complete, err := deadlocks(t, net, threads, found, &looked).Run(context.Background())
		if !complete || err != nil || fmt.Sprint(found) != fmt.Sprint(want) || looked > len(g.Markings) {
			t.Fatalf("%d threads: %v among %d markings, expected %v among %d at most; complete %v, %v", threads, found, looked, want, len(g.Markings), complete, err)
		}
		saved += len(g.Markings) - looked
	}) {
		t.Error("nothing was left out")
	}
}

// TestSearchSavesAsOne: where a selection leaves out much, it does so on several threads.
func TestSearchSavesAsOne(t *testing.T) {
	net := petritest.Kanban(3)
	for _, threads := range []int{1, 2, 8} {
		looked := 0
		complete, err := deadlocks(t, net, threads, map[string]bool{}, &looked).Run(context.Background())
		if !complete || err != nil || looked > 100 {
			t.Errorf("%d threads: %d markings, of which 70 suffice; complete %v, %v", threads, looked, complete, err)
		}
	}
}

// allButLast selects what is enabled but the last transition.
type allButLast struct{}

func (allButLast) Select(_ petri.Marking, enabled []petri.Transition) []petri.Transition {
	return enabled[:len(enabled)-1]
}

// TestSelectionInParts: where markings are so wide that not all that is selected is fired at once, it
// is fired in parts.
func TestSelectionInParts(t *testing.T) {
	var b petri.Builder
	for i := range 1100 { // a word each
		if _, err := b.AddPlace(fmt.Sprint("wide ", i), "", 1<<62); err != nil {
			t.Fatal(err)
		}
	}
	p, _ := b.AddPlace("p", "", 1)
	const ways = 200
	for i := range ways {
		q, _ := b.AddPlace(fmt.Sprint("q", i), "", 0)
		u, _ := b.AddTransition(fmt.Sprint("u", i), "")
		_ = b.AddInput(p, u, 1)
		_ = b.AddOutput(u, q, 1)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{1, 3} {
		var looks atomic.Int64
		s := &multicore.Search{Net: net, Threads: threads, Begin: func(*multicore.Thread) (multicore.Look, petri.Selection) {
			return func(petri.StateID, petri.Marking) error { looks.Add(1); return nil }, allButLast{}
		}}
		if complete, err := s.Run(context.Background()); !complete || err != nil || looks.Load() != ways {
			t.Errorf("%d threads: %d looks, expected %d; complete %v, %v", threads, looks.Load(), ways, complete, err)
		}
	}
}

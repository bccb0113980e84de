package multicore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/internal/account"
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
	first, err := stubborn.NewDeadlocks(context.Background(), net)
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

// alone fails unless as many goroutines are there as before.
func alone(t *testing.T, before int) {
	t.Helper()
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// TestSearchEnds: a look, the context and the memory each end a search, whatever threads are at.
func TestSearchEnds(t *testing.T) {
	yields(t)
	net := petritest.Kanban(3)
	before := runtime.NumGoroutine()
	wrong := errors.New("wrong")
	for i := range 30 {
		ctx, cancel := context.WithCancelCause(context.Background())
		var mutex sync.Mutex
		after, looks := rand.IntN(3000), 0
		s := &multicore.Search{Net: net, Threads: 2 + rand.IntN(7), Begin: func(*multicore.Thread) (multicore.Look, petri.Selection) {
			return func(petri.StateID, petri.Marking) error {
				mutex.Lock()
				defer mutex.Unlock()
				if looks++; looks <= after {
					return nil
				}
				switch i % 3 {
				case 0:
					return multicore.ErrEnough
				case 1:
					return wrong
				}
				cancel(wrong)
				return nil
			}, nil
		}}
		complete, err := s.Run(ctx)
		if want := []error{nil, wrong, wrong}[i%3]; complete || err != want {
			t.Errorf("complete %v, %v; expected %v", complete, err, want)
		}
		if i%3 < 2 && looks > after+s.Threads {
			t.Errorf("%d looks after the end", looks-after)
		}
		cancel(nil)
	}
	alone(t, before)
}

// TestSearchFillsMemory: a search ends where there is no more memory, at once or in the middle.
func TestSearchFillsMemory(t *testing.T) {
	before := runtime.NumGoroutine()
	full := 0
	for _, room := range []int64{-1, 0, 2 << 20, 6 << 20, 64 << 20} {
		memory := account.InUse() + account.InUse()/16 + 6<<20 + room // some of it is kept back
		if room < 0 {
			memory = 1
		}
		var looks atomic.Int64
		s := &multicore.Search{Net: petritest.Kanban(4), Threads: 4, Budget: petri.Budget{MemoryBytes: memory}, Begin: func(*multicore.Thread) (multicore.Look, petri.Selection) {
			return func(petri.StateID, petri.Marking) error { looks.Add(1); return nil }, nil
		}}
		complete, err := s.Run(context.Background())
		switch {
		case errors.As(err, new(*petri.MemoryError)) && !complete:
			full++
		case err != nil || !complete || looks.Load() != 454_475:
			t.Errorf("%d looks, complete %v, %v", looks.Load(), complete, err)
		}
		t.Logf("%d MB: %d looks, %v", memory>>20, looks.Load(), err)
	}
	if full == 0 {
		t.Error("a byte is enough")
	}
	alone(t, before)
}

// TestOtherThreadsHaveTheirContext: the end of either context ends the search.
func TestOtherThreadsHaveTheirContext(t *testing.T) {
	reason := errors.New("over")
	over, cancel := context.WithCancelCause(context.Background())
	cancel(reason)
	s := &multicore.Search{Net: petritest.Kanban(4), Threads: 2, Others: over, Begin: func(*multicore.Thread) (multicore.Look, petri.Selection) {
		return func(petri.StateID, petri.Marking) error { return nil }, nil
	}}
	if complete, err := s.Run(context.Background()); complete || err != reason {
		t.Errorf("complete %v, %v", complete, err)
	}
}

// TestDefectOfAThread: what panics in any thread panics in the caller's, when all have ended.
func TestDefectOfAThread(t *testing.T) {
	yields(t)
	before := runtime.NumGoroutine()
	for after := range 20 {
		var mutex sync.Mutex
		looks := 0
		s := &multicore.Search{Net: petritest.Kanban(2), Threads: 4, Begin: func(*multicore.Thread) (multicore.Look, petri.Selection) {
			return func(petri.StateID, petri.Marking) error {
				mutex.Lock()
				defer mutex.Unlock()
				if looks++; looks > 100*after {
					panic("a defect")
				}
				return nil
			}, nil
		}}
		func() {
			defer func() {
				if defect := recover(); !strings.HasPrefix(fmt.Sprint(defect), "a defect\n") {
					t.Errorf("the caller sees %v", defect)
				}
			}()
			complete, err := s.Run(context.Background())
			t.Errorf("complete %v, %v", complete, err)
		}()
	}
	alone(t, before)
}

// TestSearchEndless: nets of which one thread says that a place is unbounded end so with several.
func TestSearchEndless(t *testing.T) {
	seen := 0
	if !petritest.CheckUntil(t, func() bool { return seen > 30 }, func(t *rapid.T) {
		net := petritest.AnyNet().Draw(t, "net")
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		defer cancel()
		one, err := net.Explore(ctx, petri.Facts{}, petri.Budget{MemoryBytes: 1 << 30}, nil)
		if !errors.As(err, new(*petri.UnboundedError)) || one.States > explorable {
			t.Skip("bounded, or not known")
		}
		seen++
		long, end := context.WithTimeout(context.Background(), 20*time.Second)
		defer end()
		var noted sighting
		complete, err := lookout(t, net, petri.Facts{}, rapid.IntRange(2, 8).Draw(t, "threads"), 20, &noted).Run(long)
		if complete || !multicore.Endless(err) {
			t.Fatalf("complete %v, %v", complete, err)
		}
	}) {
		t.Error("nothing was unbounded")
	}
}

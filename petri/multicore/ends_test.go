package multicore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/multicore"
)

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
	full, rooms := 0, []int64{-1, 0, 2 << 20, 6 << 20, 64 << 20}
	if testing.Short() {
		rooms = rooms[:2] // full at once, and in the middle; hundreds of thousands of markings with more take half a minute
	}
	for _, room := range rooms {
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

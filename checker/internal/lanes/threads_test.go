package lanes

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"sync"
	"testing"
)

// threads returns how many threads the lane of ctx may use.
func threads(ctx context.Context) int {
	n, release := Take(ctx, math.MaxInt)
	release()
	return n
}

// TestThreads: an engine may use the threads that lanes beside it leave. Lanes that wait for lanes of
// their own are not at work.
func TestThreads(t *testing.T) {
	if got := threads(t.Context()); got != 1 {
		t.Errorf("%d threads of no lane", got)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, c := range []struct{ bound, lanes, want int }{
		{0, 1, 4}, {0, 3, 2}, {0, 4, 1}, {0, 9, 1}, {8, 3, 5}, {64, 3, 42}, {3, 3, 1}, {2, 1, 2}, {1, 1, 1},
	} {
		turns := NewTurnstile(c.bound)
		turns.Run(t.Context(), func(outer context.Context) {
			asked := make(chan struct{})
			lanes := []func(context.Context){func(ctx context.Context) {
				defer close(asked)
				derived, cancel := context.WithCancel(ctx)
				defer cancel()
				if got := threads(derived); got != c.want {
					t.Errorf("%d lanes, bound %d: %d threads, expected %d", c.lanes, c.bound, got, c.want)
				}
			}}
			for len(lanes) < c.lanes {
				lanes = append(lanes, func(context.Context) { <-asked })
			}
			turns.Run(outer, lanes...)
			if got, all := threads(outer), cmp.Or(c.bound, 4); got != all {
				t.Errorf("%d lanes, bound %d: %d threads in the end, expected %d", c.lanes, c.bound, got, all)
			}
		})
		if got := turns.busy.Load(); got != 0 {
			t.Errorf("%d lanes at work in the end", got)
		}
	}
}

// TestAskingForThreadsIsNoLook: with one thread, all is counted by looks.
func TestAskingForThreadsIsNoLook(t *testing.T) {
	turns := NewTurnstile(1)
	turns.Run(t.Context(), func(ctx context.Context) {
		if before := turns.Looks(); threads(ctx) != 1 || turns.Looks() != before {
			t.Errorf("%d threads, %d looks, %d before", threads(ctx), turns.Looks(), before)
		}
	})
}

// TestWhoWaitsForAMutexIsSoonAtWork: an engine gets no thread of a lane that waits for a mutex, as it would
// have it long after the lane is at work again. A team does, which gives it back.
func TestWhoWaitsForAMutexIsSoonAtWork(t *testing.T) {
	for _, c := range []struct{ bound, want int }{{2, 1}, {3, 2}, {9, 6}} {
		turns := NewTurnstile(c.bound)
		var mutex sync.Mutex
		held := make(chan struct{})
		turns.Run(t.Context(), func(ctx context.Context) {
			mutex.Lock()
			close(held)
			for turns.busy.Load() > 1 {
				runtime.Gosched()
			}
			if got := threads(ctx); got != c.want {
				t.Errorf("%d threads of %d where one lane waits for a mutex, expected %d", got, c.bound, c.want)
			}
			m, ctx := NewTeam(ctx)
			defer m.Close()
			if !m.Start(2, func(context.Context) bool { return false }) {
				t.Errorf("of %d threads a team gets none where one lane waits for a mutex", c.bound)
			}
			m.Wait(ctx)
			mutex.Unlock()
		}, func(ctx context.Context) {
			<-held
			Lock(ctx, &mutex)
			mutex.Unlock()
		})
		if busy, soon := turns.busy.Load(), turns.soon.Load(); busy != 0 || soon != 0 {
			t.Errorf("in the end %d lanes are at work, and %d soon", busy, soon)
		}
	}
}

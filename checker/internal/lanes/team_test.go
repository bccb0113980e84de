package lanes

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestTeamGrowsIntoFreeThreads: a team has one member more for each thread that no lane uses, and none
// where all are in use. At its end all threads are free again.
func TestTeamGrowsIntoFreeThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, c := range []struct{ bound, lanes, most, want int }{
		{0, 1, 9, 4}, {0, 3, 9, 2}, {0, 4, 9, 1}, {0, 9, 9, 1}, {8, 3, 9, 6}, {8, 3, 4, 4}, {3, 3, 9, 1}, {2, 1, 9, 2}, {1, 1, 9, 1}, {64, 3, 99, 62},
	} {
		turns := NewTurnstile(c.bound)
		asked := make(chan struct{})
		lanes := []func(context.Context){func(ctx context.Context) {
			defer close(asked)
			m, ctx := NewTeam(ctx)
			defer m.Close()
			over, together := make(chan struct{}), new(sync.WaitGroup)
			members := 1
			together.Add(c.want - 1)
			for m.Start(c.most, func(context.Context) bool {
				together.Done()
				<-over
				return false
			}) {
				members++
			}
			if members == c.want {
				together.Wait() // all are at work at the same time
			}
			close(over)
			m.Wait(ctx)
			if members != c.want {
				t.Errorf("%+v: %d members", c, members)
			}
		}}
		for len(lanes) < c.lanes {
			lanes = append(lanes, func(context.Context) { <-asked })
		}
		turns.Run(t.Context(), lanes...)
		if busy := turns.busy.Load(); busy != 0 || len(turns.teams) != 0 {
			t.Errorf("%+v: in the end %d lanes are at work, in %d teams", c, busy, len(turns.teams))
		}
	}
}

// TestTeamsShareThreads: of 8 threads a first team of three lanes takes six. When a second one wants
// some, members of the first leave until both have as many, but for one.
func TestTeamsShareThreads(t *testing.T) {
	turns := NewTurnstile(8)
	var first, second atomic.Int32
	both := make(chan struct{})
	grown := make(chan struct{})
	wait := func(context.Context) { <-both }
	member := func(size *atomic.Int32, m *Team) func(context.Context) bool {
		size.Add(1)
		return func(context.Context) bool {
			for {
				select {
				case <-both:
					return false
				default:
				}
				if m.Leave(math.MaxInt) {
					size.Add(-1)
					return true
				}
				runtime.Gosched()
			}
		}
	}
	turns.Run(t.Context(), func(ctx context.Context) {
		m, ctx := NewTeam(ctx)
		defer m.Close()
		for m.Start(math.MaxInt, member(&first, m)) {
		}
		first.Add(-1) // that was not started
		if got := first.Load(); got != 5 {
			t.Errorf("the first team has %d members beside the first one, expected 5", got)
		}
		close(grown)
		<-both
		m.Wait(ctx)
	}, func(ctx context.Context) {
		<-grown
		m, ctx := NewTeam(ctx)
		defer m.Close()
		for second.Load() < 2 {
			if !m.Start(math.MaxInt, member(&second, m)) {
				second.Add(-1)
			}
			runtime.Gosched()
		}
		for range 1000 { // more would be unjust
			if m.Start(math.MaxInt, member(&second, m)) {
				t.Errorf("the second team has %d members", second.Load())
			} else {
				second.Add(-1)
			}
		}
		close(both)
		m.Wait(ctx)
	}, wait)
	if first.Load() > 3 || first.Load() < 2 {
		t.Errorf("the first team has %d members beside the first one in the end, expected 2 or 3", first.Load())
	}
}

// TestMembersShareWhatEnginesTake: of 64 threads, with two lanes beside, the members of a team of 16 take
// three or four each, and all there are together.
func TestMembersShareWhatEnginesTake(t *testing.T) {
	turns := NewTurnstile(64)
	over := make(chan struct{})
	beside := func(context.Context) { <-over }
	turns.Run(t.Context(), func(ctx context.Context) {
		defer close(over)
		m, ctx := NewTeam(ctx)
		defer m.Close()
		var taken, members sync.WaitGroup
		var sum atomic.Int64
		take := func(ctx context.Context) {
			n, release := Take(ctx, math.MaxInt)
			defer release()
			if n < 3 || n > 4 {
				t.Errorf("a member takes %d threads", n)
			}
			sum.Add(int64(n))
			taken.Done()
			taken.Wait()
		}
		taken.Add(16)
		members.Add(15)
		for range 15 {
			m.Start(16, func(ctx context.Context) bool {
				members.Done()
				members.Wait()
				take(ctx)
				return false
			})
		}
		members.Wait()
		take(ctx)
		m.Wait(ctx)
		if sum.Load() != 62 {
			t.Errorf("all took %d threads, expected 62", sum.Load())
		}
		if n, release := Take(ctx, 28); n != 28 {
			t.Errorf("alone %d threads, expected the 28 that were asked for", n)
		} else {
			release()
		}
	}, beside, beside)
}

// TestEnginesLeaveThreadsToTeams: an engine gets no further threads where a team waits for one.
func TestEnginesLeaveThreadsToTeams(t *testing.T) {
	turns := NewTurnstile(4)
	taken, waits, over := make(chan struct{}), make(chan struct{}), make(chan struct{})
	turns.Run(t.Context(), func(ctx context.Context) {
		defer close(over)
		n, release := Take(ctx, math.MaxInt)
		if close(taken); n != 3 {
			t.Errorf("%d threads, expected 3", n)
		}
		<-waits
		release()
		if n, release = Take(ctx, math.MaxInt); n != 1 {
			t.Errorf("%d threads where a team waits, expected 1", n)
		}
		release()
	}, func(ctx context.Context) {
		<-taken
		m, ctx := NewTeam(ctx)
		defer m.Close()
		nothing := func(context.Context) bool { return false }
		if m.Start(9, nothing) {
			t.Error("a team grows where no thread is free")
		}
		close(waits)
		<-over
		if !m.Start(9, nothing) {
			t.Error("a team does not grow where threads have come free")
		}
		m.Wait(ctx)
	})
}

// TestLargerTeamDoesNotGrow where a smaller one waits for a thread, which the smaller one gets.
func TestLargerTeamDoesNotGrow(t *testing.T) {
	turns := NewTurnstile(4)
	full, waits, over := make(chan struct{}), make(chan struct{}), make(chan struct{})
	nothing := func(context.Context) bool { return false }
	turns.Run(t.Context(), func(ctx context.Context) {
		m, ctx := NewTeam(ctx)
		defer m.Close()
		m.Start(9, func(context.Context) bool {
			<-over
			return false
		})
		_, release := Take(ctx, 2)
		close(full)
		<-waits
		release()
		if m.Start(9, nothing) {
			t.Error("the larger team takes the thread")
		}
		close(over)
		m.Wait(ctx)
	}, func(ctx context.Context) {
		<-full
		m, ctx := NewTeam(ctx)
		defer m.Close()
		if m.Start(9, nothing) {
			t.Error("a thread is free")
		}
		close(waits)
		<-over
		if !m.Start(9, nothing) {
			t.Error("the smaller team does not take the thread")
		}
		m.Wait(ctx)
	})
}

// TestWhoWaitsIsNoMember: while the first member waits, another one may take its place.
func TestWhoWaitsIsNoMember(t *testing.T) {
	turns := NewTurnstile(2)
	turns.Run(t.Context(), func(ctx context.Context) {
		m, ctx := NewTeam(ctx)
		defer m.Close()
		m.Start(2, func(context.Context) bool {
			for end := time.Now().Add(10 * time.Second); !m.Start(2, func(context.Context) bool { return false }); runtime.Gosched() {
				if time.Now().After(end) {
					t.Error("nobody takes the place of the first member")
					break
				}
			}
			return false
		})
		m.Wait(ctx)
	})
}

// TestThreadsAddUp: whatever teams start, leave and take in whatever order, no more lanes are at work than there
// are threads, once there are no more lanes than threads, but for those that come back from waiting, and none in the end.
func TestThreadsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all, lanes := rapid.IntRange(2, 9).Draw(t, "threads"), rapid.IntRange(1, 3).Draw(t, "lanes")
		seeds := rapid.SliceOfN(rapid.Uint8(), 20, 60).Draw(t, "steps")
		turns := NewTurnstile(max(all, lanes))
		look := func() {
			// A lane that waited comes back beside members of others that took its thread meanwhile, and leave then.
			if busy := turns.busy.Load(); busy > int64(max(all, lanes)+lanes-1) || busy < 0 {
				t.Errorf("%d lanes are at work on %d threads", busy, all)
			}
		}
		lane := func(ctx context.Context) {
			m, ctx := NewTeam(ctx)
			defer m.Close()
			var work func(ctx context.Context, steps []uint8, first bool) bool
			work = func(ctx context.Context, steps []uint8, first bool) bool {
				for i, s := range steps {
					look()
					switch s % 4 {
					case 0:
						m.Start(all, func(ctx context.Context) bool { return work(ctx, steps[i+1:], false) })
					case 1:
						n, release := Take(ctx, 1+int(s/4)%8)
						runtime.Gosched()
						if n < 1 {
							t.Errorf("%d threads", n)
						}
						release()
					case 2:
						if !first && m.Leave(1+int(s/4)%8) {
							return true
						}
					case 3:
						_ = ctx.Err()
					}
				}
				return false
			}
			work(ctx, seeds, true)
			m.Wait(ctx)
			if m != nil && m.size != 1 {
				t.Errorf("%d members in the end", m.size)
			}
		}
		list := make([]func(context.Context), lanes)
		for i := range list {
			list[i] = lane
		}
		turns.Run(context.Background(), list...)
		turns.mutex.Lock()
		defer turns.mutex.Unlock()
		for range 10_000 { // a member that nobody waits for gives its turn back after it counts as ended
			if turns.free == max(all, lanes) && turns.lanes == 0 {
				break
			}
			turns.mutex.Unlock()
			time.Sleep(time.Millisecond)
			turns.mutex.Lock()
		}
		if busy := turns.busy.Load(); busy != 0 || len(turns.teams) != 0 || turns.free != max(all, lanes) || turns.lanes != 0 {
			t.Errorf("in the end %d at work, %d teams, %d turns free, %d lanes", busy, len(turns.teams), turns.free, turns.lanes)
		}
	})
}

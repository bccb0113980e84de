package turns

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/checker/internal/lanes"
)

// toDecide are things that need so much time and memory each, and what was tried. The time is that of the slices
// that they get, not of the clock.
type toDecide struct {
	needs, sizes []int // slices until one suffices; memory
	hopeless     []bool
	room         int // memory there is; 0: no bound

	mutex   sync.Mutex
	decided []bool
	tries   [][]time.Duration // slices
	working map[int]bool
	used    int // memory
	freed   int // tries that gave memory back
	most    int // at work at the same time
	full    int // tries that found no memory
	faults  []string
}

const first, growth = time.Millisecond, 2

// queue returns a queue of the things.
func (d *toDecide) queue(beside int) *Queue[int] {
	d.decided, d.tries, d.working = make([]bool, len(d.needs)), make([][]time.Duration, len(d.needs)), make(map[int]bool)
	q := &Queue[int]{First: first, Growth: growth, Beside: beside, Try: d.try}
	q.IsOpen = func(k int) bool {
		d.mutex.Lock()
		defer d.mutex.Unlock()
		return !d.decided[k]
	}
	q.Open = func() (open []int) {
		for k := range d.needs {
			if q.IsOpen(k) {
				open = append(open, k)
			}
		}
		return open
	}
	q.Share = func(int, time.Duration) time.Duration { return time.Hour }
	if d.room > 0 {
		q.Memory = NewRoom[int](func() int64 {
			d.mutex.Lock()
			defer d.mutex.Unlock()
			return int64(d.room - d.used)
		}, func() {}, nil)
	}
	return q
}

// try takes memory, gives way to others, and ends as the thing wants it. One that finds no memory ends when
// another has given some back: to fill memory takes time, in which the others go on, however the system
// shares out processors.
func (d *toDecide) try(ctx context.Context, k int, slice time.Duration) (Outcome, error) {
	d.mutex.Lock()
	if d.working[k] || d.decided[k] {
		d.faults = append(d.faults, fmt.Sprintf("%d is tried twice at the same time, or though it is decided", k))
	}
	if n := len(d.tries[k]); n > 0 && slice < d.tries[k][n-1]*growth {
		d.faults = append(d.faults, fmt.Sprintf("slices of %d: %v, then %v", k, d.tries[k], slice))
	}
	d.working[k] = true
	d.tries[k] = append(d.tries[k], slice)
	d.most = max(d.most, len(d.working))
	size := 0
	if d.room > 0 {
		size = d.sizes[k]
	}
	full := d.used+size > d.room && d.room > 0
	switch {
	case !full:
		d.used += size
	case d.full > 4*len(d.needs):
		d.faults = append(d.faults, fmt.Sprintf("after %d tries without memory %d are still tried beside each other", d.full, len(d.working)))
	default:
		d.full++
	}
	freed := d.freed
	d.mutex.Unlock()
	giveWay(ctx, 20)
	d.mutex.Lock()
	defer d.mutex.Unlock()
	for full && d.freed == freed {
		d.mutex.Unlock()
		giveWay(ctx, 1)
		d.mutex.Lock()
	}
	delete(d.working, k)
	switch {
	case full:
		return Crowded, nil
	case slice >= first<<d.needs[k]:
		d.decided[k] = !d.hopeless[k]
		d.used, d.freed = d.used-size, d.freed+1
		return Hopeless, nil
	}
	d.used, d.freed = d.used-size, d.freed+1
	return Again, nil
}

// giveWay lets others work, so many times: other goroutines, and other lanes.
func giveWay(ctx context.Context, times int) {
	for range times {
		runtime.Gosched()
		_ = ctx.Err()
	}
}

// run runs a queue as the lane of a turnstile with so many threads.
func run(t interface{ Context() context.Context }, q *Queue[int], threads int) (err error) {
	lanes.NewTurnstile(threads).Run(t.Context(), func(ctx context.Context) { err = q.Run(ctx) })
	return err
}

// TestBesideDecidesTheSame: beside each other the same things are decided as one after the other, each with slices
// that grow, by one member at a time, and no more of them at the same time than there are threads. One after the
// other, the slices are those of the rounds.
func TestBesideDecidesTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "things")
		d := &toDecide{
			needs:    rapid.SliceOfN(rapid.IntRange(0, 6), n, n).Draw(t, "needs"),
			hopeless: rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "hopeless"),
		}
		threads, beside := rapid.IntRange(1, 9).Draw(t, "threads"), rapid.IntRange(0, 9).Draw(t, "beside")
		if err := run(t, d.queue(beside), threads); err != nil {
			t.Fatal(err)
		}
		for k := range n {
			if d.decided[k] == d.hopeless[k] {
				t.Errorf("%d is decided: %v", k, d.decided[k])
			}
			want := make([]time.Duration, d.needs[k]+1)
			for i := range want {
				want[i] = first << i
			}
			if min(threads, beside) <= 1 && !slices.Equal(d.tries[k], want) {
				t.Errorf("slices of %d: %v, expected %v", k, d.tries[k], want)
			}
		}
		if d.most > max(1, min(threads, beside)) {
			t.Errorf("%d were tried at the same time, with %d threads, of %d allowed", d.most, threads, beside)
		}
		if len(d.faults) > 0 {
			t.Error(strings.Join(d.faults, "\n"))
		}
	})
}

// TestBesideFillsThreads: as many are tried at the same time as there are threads.
func TestBesideFillsThreads(t *testing.T) {
	for threads := 1; threads <= 8; threads++ {
		var meeting sync.WaitGroup
		meeting.Add(threads)
		open := threads
		var mutex sync.Mutex
		q := &Queue[int]{First: time.Minute, Growth: 2, Beside: math.MaxInt, IsOpen: func(int) bool { return true }}
		q.Open = func() (list []int) {
			mutex.Lock()
			defer mutex.Unlock()
			for k := range open {
				list = append(list, k)
			}
			return list
		}
		q.Try = func(context.Context, int, time.Duration) (Outcome, error) {
			meeting.Done()
			meeting.Wait() // for ever, if fewer are at work
			mutex.Lock()
			defer mutex.Unlock()
			open = 0
			return Hopeless, nil
		}
		if err := run(t, q, threads); err != nil {
			t.Error(err)
		}
	}
}

// TestMemoryIsOfAll: where things fit into the memory one by one, but not beside each other, all are decided, and
// none waits for more memory than there is. Soon one is tried at a time, if there is memory for one only.
func TestMemoryIsOfAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "things")
		d := &toDecide{
			room:  100,
			sizes: rapid.SliceOfN(rapid.IntRange(rapid.SampledFrom([]int{1, 51}).Draw(t, "least"), 100), n, n).Draw(t, "sizes"),
			needs: rapid.SliceOfN(rapid.IntRange(0, 9), n, n).Draw(t, "needs"), hopeless: make([]bool, n),
		}
		if err := run(t, d.queue(n), rapid.IntRange(1, 9).Draw(t, "threads")); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(d.decided, false) {
			t.Errorf("decided: %v", d.decided)
		}
		if len(d.faults) > 0 {
			t.Error(strings.Join(d.faults, "\n"))
		}
	})
}

// TestErrorEndsTriesBeside, and so do a panic, which comes out of Run, and the end of the context.
func TestErrorEndsTriesBeside(t *testing.T) {
	broken := errors.New("broken")
	for _, way := range []string{"error", "panic", "panic of the first", "context"} {
		ctx, cancel := context.WithCancel(t.Context())
		ending := 3 // which ends all
		if way == "panic of the first" {
			ending = 0 // which the first member takes
		}
		var begun sync.WaitGroup
		begun.Add(4)
		q := &Queue[int]{First: time.Hour, Growth: 2, Beside: 4, Open: func() []int { return []int{0, 1, 2, 3} }, IsOpen: func(int) bool { return true }}
		q.Try = func(part context.Context, k int, _ time.Duration) (Outcome, error) {
			begun.Done()
			begun.Wait()
			if k == ending {
				switch way {
				case "error":
					return Again, broken
				case "panic", "panic of the first":
					panic("a defect")
				}
				cancel()
			}
			<-part.Done()
			return Again, nil
		}
		var defect any
		var err error
		lanes.NewTurnstile(4).Run(ctx, func(ctx context.Context) {
			defer func() { defect = recover() }()
			err = q.Run(ctx)
		})
		switch {
		case way == "error" && !errors.Is(err, broken), way == "context" && !errors.Is(err, context.Canceled),
			strings.HasPrefix(way, "panic") && !strings.Contains(fmt.Sprint(defect), "a defect"):
			t.Errorf("%s: error %v, panic %v", way, err, defect)
		}
		cancel()
	}
}

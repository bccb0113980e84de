package lanes

import (
	"context"
	"errors"
	"testing"
	"time"
)

// work looks at a context until it ends, and reports how often.
func work(ctx context.Context, most int) (looks int) {
	for ; ctx.Err() == nil && looks < most; looks++ {
	}
	return looks
}

// TestSlicesAreCountedInLooks: with one thread a slice ends after the same work in each run,
// whatever the machine does meanwhile; what is derived of it ends with it.
func TestSlicesAreCountedInLooks(t *testing.T) {
	for _, pause := range []time.Duration{0, 30 * time.Millisecond} {
		NewTurnstile(1).Run(t.Context(), func(ctx context.Context) {
			for i := range 3 {
				part, cancel := Sliced(ctx, 20*time.Millisecond)
				inner, stop := context.WithCancel(part)
				time.Sleep(pause)
				if looks := work(part, 1000); looks != 20*looksPerMillisecond-2 { // WithCancel looks, too, and so does the last
					t.Errorf("slice %d: %d looks after a pause of %v", i, looks, pause)
				}
				if !errors.Is(part.Err(), context.DeadlineExceeded) || inner.Err() == nil {
					t.Errorf("slice %d: %v, %v", i, part.Err(), inner.Err())
				}
				stop()
				cancel()
				if ctx.Err() != nil {
					t.Errorf("the lane ended with its slice: %v", ctx.Err())
				}
			}
		})
	}
}

// TestInnerSliceLeavesTheOuter: a slice within a slice ends alone, and with the outer one.
func TestInnerSliceLeavesTheOuter(t *testing.T) {
	NewTurnstile(1).Run(t.Context(), func(ctx context.Context) {
		outer, cancel := Sliced(ctx, 100*time.Millisecond)
		defer cancel()
		inner, stop := Sliced(outer, 10*time.Millisecond)
		if work(inner, 1000) >= 10*looksPerMillisecond || outer.Err() != nil {
			t.Errorf("inner %v, outer %v", inner.Err(), outer.Err())
		}
		stop()
		wide, stop := Sliced(outer, time.Hour)
		defer stop()
		if work(wide, 1000) >= 100*looksPerMillisecond || outer.Err() == nil {
			t.Errorf("wide %v, outer %v", wide.Err(), outer.Err())
		}
	})
}

// TestSliceEndsByTheClock where nobody looks.
func TestSliceEndsByTheClock(t *testing.T) {
	NewTurnstile(1).Run(t.Context(), func(ctx context.Context) {
		part, cancel := Sliced(ctx, time.Millisecond)
		defer cancel()
		<-part.Done()
		if !errors.Is(part.Err(), context.DeadlineExceeded) {
			t.Error(part.Err())
		}
	})
}

// TestSharesOfTheTimeAreCountedInLooks: with one thread a share of the whole time ends after
// the same work of all lanes in each run, whatever the machine does meanwhile; by the clock
// it ends when twice the time is over.
func TestSharesOfTheTimeAreCountedInLooks(t *testing.T) {
	const share = 200 * time.Millisecond
	for _, pause := range []time.Duration{0, 30 * time.Millisecond} {
		turns := NewTurnstile(1)
		turns.Run(t.Context(), func(ctx context.Context) { work(ctx, 50) })
		began, total := turns.Looks(), 0
		if began != 51 { // the last one does not count as work
			t.Errorf("%d looks", began)
		}
		lane := func(ctx context.Context) {
			part, cancel := UntilAfter(ctx, time.Now(), share, began)
			defer cancel()
			time.Sleep(pause)
			total += work(part, 1000)
			if !errors.Is(part.Err(), context.DeadlineExceeded) || ctx.Err() != nil {
				t.Errorf("%v, %v", part.Err(), ctx.Err())
			}
		}
		turns.Run(t.Context(), lane, lane)
		if want := int(share/time.Millisecond) * looksPerMillisecond; total > want || total < want-looksPerTurn {
			t.Errorf("%d looks after a pause of %v, expected about %d", total, pause, want)
		}
	}
	NewTurnstile(1).Run(t.Context(), func(ctx context.Context) {
		part, cancel := UntilAfter(ctx, time.Now(), time.Millisecond, 1000)
		defer cancel()
		<-part.Done() // nobody looks
	})
	turns := NewTurnstile(1)
	turns.Run(t.Context(), func(ctx context.Context) { work(ctx, 49) }) // and a last look
	if got := turns.Elapsed(time.Now().Add(-time.Hour), 10); got != 20*time.Millisecond {
		t.Errorf("40 looks are %v", got)
	}
	if got := NewTurnstile(2).Elapsed(time.Now().Add(-time.Hour), 10); got < time.Hour {
		t.Errorf("with two threads an hour is %v", got)
	}
	for n, want := range map[int]int{0: 0, 7: 7, 99: 99, 100: 100, 5682: 5600, 5699: 5600, 123456: 120000} {
		if got := rounded(n); got != want {
			t.Errorf("%d: %d", n, got)
		}
	}
}

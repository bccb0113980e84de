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

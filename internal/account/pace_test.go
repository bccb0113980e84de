package account

import (
	"context"
	"testing"
	"time"
)

// TestPace: work rests at its looks while it is to give way, and only then.
func TestPace(t *testing.T) {
	p := new(Pace)
	inner, cancel := context.WithCancel(WithPace(context.Background(), p))
	defer cancel()
	const looks = 20
	took := func(ctx context.Context) time.Duration {
		a := New(Budget{})
		a.Begin(ctx)
		begin := time.Now()
		for range looks {
			if err := a.Charge(lookEvery); err != nil {
				t.Fatal(err)
			}
		}
		return time.Since(begin)
	}
	p.GiveWay(true)
	if d := took(inner); d < looks*restAfterLook {
		t.Errorf("work that gives way made %d looks in %v", looks, d)
	}
	quick := took(context.Background())
	p.GiveWay(false)
	if d := min(took(inner), took(inner), took(inner), quick); d >= looks*restAfterLook {
		t.Errorf("work that need not give way made %d looks in %v", looks, d)
	}
}

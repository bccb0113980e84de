package lazy_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"pnmc/internal/lazy"
)

var weekend = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{"Saturday": true, "Sunday": true}
}}

func ExampleValue() {
	fmt.Println(weekend.Get()["Sunday"], weekend.Get()["Monday"])
	// Output: true false
}

// A value is made once, when it is asked for, however many ask for it at a time.
func TestMadeOnce(t *testing.T) {
	var calls atomic.Int64
	v := lazy.Value[*int]{Make: func() *int { calls.Add(1); return new(int) }}
	if calls.Load() != 0 {
		t.Fatal("made before it is asked for")
	}
	got := make([]*int, 8)
	var all sync.WaitGroup
	for i := range got {
		all.Go(func() { got[i] = v.Get() })
	}
	all.Wait()
	for _, p := range got {
		if p != got[0] || p == nil {
			t.Errorf("%v beside %v", p, got[0])
		}
	}
	if calls.Load() != 1 {
		t.Errorf("made %d times", calls.Load())
	}
}

// Values with nothing in them are made once, too.
func TestNil(t *testing.T) {
	calls := 0
	v := lazy.Value[error]{Make: func() error { calls++; return nil }}
	for range 3 {
		if v.Get() != nil {
			t.Error("not nil")
		}
	}
	if calls != 1 {
		t.Errorf("made %d times", calls)
	}
}

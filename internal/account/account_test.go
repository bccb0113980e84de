package account

import (
	"context"
	"errors"
	"math"
	"runtime"
	"testing"
)

func BenchmarkLook(b *testing.B) {
	a := New(Budget{MemoryBytes: 64 << 30})
	a.Begin(context.Background())
	for b.Loop() {
		if err := a.Look(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCharge(b *testing.B) {
	a := New(Budget{MemoryBytes: 64 << 30})
	a.Begin(context.Background())
	for b.Loop() {
		if err := a.Charge(100); err != nil {
			b.Fatal(err)
		}
	}
}

// The reason to stop is told at the first charge, and then for each mebibyte.
func TestChargeLooks(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	a := New(Budget{})
	a.Begin(ctx)
	if err := a.Charge(1); err != nil {
		t.Errorf("error %v of a question that goes on", err)
	}
	reason := errors.New("over")
	cancel(reason)
	charged := 0
	for a.Charge(1000) == nil {
		charged += 1000
	}
	if charged > lookEvery {
		t.Errorf("%d charged before a look", charged)
	}
	if err := a.Look(); err != reason {
		t.Errorf("error %v, expected the reason of the context", err)
	}
	a.Begin(context.Background())
	if err := a.Charge(1); err != nil {
		t.Errorf("the next question begins with %v", err)
	}
	a.Begin(ctx)
	if err := a.Charge(0); err != reason {
		t.Errorf("the first charge says %v", err)
	}
}

// Memory that is held counts, garbage does not, and what there is no room for is not
// allocated.
func TestMemoryCounts(t *testing.T) {
	limit := InUse() + 200<<20
	a := New(Budget{MemoryBytes: limit})
	a.Begin(context.Background())
	hold := func(bytes int) []byte {
		held := make([]byte, bytes)
		for i := 0; i < len(held); i += 4096 {
			held[i] = 1
		}
		return held
	}
	for range 10 {
		hold(100 << 20)
		if err := a.Look(); err != nil {
			t.Fatalf("garbage counts: %v", err)
		}
	}
	held := hold(100 << 20)
	if err := a.Look(); err != nil {
		t.Errorf("half of the memory is in use: %v", err)
	}
	var full *MemoryError
	if err := a.Reserve(150 << 20); !errors.As(err, &full) || full.Limit != limit {
		t.Errorf("error %v, expected that there is no room", err)
	}
	if err := Room(a, make([]uint64, 0), 150<<17); !errors.As(err, &full) {
		t.Errorf("error %v, expected that there is no room", err)
	}
	more := hold(100 << 20)
	if err := a.Look(); !errors.As(err, &full) {
		t.Errorf("error %v, expected that memory is full", err)
	}
	runtime.KeepAlive(held)
	runtime.KeepAlive(more)
	held, more = nil, nil
	_, _ = held, more
	if err := a.Look(); err != nil {
		t.Errorf("memory was given back: %v", err)
	}
}

// An account without limits never stops.
func TestZeroAccount(t *testing.T) {
	var a Account
	if err := a.Reserve(math.MaxInt); err != nil {
		t.Error(err)
	}
	if err := a.Look(); err != nil {
		t.Error(err)
	}
}

// What works within a context that carries a budget finds out that it is spent, and ends it
// for all who work within it.
func TestBudgetInContext(t *testing.T) {
	var full *MemoryError
	for name, look := range map[string]func(context.Context) error{
		"account": func(ctx context.Context) error { return Of(ctx).Charge(1) },
		"reserve": func(ctx context.Context) error { return Of(ctx).Reserve(1 << 30) },
		"reason":  Reason,
	} {
		spent, stop := Within(context.Background(), Budget{MemoryBytes: InUse() / 2})
		derived, cancel := context.WithCancel(spent)
		if err := look(derived); !errors.As(err, &full) {
			t.Errorf("%s: %v, expected that memory is full", name, err)
		}
		if err := context.Cause(derived); !errors.As(err, &full) {
			t.Errorf("%s: the context goes on: %v", name, err)
		}
		cancel()
		stop(nil)
		wide, stop := Within(context.Background(), Budget{MemoryBytes: 64 << 30})
		if err := look(wide); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		part, end := context.WithCancelCause(wide)
		over := errors.New("over")
		end(over)
		if err := look(part); err != over || wide.Err() != nil {
			t.Errorf("%s: %v of a part that is over, and then %v of the whole", name, err, wide.Err())
		}
		stop(context.Canceled)
		if err := look(wide); err != context.Canceled {
			t.Errorf("%s: %v of a context that was stopped", name, err)
		}
	}
	//lint:ignore SA1012 callers of the library may pass none
	if err := Of(nil).Reserve(math.MaxInt); err != nil {
		t.Error(err)
	}
}

// A meter keeps the reason to stop, even if the account begins anew.
func TestMeterKeepsTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	a := New(Budget{})
	a.Begin(ctx)
	m := Meter{Account: a}
	if !m.Asked(1) || m.End != nil {
		t.Errorf("stops with %v before the end", m.End)
	}
	reason := errors.New("over")
	cancel(reason)
	if m.Asked(lookEvery) || !errors.Is(m.End, reason) {
		t.Errorf("end %v, want %v", m.End, reason)
	}
	a.Begin(context.Background())
	if m.Asked(lookEvery) || !errors.Is(m.End, reason) {
		t.Errorf("goes on after the end, which is %v", m.End)
	}
}

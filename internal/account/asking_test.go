package account

import (
	"context"
	"errors"
	"testing"
)

// TestAsking: a context asks its limit at each look, and an account of it, or of what was made of it,
// for what it is to reserve. Once the limit has said no, it is not asked again.
func TestAsking(t *testing.T) {
	full := errors.New("full")
	asked, looks := 0, 0
	limit := func(bytes int) error {
		looks++
		if asked += bytes; asked > 100<<20 {
			return full
		}
		return nil
	}
	ctx := Asking(limit, 1<<10)
	if Reason(ctx) != nil || asked != 1<<10 {
		t.Errorf("a look asks for %d bytes", asked)
	}
	derived, stop := context.WithCancel(ctx)
	defer stop()
	if err := Of(derived).Reserve(20 << 20); err != nil || asked < 20<<20 {
		t.Errorf("reserving 20 MB asks for %d bytes: %v", asked, err)
	}
	if err := Of(ctx).Reserve(200 << 20); err != full {
		t.Errorf("reserving 200 MB: %v", err)
	}
	looks, asked = 0, 0
	for name, err := range map[string]error{"reason": Reason(ctx), "error": ctx.Err(), "charge": Of(ctx).Charge(1), "reserve": Of(ctx).Reserve(1 << 30)} {
		if err != full {
			t.Errorf("%s after the end: %v", name, err)
		}
	}
	if looks > 0 {
		t.Errorf("asked %d times after the end", looks)
	}
}

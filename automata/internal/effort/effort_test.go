package effort_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pnmc/automata/internal/effort"
)

// TestSpend spends all the work there is, and no more.
func TestSpend(t *testing.T) {
	bound := effort.New(context.Background(), 10)
	if !bound.Spend(4) || !bound.Spend(6) || bound.Err != nil {
		t.Fatalf("what is allowed is refused: %v", bound.Err)
	}
	if bound.Spend(1) || !errors.Is(bound.Err, effort.ErrSpent) {
		t.Fatalf("one more is allowed: %v", bound.Err)
	}
	if bound.Spend(0) {
		t.Fatal("what has ended goes on")
	}
}

// TestSpendLooksAtTheContext ends with the context after some work, not at once, and tells its
// error rather than that the work is spent.
func TestSpendLooksAtTheContext(t *testing.T) {
	reason := errors.New("reason")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(reason)
	bound, spent := effort.New(ctx, 1<<30), 0
	for bound.Spend(1 << 10) {
		if spent += 1 << 10; spent > 1<<20 {
			t.Fatal("the end of the context is not seen")
		}
	}
	if spent == 0 || bound.Err != reason {
		t.Fatalf("after %d: %v", spent, bound.Err)
	}
	if bound := effort.New(ctx, 0); bound.Spend(1<<20) || bound.Err != reason {
		t.Fatalf("%v", bound.Err)
	}
}

func ExampleBound() {
	bound := effort.New(context.Background(), 100)
	steps := 0
	for bound.Spend(30) {
		steps++
	}
	fmt.Println(steps, bound.Err)
	// Output: 3 too much work for this acceptance condition or these labels
}

package symbolic_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pnmc/petri"
	"pnmc/symbolic"
)

// twoForks returns philosophers who take one fork after the other, so that they can deadlock
// in one way: all have their first.
func twoForks(t testing.TB, n int) *petri.Net {
	initial := map[string]int64{}
	var lines []string
	for i := range n {
		initial[fmt.Sprint("T", i)], initial[fmt.Sprint("F", i)] = 1, 1
		j := (i + 1) % n
		lines = append(lines, fmt.Sprintf("left%d: T%[1]d F%[1]d -> L%[1]d", i), fmt.Sprintf("right%d: L%[1]d F%d -> E%[1]d", i, j),
			fmt.Sprintf("back%d: E%[1]d -> T%[1]d F%[1]d F%d", i, j))
	}
	return netOf(t, initial, lines...)
}

// TestDeadlocksOfManyPhilosophers finds the one deadlock in time that is about
// proportional to the number of philosophers: to unite the states that are none takes
// minutes.
func TestDeadlocksOfManyPhilosophers(t *testing.T) {
	const n = 2000
	space, err := symbolic.Explore(t.Context(), twoForks(t, n), symbolic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	before := space.Forest.Nodes()
	dead, err := space.DeadlockCount(t.Context())
	if err != nil || dead.Int64() != 1 {
		t.Fatalf("%v deadlocks, %v, want 1", dead, err)
	}
	if made := space.Forest.PeakNodes() - before; made > 50*n {
		t.Errorf("%d nodes made to find the deadlock of %d philosophers", made, n)
	}
}

// TestCountsEndWithContext: what takes long after an exploration ends with the context.
func TestCountsEndWithContext(t *testing.T) {
	space, err := symbolic.Explore(t.Context(), twoForks(t, 1000), symbolic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)
	if n, err := space.Firings(ctx); !errors.Is(err, enough) {
		t.Errorf("%v firings, %v", n, err)
	}
	if n, err := space.DeadlockCount(ctx); !errors.Is(err, enough) {
		t.Errorf("%v deadlocks, %v", n, err)
	}
	if n, err := space.DeadlockCount(t.Context()); err != nil || n.Int64() != 1 {
		t.Errorf("afterwards %v deadlocks, %v", n, err)
	}
}

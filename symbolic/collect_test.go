package symbolic

import (
	"errors"
	"testing"

	"pnmc/internal/petritest"
	"pnmc/symbolic/order"
)

// TestExplorationWithCollectionAtEveryStep collects dead nodes whenever a node is
// made, all through exploring a net and asking about it, by each method. What a root
// was forgotten for would be lost or given to another set.
func TestExplorationWithCollectionAtEveryStep(t *testing.T) {
	s, _, err := netSystem(t.Context(), petritest.Philosophers(4))
	must(t, err)
	for _, m := range []Method{Saturation, Chaining, BreadthFirst} {
		sp, err := newSpace(t.Context(), s, order.Declared(len(s.Names)), Options{Memory: 0})
		must(t, err)
		f := sp.forest
		f.eager = true
		sp.relation.merge()
		n, err := sp.reach(t.Context(), m)
		must(t, err)
		space := sp.result("declared", n)
		if got := space.States().Int64(); got != 81 {
			t.Errorf("%v: %d states, want 81", m, got)
		}
		dead, err := space.DeadlockCount(t.Context())
		must(t, err)
		if dead.Int64() != 2 {
			t.Errorf("%v: %v deadlocks, want 2", m, dead)
		}
		// From every state some philosopher may go on for ever, or all are stuck.
		forEver, err := space.ExistsGlobally(t.Context(), space.Reachable)
		must(t, err)
		if forEver != space.Reachable {
			t.Errorf("%v: a path ends other than in a deadlock", m)
		}
		back, err := space.ExistsUntil(t.Context(), space.Reachable, space.Initial)
		must(t, err)
		if got := f.Count(back).Int64(); got != 79 {
			t.Errorf("%v: %d states lead back, want all but the 2 deadlocks", m, got)
		}
		if f.Collections() < 500 {
			t.Errorf("%v: only %d collections", m, f.Collections())
		}
	}
}

// TestMemoryBudgetOfMethods runs out of memory by each method, at each of several
// budgets, and looks at what the tables take whenever the forest polls.
func TestMemoryBudgetOfMethods(t *testing.T) {
	s, _, err := netSystem(t.Context(), petritest.Kanban(30))
	must(t, err)
	for _, m := range []Method{Saturation, Chaining, BreadthFirst} {
		for _, budget := range []int64{1 << 17, 1 << 19, 1 << 21} {
			// A bad order: the cells interleave, so that the budget is too small.
			order := order.Declared(len(s.Names))
			for i := range order {
				order[i] = i * 7 % len(order)
			}
			sp, err := newSpace(t.Context(), s, order, Options{Memory: budget})
			must(t, err)
			largest := int64(0)
			sp.forest.pause = func() { largest = max(largest, sp.forest.Memory()) }
			if _, err := sp.reach(t.Context(), m); !errors.Is(err, ErrMemory) {
				t.Fatalf("%v, budget %d: got %v, want %v", m, budget, err, ErrMemory)
			}
			if largest = max(largest, sp.forest.Memory()); largest > budget {
				t.Errorf("%v, budget %d: %d bytes in use", m, budget, largest)
			}
		}
	}
}

package symbolic

import (
	"errors"
	"testing"

	"pnmc/petri/petritest"
)

// TestMemoryUnderConstruction: edges of nodes to be made keep to the budget too.
func TestMemoryUnderConstruction(t *testing.T) {
	const budget = 1 << 20
	f := NewForest(3, budget)
	_, err := f.guarded([]Node{Unit}, func() Node {
		for range budget {
			f.push(Unit)
		}
		return Unit
	})
	if !errors.Is(err, ErrMemory) || f.Memory() > budget {
		t.Errorf("%d bytes of %d, %v", f.Memory(), budget, err)
	}
	if _, err := f.Singleton([]uint32{1, 2, 3}); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// TestMemoryOfCounts: numbers of vectors keep to the budget, and Memory has room for
// the layout that they take.
func TestMemoryOfCounts(t *testing.T) {
	space, err := Explore(t.Context(), petritest.Philosophers(200), Options{})
	must(t, err)
	f := space.Forest
	l := f.reachable(space.Reachable)
	if took := 4 * (cap(l.index) + cap(l.nodes)); took > layoutBytes*cap(f.nodes) {
		t.Errorf("a layout of %d nodes takes %d bytes", cap(f.nodes), took)
	}
	if least := int64(cap(f.nodes)*(nodeBytes+layoutBytes) + cap(f.edges)*8); f.Memory() < least {
		t.Errorf("%d bytes, of which tables and layout take %d", f.Memory(), least)
	}
	f.setBudget(f.Memory())
	if n, err := space.Firings(t.Context()); !errors.Is(err, ErrMemory) {
		t.Errorf("%v firings without memory, %v", n, err)
	}
	f.setBudget(DefaultMemory)
	if _, err := space.Firings(t.Context()); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

package symbolic

import (
	"errors"
	"math"
	"testing"

	"pnmc/internal/petritest"
	"pnmc/petri"
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

// TestMemoryOfRules: the rules of relations are within the budget where an operation can
// stop, and counted elsewhere.
func TestMemoryOfRules(t *testing.T) {
	f := NewForest(100, 0)
	before := f.Memory()
	r := f.NewRelation()
	add := func(i int) { must(t, r.Add([]Step{{Level: i%100 + 1, Low: uint32(i), High: uint32(i), Delta: 1}})) }
	for i := range 1000 {
		add(i)
	}
	if took := f.Memory() - before; took < 1000*(alternativeBytes+listedBytes) {
		t.Errorf("1000 rules take %d bytes", took)
	}
	f.setBudget(f.Memory() + 4096)
	_, err := f.guarded(nil, func() Node {
		for i := range 100000 {
			add(i)
		}
		return Empty
	})
	if !errors.Is(err, ErrMemory) || f.Memory() > f.budget {
		t.Errorf("%d bytes of %d, %v", f.Memory(), f.budget, err)
	}
}

// TestMemoryOfRace: there are no more runners than have room for what each takes before it
// runs, and the winner has the whole budget afterwards.
func TestMemoryOfRace(t *testing.T) {
	net := petritest.Philosophers(400)
	alone, err := Explore(t.Context(), net, Options{Heuristic: "groups-follow"})
	must(t, err)
	for _, times := range []int64{1, 2, 4, 16} {
		budget := times * alone.Forest.Memory()
		s, err := Explore(t.Context(), net, Options{Memory: budget})
		must(t, err)
		if s.States().Cmp(alone.States()) != 0 || s.Forest.budget != budget || s.Forest.Memory() > budget {
			t.Errorf("%v states, %d bytes of %d, of which the forest may use %d", s.States(), s.Forest.Memory(), budget, s.Forest.budget)
		}
	}
	var r race
	r.options.Memory = 10 * roomToRun
	r.runners = []*runner{{}, {}, {}, {}}
	if r.crowd(4); len(r.runners) != 2 {
		t.Errorf("%d runners where there is room for two", len(r.runners))
	}
	if r.crowd(100); len(r.runners) != 1 {
		t.Errorf("%d runners where there is room for none", len(r.runners))
	}
	// Without room for the tables of one, it says so.
	if s, err := Explore(t.Context(), net, Options{Memory: 1 << 16}); !errors.Is(err, ErrMemory) || s == nil || s.Complete {
		t.Errorf("%v, %v", s, err)
	}
}

// TestWideNodesAreCharged: operations on nodes of many edges end with their context, though
// they take few steps.
func TestWideNodesAreCharged(t *testing.T) {
	const wide = 1 << 19
	f := NewForest(1, 1<<30)
	values := func(first uint32) Node {
		n, err := f.guarded(nil, func() Node {
			base := len(f.scratch)
			for i := range uint32(wide) {
				f.begin(Edge{first + 2*i, Unit})
			}
			return f.makeNode(1, base)
		})
		must(t, err)
		return f.Keep(n)
	}
	even, odd := values(0), values(1)
	r := f.NewRelation()
	must(t, r.Add([]Step{{1, 0, noLimit, 1}}))
	for name, operation := range map[string]func() error{
		"union": func() error { _, err := f.Union(even, odd); return err },
		"image": func() error { _, err := r.Image(even); return err },
		"size":  func() error { _, err := f.CountWithin(f.ctx, even); return err },
		"weight": func() error {
			_, err := f.maxWeight(even, []weighting{{Each: math.MaxInt64}})
			return err
		},
	} {
		ctx := &endingContext{Context: t.Context(), looks: 1}
		release := f.within(ctx)
		if err := operation(); !errors.Is(err, errEnough) {
			t.Errorf("%s of %d edges: %v, want %v", name, wide, err, errEnough)
		}
		release()
	}
}

// TestProcessIsFull: where the process holds more than it may, diagrams say so, within
// whatever memory they have themselves.
func TestProcessIsFull(t *testing.T) {
	_, err := Explore(t.Context(), petritest.Philosophers(100), Options{Process: petri.Budget{MemoryBytes: 1 << 20}})
	if !errors.Is(err, ErrMemory) || !errors.As(err, new(*petri.MemoryError)) {
		t.Errorf("%v, expected that memory is full", err)
	}
}

package symbolic

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"pnmc/internal/petritest"
	"pnmc/symbolic/order"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

const naiveLimit = 300

// TestReachability compares every method, order and way of collecting with the
// naive exploration of random systems: states, firings, bounds, largest sums.
func TestReachability(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSystem(t)
		states, firings, finished := s.explore(naiveLimit)
		if !finished {
			t.Skip("too many states")
		}
		order := rapid.Permutation(order.Declared(len(s.Names))).Draw(t, "order")
		for _, m := range []Method{Saturation, Chaining, BreadthFirst} {
			for _, merge := range []bool{false, true} {
				sp, err := newSpace(t.Context(), s, order, Options{Memory: 0})
				must(t, err)
				sp.forest.eager = rapid.Bool().Draw(t, "eager")
				if merge {
					sp.relation.merge()
				}
				n, err := sp.reach(context.Background(), m)
				must(t, err)
				checkSpace(t, sp.result("test", n), states, firings)
			}
		}
	})
}

func checkSpace(t fataler, sp *StateSpace, states vectorSet, firings int) {
	got := vectorSet{}
	for byLevel := range sp.Forest.Vectors(sp.Reachable) {
		v := make([]uint32, len(byLevel))
		for i, level := range sp.Levels {
			v[i] = byLevel[level-1]
		}
		got.add(v)
	}
	if g, w := got.keys(), states.keys(); !slices.Equal(g, w) {
		t.Fatalf("states %v, want %v", g, w)
	}
	if g := sp.States(); g.Cmp(big.NewInt(int64(len(states)))) != 0 {
		t.Fatalf("%v states, want %d", g, len(states))
	}
	if g, err := sp.Firings(context.Background()); err != nil || g.Cmp(big.NewInt(int64(firings))) != 0 {
		t.Fatalf("%v firings, want %d", g, firings)
	}
	bounds := make([]uint32, len(sp.Bounds))
	var sum, largest uint32
	for _, v := range states {
		var total uint32
		for i, x := range v {
			bounds[i] = max(bounds[i], x)
			total += x
			largest = max(largest, x)
		}
		sum = max(sum, total)
	}
	if !slices.Equal(sp.Bounds, bounds) || sp.LargestValue() != largest {
		t.Fatalf("bounds %v, largest %d, want %v", sp.Bounds, sp.LargestValue(), bounds)
	}
	total, err := sp.LargestMarking()
	must(t, err)
	if total.Cmp(big.NewInt(int64(sum))) != 0 {
		t.Fatalf("largest marking %v, want %d", total, sum)
	}
}

// TestRace lets the orders take very short turns, and compares with the naive
// exploration.
func TestRace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSystem(t)
		states, firings, finished := s.explore(naiveLimit)
		if !finished {
			t.Skip("too many states")
		}
		sp, err := ExploreSystem(context.Background(), s, Options{Slice: 1})
		must(t, err)
		if !sp.Complete {
			t.Fatalf("exploration is not complete")
		}
		checkSpace(t, sp, states, firings)
	})
}

// TestImage compares a relation, its reverse and one step of each with the naive
// pairs.
func TestImage(t *testing.T) {
	released := 0
	if !petritest.CheckUntil(t, func() bool { return released > 10 }, func(t *rapid.T) {
		s := drawSystem(t)
		sp, err := newSpace(t.Context(), s, order.Declared(len(s.Names)), Options{Memory: 0})
		must(t, err)
		f, r := sp.forest, sp.relation
		if rapid.Bool().Draw(t, "merge") {
			r.merge()
		}
		f.eager = rapid.Bool().Draw(t, "eager")
		from := drawVectors(t, len(s.Names), "from")
		image, preimage := vectorSet{}, vectorSet{}
		target := drawVectors(t, len(s.Names), "target")
		flip := func(v []uint32) []uint32 { w := slices.Clone(v); slices.Reverse(w); return w }
		for _, v := range from {
			// declared puts variable i at level n-i: vectors by level are reversed.
			for _, w := range s.successors(flip(v)) {
				image.add(flip(w))
			}
		}
		got, err := r.Image(from.node(t, f))
		must(t, err)
		if g, w := vectorsOf(f, got).keys(), image.keys(); !slices.Equal(g, w) {
			t.Fatalf("image %v, want %v", g, w)
		}
		for _, v := range from {
			for _, w := range s.successors(flip(v)) {
				if _, ok := target[fmt.Sprint(flip(w))]; ok {
					preimage.add(v)
				}
			}
		}
		reverse, within, n := r.Reverse(), from.node(t, f), target.node(t, f)
		if reverse.releases {
			released++
		}
		back, err := f.guarded([]Node{n, within}, func() Node { return f.imageInto(reverse, n, within) })
		must(t, err)
		f.Keep(back)
		back, err = f.Intersection(back, within)
		must(t, err)
		if g, w := vectorsOf(f, back).keys(), preimage.keys(); !slices.Equal(g, w) {
			t.Fatalf("preimage %v, want %v", g, w)
		}
	}) {
		t.Errorf("%d relations with releases", released)
	}
}

// TestMemoryBudget explores an unbounded net under small budgets: tables never
// outgrow it, the reason is told, what is known is true, and the forest goes on.
func TestMemoryBudget(t *testing.T) {
	s := &System{
		Names:   []string{"a", "b", "c"},
		Initial: []uint32{1, 0, 0},
		Events: []Event{
			{{0, 1, noLimit, 0}, {1, 0, noLimit, 1}},
			{{1, 1, noLimit, -1}, {2, 0, noLimit, 2}},
			{{2, 1, noLimit, -1}, {1, 0, noLimit, 1}},
		},
	}
	for _, budget := range []int64{1 << 18, 1 << 20, 1 << 23} {
		sp, err := newSpace(t.Context(), s, order.Declared(3), Options{Memory: budget})
		must(t, err)
		largest := int64(0)
		sp.forest.pause = func() { largest = max(largest, sp.forest.Memory()) }
		n, err := sp.reach(t.Context(), Saturation)
		if !errors.Is(err, ErrMemory) {
			t.Fatalf("budget %d: got %v, want %v", budget, err, ErrMemory)
		}
		if largest > budget {
			t.Errorf("budget %d: %d bytes in use", budget, largest)
		}
		if got := sp.result("test", n); got.Complete || got.Bounds[0] != 1 || got.Bounds[2] < 2 {
			t.Errorf("budget %d: known %+v", budget, got.Bounds)
		}
		one, err := sp.forest.Singleton([]uint32{7, 8, 9})
		must(t, err)
		if !sp.forest.Contains(one, []uint32{7, 8, 9}) {
			t.Error("the forest is damaged after it ran out of memory")
		}
	}
}

// TestCollection makes far more nodes than stay alive, and expects that their
// memory is used again.
func TestCollection(t *testing.T) {
	f := NewForest(4, 0)
	f.collect = 100
	kept := f.Keep(vectorSet{"x": {1, 2, 3, 4}}.node(t, f))
	for i := range uint32(20000) {
		_, err := f.Singleton([]uint32{i, i + 1, i + 2, i + 3})
		must(t, err)
		f.collect = min(f.collect, 1000)
	}
	if f.Collections() == 0 || f.Nodes() > 2000 || len(f.nodes) > 2000 {
		t.Errorf("%d nodes in use, %d in the table after %d collections", f.Nodes(), len(f.nodes), f.Collections())
	}
	if !f.Contains(kept, []uint32{1, 2, 3, 4}) || f.Count(kept).Int64() != 1 {
		t.Error("a node kept was lost")
	}
}

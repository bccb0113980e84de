package order

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/internal/account"
)

// TestOrders expects permutations of the variables from every heuristic, and
// that force never makes the cost worse.
func TestOrders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "variables")
		support := rapid.SliceOfNDistinct(rapid.Uint32Range(0, uint32(n-1)), 0, n, rapid.ID)
		supports := rapid.SliceOfN(support, 0, 8).Draw(t, "supports")
		var groups [][]uint32
		if rapid.Bool().Draw(t, "grouped") {
			groups = [][]uint32{{0, uint32(n - 1)}}
		}
		search := NewSearch(n, func() [][]uint32 { return supports }, groups)
		for _, h := range Heuristics() {
			found := search.Find(h)
			if sorted := slices.Sorted(slices.Values(found)); !slices.Equal(sorted, reversed(Declared(n))) {
				t.Fatalf("%s: %v is no permutation of %d variables", h.Name, found, n)
			}
		}
		g := newHypergraph(n, supports)
		start := rapid.Permutation(Declared(n)).Draw(t, "start")
		if got, before := g.cost(g.force(start)), g.cost(start); got > before {
			t.Fatalf("force raised the cost from %v to %v", before, got)
		}
	})
}

// TestChain finds the order of a chain of variables again that are declared in a
// bad order: neighbours come next to each other.
func TestChain(t *testing.T) {
	const n = 64
	var supports [][]uint32
	place := func(i int) uint32 { return uint32(i * 27 % n) } // 27 and 64 have no common divisor
	for i := range n - 1 {
		supports = append(supports, []uint32{place(i), place(i + 1)})
	}
	g := newHypergraph(n, supports)
	for name, o := range map[string][]int{"sloan": g.sloan(8), "follow": g.follow(0)} {
		if got, declared := g.cost(o), g.cost(Declared(n)); got > declared/4 {
			t.Errorf("%s: cost %v, declared %v", name, got, declared)
		}
	}
}

// TestSloanOfManyComponents: a graph may have as many components as vertices, each of
// which takes no longer for the others.
func TestSloanOfManyComponents(t *testing.T) {
	const n = 200_000
	g := newHypergraph(n, nil)
	begin := time.Now()
	if got := len(g.sloan(8)); got != n {
		t.Errorf("%d vertices in the order of %d", got, n)
	}
	if took := time.Since(begin); took > 10*time.Second { // quadratic time would be many minutes
		t.Errorf("it takes %s", took)
	}
}

// TestNamed finds heuristics by their names, and says which there are.
func TestNamed(t *testing.T) {
	for _, name := range Names() {
		if h, err := Named(name); err != nil || h.Name != name {
			t.Errorf("%s: %v, %v", name, h.Name, err)
		}
	}
	if _, err := Named("best"); err == nil || !strings.Contains(err.Error(), "force") {
		t.Errorf("best: %v", err)
	}
}

// TestSearchEnds expects nothing, or an order, of searches whose context has ended.
func TestSearchEnds(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	const n = 100_000
	search := NewSearch(n, func() [][]uint32 { return chain(n) }, nil)
	search.Watch(ended)
	for _, h := range Heuristics() {
		if found := search.Find(h); found != nil && len(found) != n {
			t.Errorf("%s: an order of %d variables", h.Name, len(found))
		}
	}
}

// chain has an event for each two neighbours.
func chain(n int) [][]uint32 {
	supports := make([][]uint32, n-1)
	for i := range supports {
		supports[i] = []uint32{uint32(i), uint32(i + 1)}
	}
	return supports
}

func ExampleSearch_Find() {
	// Each event moves a token between neighbours of a ring.
	supports := func() [][]uint32 { return [][]uint32{{0, 2}, {2, 4}, {4, 1}, {1, 3}, {3, 0}} }
	search := NewSearch(5, supports, nil)
	force, err := Named("force")
	if err != nil {
		fmt.Println(err)
		return
	}
	found := search.Find(force)
	fmt.Println(found, search.Cost(found) <= search.Cost(Declared(5)))
	// Output:
	// [4 1 2 3 0] true
}

// TestOrdersAskForMemory: a heuristic ends once the memory that its context carries is full.
func TestOrdersAskForMemory(t *testing.T) {
	ctx, stop := account.Within(context.Background(), account.Budget{MemoryBytes: 1 << 20})
	defer stop(nil)
	w := newWork(ctx)
	if w.spend(workBetweenLooks + 1) {
		t.Error("the search goes on with no memory left")
	}
}

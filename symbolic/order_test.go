package symbolic

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestOrders expects permutations of the variables from every heuristic, and
// that force never makes the cost worse.
func TestOrders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSystem(t)
		if rapid.Bool().Draw(t, "grouped") {
			s.Groups = [][]uint32{{0, uint32(len(s.Names) - 1)}}
		}
		search := &orderSearch{system: s}
		for _, h := range heuristics {
			order := search.find(h)
			if sorted := slices.Sorted(slices.Values(order)); !slices.Equal(sorted, declared(len(s.Names)).reversed()) {
				t.Fatalf("%s: %v is no permutation of %d variables", h.name, order, len(s.Names))
			}
		}
		g := newHypergraph(len(s.Names), s.supports())
		start := Order(rapid.Permutation(declared(len(s.Names))).Draw(t, "start"))
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
	for name, o := range map[string]Order{"sloan": g.sloan(8), "follow": g.follow(0)} {
		if got, declared := g.cost(o), g.cost(declared(n)); got > declared/4 {
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

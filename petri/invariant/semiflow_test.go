package invariant_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// TestFactsHold: every semiflow is constant, and every bound kept, in all
// markings that the naive exploration finds.
func TestFactsHold(t *testing.T) {
	for name, generator := range map[string]*rapid.Generator[*petri.Net]{
		"any": petritest.Net(), "all arcs": petritest.AllArcs(), "state machines": petritest.StateMachines(false),
	} {
		t.Run(name, func(t *testing.T) {
			petritest.CheckMany(t, 1000, func(t *rapid.T) {
				net := generator.Draw(t, "net")
				work := rapid.SampledFrom([]int{0, 0, 30, 100}).Draw(t, "work")
				facts := invariant.Prove(context.Background(), net, work)
				g, finite := petritest.Explore(net, 2000)
				if !finite {
					t.Skip("too large or unbounded")
				}
				for _, m := range g.Markings {
					for _, f := range facts.Semiflows {
						sum := int64(0)
						for _, a := range f.Terms {
							if a.Weight <= 0 {
								t.Fatalf("semiflow %v has a weight that is not positive", f)
							}
							sum += a.Weight * m[a.Place]
						}
						if sum != f.Value {
							t.Fatalf("semiflow %v has the value %d in %v", f, sum, m)
						}
					}
					for p, bound := range facts.Bounds {
						if bound != petri.Unbounded && m[p] > bound {
							t.Fatalf("place %d has %d tokens in %v, bound %d", p, m[p], m, bound)
						}
					}
				}
			})
		})
	}
}

// TestSemiflowsAreAllFound compares with a search through all small weights: the
// support of each semiflow contains that of one found, and no found one is
// superfluous.
func TestSemiflowsAreAllFound(t *testing.T) {
	petritest.CheckMany(t, 3000, func(t *rapid.T) {
		net := petritest.Net().Draw(t, "net")
		var found [][]int64
		for _, f := range invariant.Semiflows(context.Background(), net, 0) {
			weights := make([]int64, net.Places())
			for _, a := range f.Terms {
				weights[a.Place] = a.Weight
			}
			for _, other := range found {
				if supports(weights, other) || supports(other, weights) {
					t.Fatalf("one of the semiflows %v and %v has the support of the other", weights, other)
				}
			}
			found = append(found, weights)
		}
		for _, weights := range smallSemiflows(net) {
			if !slices.ContainsFunc(found, func(f []int64) bool { return supports(weights, f) }) {
				t.Fatalf("nothing found below the semiflow %v: %v", weights, found)
			}
		}
	})
}

// smallSemiflows returns the semiflows with weights up to 2, but for zero.
func smallSemiflows(net *petri.Net) [][]int64 {
	var all [][]int64
	weights := make([]int64, net.Places())
	var search func(p int)
	search = func(p int) {
		if p < len(weights) {
			for w := range int64(3) {
				weights[p] = w
				search(p + 1)
			}
			return
		}
		for t := range petri.Transition(net.Transitions()) {
			effect := int64(0)
			for _, a := range net.Effect(t) {
				effect += a.Weight * weights[a.Place]
			}
			if effect != 0 {
				return
			}
		}
		if slices.Max(append(weights, 0)) > 0 {
			all = append(all, slices.Clone(weights))
		}
	}
	search(0)
	return all
}

// supports reports whether the support of x contains that of y.
func supports(x, y []int64) bool {
	for p := range y {
		if y[p] > 0 && x[p] == 0 {
			return false
		}
	}
	return true
}

func TestSemiflowsDropWhatLeaves64Bits(t *testing.T) {
	var b petri.Builder
	var places []petri.Place
	for i := range 4 {
		p, err := b.AddPlace(fmt.Sprintf("p%d", i), "", math.MaxInt64)
		if err != nil {
			t.Fatal(err)
		}
		places = append(places, p)
	}
	for i := range 3 {
		tr, _ := b.AddTransition(fmt.Sprintf("t%d", i), "")
		if b.AddInput(places[i], tr, math.MaxInt64-int64(i)) != nil || b.AddOutput(tr, places[i+1], 3) != nil {
			t.Fatal("arc refused")
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if flows := invariant.Semiflows(context.Background(), net, 0); len(flows) != 0 {
		t.Errorf("expected no semiflow within 64 bits, found %v", flows)
	}
}

func ExampleProve() {
	net := petritest.Kanban(5)
	facts := invariant.Prove(context.Background(), net, 0)
	p, _ := net.PlaceByID("Pout1")
	fmt.Println(facts.Bound(p))
	// Output: 5
}

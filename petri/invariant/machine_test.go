package invariant_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// TestMachinesHold: in all markings that the naive exploration finds, each machine has the tokens
// that it says, one or none.
func TestMachinesHold(t *testing.T) {
	found := 0
	if !petritest.CheckManyUntil(t, 2000, func() bool { return found > 0 }, func(t *rapid.T) {
		net := rapid.OneOf(petritest.Net(), petritest.AllArcs(), petritest.StateMachines(true)).Draw(t, "net")
		machines := invariant.Machines(t.Context(), net, rapid.SampledFrom([]int{1 << 20, 50}).Draw(t, "work"))
		g, finite := petritest.Explore(net, 2000)
		if !finite {
			t.Skip("too large or unbounded")
		}
		for _, f := range machines {
			found++
			if !slices.IsSortedFunc(f.Terms, func(a, b petri.Arc) int { return int(a.Place) - int(b.Place) }) || f.Value > 1 {
				t.Fatalf("%v is no machine", f)
			}
			for _, m := range g.Markings {
				sum := int64(0)
				for _, a := range f.Terms {
					sum += a.Weight * m[a.Place]
				}
				if sum != f.Value {
					t.Fatalf("%v has %d tokens in %v", f, sum, m)
				}
			}
		}
	}) {
		t.Error("no machine was found")
	}
}

// TestMachinesOfLargeNets: of nets of tens of thousands of transitions all machines are found, within
// about ten looks at each arc.
func TestMachinesOfLargeNets(t *testing.T) {
	for name, c := range map[string]struct {
		net      *petri.Net
		machines int
	}{
		"machines":     {petritest.Machines(31_000), 40},
		"robots, grid": {petritest.Grid(20), 410}, // ten robots, and 400 cells
	} {
		machines := invariant.Machines(t.Context(), c.net, 1<<26)
		covered := make([]bool, c.net.Places())
		for _, f := range machines {
			for _, a := range f.Terms {
				covered[a.Place] = true
			}
		}
		if len(machines) != c.machines || slices.Contains(covered, false) {
			t.Errorf("%s: %d machines, want %d, which cover all places", name, len(machines), c.machines)
		}
	}
}

// BenchmarkMachines finds all machines of nets with tens of thousands of transitions.
func BenchmarkMachines(b *testing.B) {
	for name, net := range map[string]*petri.Net{"Machines-31000": petritest.Machines(31_000), "Grid-20": petritest.Grid(20)} {
		b.Run("model="+name, func(b *testing.B) {
			for b.Loop() {
				invariant.Machines(b.Context(), net, 1<<26)
			}
		})
	}
}

package reduce_test

import (
	"context"
	"testing"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/reduce"
)

// BenchmarkApply reduces large nets: of few places and 31,000 wide transitions, of which no rule
// removes anything, of many places and short transitions, and of chains.
func BenchmarkApply(b *testing.B) {
	for _, m := range []struct {
		name string
		net  *petri.Net
	}{
		{"Machines-31000", petritest.Machines(31_000)},
		{"Grid-20", petritest.Grid(20)},
		{"Philosophers-2000", petritest.Philosophers(2000)},
	} {
		for _, c := range []struct {
			name   string
			wanted reduce.Preserves
		}{{"deadlock", reduce.Deadlock}, {"reachability", reduce.Reachability}, {"ltl-x", reduce.Stuttering}, {"ctl", reduce.Branching}} {
			b.Run("model="+m.name+"/for="+c.name, func(b *testing.B) {
				protected := make([]bool, m.net.Places())
				protected[0] = c.wanted != reduce.Deadlock
				nodes := 0
				for b.Loop() {
					r, err := reduce.Apply(context.Background(), m.net, protected, c.wanted)
					if err != nil {
						b.Fatal(err)
					}
					nodes = r.Net.Places() + r.Net.Transitions()
				}
				b.ReportMetric(float64(nodes), "nodes")
			})
		}
	}
}

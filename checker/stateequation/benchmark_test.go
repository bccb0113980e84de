package stateequation_test

import (
	"context"
	"testing"

	"pnmc/checker/stateequation"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// BenchmarkNew sets up the equation of large nets: of few places and 31,000 wide transitions, and of many places and
// short transitions.
func BenchmarkNew(b *testing.B) {
	for _, m := range largeNets() {
		b.Run("model="+m.name, func(b *testing.B) {
			for b.Loop() {
				if stateequation.New(context.Background(), m.net) == nil {
					b.Fatal("no equation")
				}
			}
		})
	}
}

// BenchmarkUpperBound sets up the equation of a net of few places and many wide transitions, and bounds the tokens of
// some places.
func BenchmarkUpperBound(b *testing.B) {
	for _, m := range []namedNet{{"Machines-8000", petritest.Machines(8000)}} {
		b.Run("model="+m.name, func(b *testing.B) {
			for b.Loop() {
				e := stateequation.New(context.Background(), m.net)
				bounded := 0
				for p := range 5 {
					if bound, ok := e.UpperBound(b.Context(), logic.Sum{Terms: []logic.Term{{Place: uint32(p), Coefficient: 1}}}); ok && bound == 1 {
						bounded++
					}
				}
				if bounded < 5 {
					b.Fatalf("%d places bounded by 1", bounded)
				}
			}
		})
	}
}

type namedNet struct {
	name string
	net  *petri.Net
}

func largeNets() []namedNet {
	return []namedNet{{"Machines-31000", petritest.Machines(31_000)}, {"Grid-20", petritest.Grid(20)}}
}

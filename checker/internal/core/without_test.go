package core

import (
	"testing"

	"pgregory.net/rapid"

	"pnmc/petri"
	"pnmc/petri/reduce"
)

// TestDropServed: of the reductions that are kept, those of the same net are dropped that the smaller one serves, and
// no others; nor is that which changes nothing.
func TestDropServed(t *testing.T) {
	dropped, left := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.IntRange(1, 20).Draw(t, "places")
		draw := func() []bool { return rapid.SliceOfN(rapid.Bool(), places, places).Draw(t, "protected") }
		nets := []*petri.Net{{}, {}}
		n := &Reduced{protected: draw(), wanted: reduce.Reachability | reduce.Deadlock}
		k := newKept()
		unchanged := reductionKey{net: nets[0]}
		k.reductions[unchanged] = &reduce.Reduction{}
		served := make(map[reductionKey]bool)
		for range 8 {
			protected := draw()
			for p := range protected { // mostly within those of n
				protected[p] = protected[p] && (n.protected[p] || rapid.IntRange(0, 9).Draw(t, "beyond") == 0)
			}
			wanted := rapid.SampledFrom([]reduce.Preserves{reduce.Reachability, reduce.Deadlock, reduce.Stuttering}).Draw(t, "wanted")
			net := rapid.SampledFrom(nets).Draw(t, "net")
			key := reductionKey{net, string(bitsOf(protected)), wanted}
			k.reductions[key] = &reduce.Reduction{}
			serves := net == nets[0] && wanted != reduce.Stuttering
			for p, is := range protected {
				serves = serves && (!is || n.protected[p])
			}
			served[key] = serves
		}
		k.dropServed(nets[0], n)
		if k.reductions[unchanged] == nil {
			t.Fatal("that which changes nothing was dropped")
		}
		for key, serves := range served {
			if (k.reductions[key] == nil) != serves {
				t.Fatalf("%v is dropped: %t", key.protects(places), !serves)
			}
			if serves {
				dropped++
			} else {
				left++
			}
		}
	})
	if dropped == 0 || left == 0 {
		t.Errorf("%d were dropped, %d left", dropped, left)
	}
}

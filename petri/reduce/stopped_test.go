package reduce

import (
	"testing"

	"pnmc/internal/petritest"
)

// TestStoppedReductionIsUsed: with less work than it takes a net is reduced as far as that, and from there to the
// end later.
func TestStoppedReductionIsUsed(t *testing.T) {
	net := petritest.Philosophers(2000)
	protected := make([]bool, net.Places())
	protected[0] = true
	nodes := func(r *Reduction, err error) int {
		if err != nil {
			t.Fatal(err)
		}
		return r.Net.Places() + r.Net.Transitions()
	}
	whole, err := Apply(t.Context(), net, protected, Reachability)
	least := nodes(whole, err)
	part, err := ApplyWithin(t.Context(), net, protected, Reachability, 1_000_000)
	if n := nodes(part, err); !part.Stopped || n <= least || n >= net.Places()+net.Transitions() {
		t.Errorf("stopped: %v, %d nodes are left; of all rules %d of %d", part.Stopped, n, least, net.Places()+net.Transitions())
	}
	rest, err := part.FurtherWithin(t.Context(), protected, Reachability, 0)
	if n := nodes(rest, err); rest.Stopped || n > least {
		t.Errorf("stopped: %v, %d nodes are left in the end, %d at once", rest.Stopped, n, least)
	}
}

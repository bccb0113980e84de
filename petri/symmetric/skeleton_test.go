package symmetric

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"pnmc/petri"
)

// TestSkeletonSimulates fires random runs of unfolded nets in the skeleton: it
// must follow, with the sums over colours for token counts.
func TestSkeletonSimulates(t *testing.T) {
	runs := 0
	rapid.Check(t, func(t *rapid.T) {
		net := randomNet(t)
		u, err := Unfold(t.Context(), net, Options{})
		if err != nil {
			return
		}
		skeleton, err := net.Skeleton()
		if err != nil {
			return // of a transition that is dead in the coloured net
		}
		coloured := make(map[petri.Transition]petri.Transition)
		for i, group := range u.Transitions {
			for _, tr := range group {
				coloured[tr] = petri.Transition(i)
			}
		}
		m, sums := u.Net.Initial(), skeleton.Initial()
		for range 10 {
			for i, group := range u.Places {
				sum := int64(0)
				for _, p := range group {
					sum += m[p]
				}
				if sum != sums[i] {
					t.Fatalf("place %q has %d tokens, the skeleton %d", net.Places[i].ID, sum, sums[i])
				}
			}
			var enabled []petri.Transition
			for tr := range petri.Transition(u.Net.Transitions()) {
				if u.Net.Enabled(m, tr) {
					enabled = append(enabled, tr)
				}
			}
			if len(enabled) == 0 {
				return
			}
			runs++
			tr := rapid.SampledFrom(enabled).Draw(t, "fired")
			u.Net.Fire(m, tr)
			if !skeleton.Fire(sums, coloured[tr]) {
				t.Fatalf("%q fires, but not in the skeleton", u.Net.TransitionLabel(tr).Name)
			}
		}
	})
	if runs == 0 {
		t.Error("no transition fired in any net")
	}
}

// TestSkeletonLimits tells of weights that do not fit.
func TestSkeletonLimits(t *testing.T) {
	class := &Class{Name: "C", Size: 1 << 40}
	all := Term{Kind: All}
	for _, c := range []struct {
		e    Expression
		want int64 // -1: error
	}{
		{Expression{{1, []Term{all, {}}}}, 1 << 40},
		{Expression{{2, []Term{all, {}}}, {-3, []Term{{}, all}}, {2, []Term{{}, {}}}, {1, []Term{all, {}}}}, 2},
		{Expression{{math.MaxInt64, []Term{{}, {}}}}, math.MaxInt64},
		{Expression{{math.MaxInt64, []Term{{}, {}}}, {1, []Term{{}, {}}}}, -1},
		{Expression{{math.MaxInt64, []Term{{}, {}}}, {1, []Term{{}, {}}}, {-1, []Term{{}, {}}}}, math.MaxInt64},
		{Expression{{1, []Term{all, all}}}, -1},
		{Expression{{math.MaxInt64, []Term{all, {}}}}, -1},
		{Expression{{-1, []Term{{}, {}}}}, -1},
		{nil, 0},
	} {
		net := &Net{Places: []Place{{ID: "p", Domain: Domain{class, class}, Initial: c.e}}}
		skeleton, err := net.Skeleton()
		got := int64(-1)
		if err == nil {
			got = skeleton.InitialTokens(0)
		}
		if got != c.want {
			t.Errorf("%v: got %d, want %d (%v)", c.e, got, c.want, err)
		}
	}
}

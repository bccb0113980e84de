package symmetric_test

import (
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/symmetric"
	"pnmc/petri/symmetric/colourless"
)

// TestSkeletonSimulates fires random runs of unfolded nets in the skeleton: it
// must follow, with the sums over colours for token counts.
func TestSkeletonSimulates(t *testing.T) {
	runs := 0
	if !petritest.CheckManyUntil(t, 3000, func() bool { return runs > 0 }, func(t *rapid.T) {
		net := symmetric.RandomNet(t)
		u, err := net.Unfold(t.Context(), symmetric.Options{})
		if err != nil {
			return
		}
		skeleton, err := colourless.Skeleton(net)
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
	}) {
		t.Error("no transition fired in any net")
	}
}

// TestExactTransitions compares with the unfolded net: an exact transition can fire
// in a coloured marking if, and only if, the skeleton fires it.
func TestExactTransitions(t *testing.T) {
	enabled, disabled := 0, 0
	if !petritest.CheckManyUntil(t, 3000, func() bool { return enabled > 0 && disabled > 0 }, func(t *rapid.T) {
		net := symmetric.RandomNet(t)
		u, err := net.Unfold(t.Context(), symmetric.Options{})
		if err != nil {
			return
		}
		skeleton, err := colourless.Skeleton(net)
		if err != nil {
			return
		}
		exact := colourless.Exact(net)
		m, sums := u.Net.Initial(), make(petri.Marking, len(net.Places))
		for range 20 {
			for i, group := range u.Places {
				sums[i] = 0
				for _, p := range group {
					sums[i] += m[p]
				}
			}
			var fireable []petri.Transition
			for i, group := range u.Transitions {
				some := false
				for _, tr := range group {
					if u.Net.Enabled(m, tr) {
						fireable = append(fireable, tr)
						some = true
					}
				}
				if !exact[i] {
					continue
				}
				if some != skeleton.Enabled(sums, petri.Transition(i)) {
					t.Fatalf("%q can fire: %t, and %t in the skeleton", net.Transitions[i].ID, some, !some)
				}
				if some {
					enabled++
				} else {
					disabled++
				}
			}
			if len(fireable) == 0 {
				return
			}
			u.Net.Fire(m, rapid.SampledFrom(fireable).Draw(t, "fired"))
		}
	}) {
		t.Errorf("exact transitions could fire %d times, could not %d times", enabled, disabled)
	}
}

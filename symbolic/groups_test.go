package symbolic

import (
	"slices"
	"testing"

	"pnmc/petri"
)

// TestUnitGroups: groups are the places of units with those of units nested in them, innermost first; of units that nest very
// deep some are left out, so that they list no more than so many times the places.
func TestUnitGroups(t *testing.T) {
	n := &petri.NUPN{Root: 0, Units: []petri.Unit{
		{Places: []petri.Place{0}, Subunits: []int{1, 2}}, {Places: []petri.Place{1, 2}, Subunits: []int{3}}, {Places: []petri.Place{3}}, {Places: []petri.Place{4, 5}},
	}}
	want := [][]uint32{{4, 5}, {1, 2, 4, 5}, {0, 1, 2, 4, 5, 3}}
	if got := unitGroups(n); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("groups %v, expected %v", got, want)
	}
	const depth, width = 990, 50
	deep := &petri.NUPN{}
	for i := range depth {
		u := petri.Unit{Subunits: []int{i + 1}}
		if i == depth-1 {
			u.Subunits = nil
		}
		for k := range width {
			u.Places = append(u.Places, petri.Place(width*i+k))
		}
		deep.Units = append(deep.Units, u)
	}
	listed := 0
	groups := unitGroups(deep)
	for _, g := range groups {
		listed += len(g)
	}
	if most := listedAnyway + listedEach*depth*width; listed > most || len(groups) < 100 {
		t.Errorf("%d groups list %d places, expected at most %d", len(groups), listed, most)
	}
}

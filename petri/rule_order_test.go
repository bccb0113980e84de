package petri_test

import (
	"errors"
	"slices"
	"testing"

	"pnmc/petri"
)

// firstOnly selects the first transition that is enabled.
type firstOnly struct{}

func (firstOnly) Select(_ petri.Marking, enabled []petri.Transition) []petri.Transition {
	return enabled[:1]
}

// lateClaim returns a net whose unit of a, b and c is claimed to be safe, which the third marking
// refutes. Until then loop is filed under a, behind go, and from then on it is before it.
func lateClaim(t *testing.T) *petri.Net {
	t.Helper()
	var b petri.Builder
	place := func(id string, tokens int64) petri.Place {
		p, err := b.AddPlace(id, "", tokens)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	unit := []petri.Place{place("a", 1), place("b", 0), place("c", 0)}
	before, after := place("before", 1), place("after", 0)
	b.SetNUPN(&petri.NUPN{Safe: true, Root: 2, Units: []petri.Unit{
		{ID: "u", Places: unit}, {ID: "v", Places: []petri.Place{before}},
		{ID: "root", Places: []petri.Place{after}, Subunits: []int{0, 1}},
	}})
	loop, _ := b.AddTransition("loop", "")
	on, _ := b.AddTransition("go", "")
	add, _ := b.AddTransition("add", "")
	err := errors.Join(
		b.AddInput(unit[0], loop, 1), b.AddOutput(loop, unit[0], 1),
		b.AddInput(before, on, 1), b.AddOutput(on, after, 1),
		b.AddInput(after, add, 1), b.AddOutput(add, unit[1], 1))
	if err != nil {
		t.Fatal(err)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// TestOrderOfEdgesStays: edges that are found anew, after a claim has turned out false, come in the
// order that they had before, and a selection is asked as it was.
func TestOrderOfEdgesStays(t *testing.T) {
	for _, selected := range []bool{false, true} {
		k := petri.NewKripke(lateClaim(t), petri.Facts{}, petri.Budget{EdgeBytes: 1})
		if selected {
			k.Select(firstOnly{}, false)
		}
		var before [2][]petri.StateID
		for s := range before {
			row, err := k.Successors(petri.StateID(s))
			if err != nil {
				t.Fatal(err)
			}
			before[s] = slices.Clone(row)
		}
		for s := range before {
			if row, err := k.Successors(petri.StateID(s)); err != nil || !slices.Equal(row, before[s]) {
				t.Errorf("edges of state %d lead to %v, %v; to %v before", s, row, err, before[s])
			}
		}
	}
}

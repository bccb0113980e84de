package sizes

import (
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/checkertest"
	"pnmc/internal/petritest"
	"pnmc/petri"
)

// TestDiagramsCount: what is counted on the diagram of a smaller net are the sizes of the net itself.
func TestDiagramsCount(tt *testing.T) {
	smaller := 0
	rapid.Check(tt, func(t *rapid.T) {
		net := petritest.Chains().Draw(t, "net")
		g, ok := petritest.Explore(net, 400)
		if !ok {
			t.Skip("too many markings")
		}
		twin := checkertest.NewTwin(net, g)
		r, record := tokenTask(tt, net)
		if err := Diagrams(context.Background(), r); err != nil {
			t.Skip(err)
		}
		for i, size := range inquiry.Sizes() {
			if right, _ := twin.Answer(size); !record.Value(i).Equal(right) {
				t.Fatalf("size %d is %v, expected %v", i, record.Value(i), right)
			}
		}
		for _, a := range record.Answers {
			if a.By&inquiry.StructuralReduction != 0 {
				smaller++
			}
		}
	})
	if smaller == 0 {
		tt.Error("no net became smaller")
	}
}

// TestFalseClaimOfMergedPlaces: a claim of the net's units that is false is found on the smaller net, and
// told of the net itself.
func TestFalseClaimOfMergedPlaces(t *testing.T) {
	b := petri.Builder{}
	var places [3]petri.Place
	for i := range places {
		places[i], _ = b.AddPlace(string(rune('a'+i)), "", []int64{1, 0, 0}[i])
	}
	for i := range 2 { // a gives two tokens to b, which hands on to c
		u, _ := b.AddTransition(string(rune('t'+i)), "")
		if err := errors.Join(b.AddInput(places[i], u, 1), b.AddOutput(u, places[i+1], int64(2-i))); err != nil {
			t.Fatal(err)
		}
	}
	b.SetNUPN(&petri.NUPN{Units: []petri.Unit{{ID: "all", Places: places[:1], Subunits: []int{1}}, {ID: "part", Places: places[1:]}}, Safe: true})
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	r, record := tokenTask(t, net)
	if err := Diagrams(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	if got := record.Value(int(inquiry.Markings)); !got.Equal(inquiry.Number(4)) {
		t.Errorf("%v markings, expected 4", got)
	}
	if claim := net.FalseClaim(); claim == nil || claim.Unit != "part" {
		t.Errorf("the claim that is told is %v", claim)
	}
}

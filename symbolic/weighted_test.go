package symbolic

import (
	"context"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
)

// TestWeighted: sums of weights are those over the markings listed one by one, with what is needed
// and without, in each encoding.
func TestWeighted(tt *testing.T) {
	rapid.Check(tt, func(t *rapid.T) {
		net, graph := petritest.SmallNet(t)
		for _, encoding := range []Encoding{PerPlace, PerGroup} {
			s, err := Explore(context.Background(), net, Options{Encoding: encoding})
			if err != nil {
				t.Skip(err)
			}
			// Weights differ by place, and are zero where there is too little.
			ways := func(p, tokens uint32, needed int64, _ func(int)) *big.Int {
				if int64(tokens) < needed {
					return new(big.Int)
				}
				return big.NewInt((int64(tokens)-needed)*int64(p+1) + 1)
			}
			w, err := s.Weigh(context.Background(), ways)
			if err != nil {
				t.Fatal(err)
			}
			needs := map[uint32]int64{}
			for range rapid.IntRange(0, 3).Draw(t, "needs") {
				needs[uint32(rapid.IntRange(0, net.Places()-1).Draw(t, "place"))] = rapid.Int64Range(0, 2).Draw(t, "needed")
			}
			wanted := func(needs map[uint32]int64) *big.Int {
				sum := new(big.Int)
				for _, m := range graph.Markings {
					product := big.NewInt(1)
					for p, n := range m {
						product.Mul(product, ways(uint32(p), uint32(n), needs[uint32(p)], nil))
					}
					sum.Add(sum, product)
				}
				return sum
			}
			if got, all := w.States(), wanted(nil); got.Cmp(all) != 0 {
				t.Fatalf("all markings weigh %s, expected %s", got, all)
			}
			got, err := w.Count(context.Background(), needs)
			if err != nil {
				t.Fatal(err)
			}
			if all := wanted(needs); got.Cmp(all) != 0 {
				t.Fatalf("with needs %v all markings weigh %s, expected %s", needs, got, all)
			}
		}
	})
}

// TestWeightedEnds: counting ends with its context, and the diagram is good afterwards.
func TestWeightedEnds(t *testing.T) {
	s, err := Explore(context.Background(), petritest.Kanban(6), Options{})
	if err != nil {
		t.Fatal(err)
	}
	one := func(uint32, uint32, int64, func(int)) *big.Int { return big.NewInt(1) }
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Weigh(ended, one); err == nil {
		t.Error("weighed after the end")
	}
	w, err := s.Weigh(context.Background(), one)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Count(ended, map[uint32]int64{0: 1}); err == nil {
		t.Error("counted after the end")
	}
	if got, all := w.States(), s.States(); got.Cmp(all) != 0 {
		t.Errorf("%s states, expected %s", got, all)
	}
	if _, err := w.Count(context.Background(), map[uint32]int64{uint32(petri.Place(s.System.Places())): 1}); err == nil {
		t.Error("a place that there is not was accepted")
	}
}

package reduce

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/account"
	"pnmc/internal/arithmetic"
	"pnmc/internal/petritest"
	"pnmc/petri"
)

// counted are the numbers that Counts gives, over all markings of the reduced net.
func counted(t interface{ Fatalf(string, ...any) }, r *Reduction, markings []petri.Marking, transitions int) (states, firings *big.Int) {
	c := r.Counts()
	sharing := c.Sharing()
	ways := func(m petri.Marking, needs []Need) *big.Int {
		product := big.NewInt(1)
		for p := range m {
			needed := int64(0)
			for _, n := range needs {
				if n.Place == p {
					needed = n.Tokens
				}
			}
			product.Mul(product, sharing.Ways(p, m[p], needed, func(int) {}))
		}
		return product
	}
	states, firings = new(big.Int), new(big.Int)
	for _, m := range markings {
		states.Add(states, ways(m, nil))
		for u := range petri.Transition(transitions) {
			if needs, fires := c.Needs(u); fires {
				firings.Add(firings, ways(m, needs))
			}
		}
	}
	return states, firings
}

// largest returns the largest sum that Counts.Largest gives, over all markings of the reduced net.
func largest(r *Reduction, markings []petri.Marking, of func(petri.Place) bool) int64 {
	weights, constant, ok := r.Counts().Largest(of)
	if !ok {
		panic("numbers leave 64 bits")
	}
	most := int64(-1 << 62)
	for _, m := range markings {
		sum := constant
		for p, w := range weights {
			sum += w * m[p]
		}
		most = max(most, sum)
	}
	return most
}

// TestCounts: markings, firings and the most tokens are those of the original net, which is
// explored, whatever was reduced.
func TestCounts(tt *testing.T) {
	applied := make([]int, len(rules))
	unused := func() string {
		for i, rule := range rules {
			if rule.preserves&Counting != 0 && applied[i] == 0 && rule.name != "composed transitions" { // which are rare
				return rule.name
			}
		}
		return ""
	}
	if !petritest.CheckManyUntil(tt, 2000, func() bool { return unused() == "" }, func(t *rapid.T) {
		var net *petri.Net
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			net = randomNet(t, 6)
		case 1:
			net = petritest.Net().Draw(t, "net")
		default:
			net = petritest.Chains().Draw(t, "net")
		}
		markings, _, ok := explore(net, 600)
		if !ok {
			t.Skip("too many markings")
		}
		r, err := Apply(context.Background(), net, nil, Counting)
		if err != nil {
			t.Fatal(err)
		}
		for i, n := range r.Applied {
			applied[i] += n
		}
		if !net.Plain() {
			if r.Counts() != nil || r.Net.Places() != net.Places() || r.Net.Transitions() != net.Transitions() {
				t.Fatalf("a net with special arcs was reduced")
			}
			return
		}
		reduced, _, ok := explore(r.Net, len(markings))
		if !ok {
			t.Fatalf("the reduced net has more than %d markings", len(markings))
		}
		states, firings := counted(t, r, reduced, net.Transitions())
		wanted := int64(0)
		most, inPlace := int64(0), make([]int64, net.Places())
		for _, m := range markings {
			total := int64(0)
			for p, n := range m {
				total += n
				inPlace[p] = max(inPlace[p], n)
			}
			most = max(most, total)
			for u := range petri.Transition(net.Transitions()) {
				if net.Enabled(m, u) {
					wanted++
				}
			}
		}
		if states.Cmp(big.NewInt(int64(len(markings)))) != 0 || firings.Cmp(big.NewInt(wanted)) != 0 {
			t.Fatalf("%s markings and %s firings, expected %d and %d", states, firings, len(markings), wanted)
		}
		if got := largest(r, reduced, func(petri.Place) bool { return true }); got != most {
			t.Fatalf("at most %d tokens in a marking, expected %d", got, most)
		}
		for p := range petri.Place(net.Places()) {
			if got := largest(r, reduced, func(q petri.Place) bool { return p == q }); got != inPlace[p] {
				t.Fatalf("at most %d tokens in place %d, expected %d", got, p, inPlace[p])
			}
		}
	}) {
		tt.Errorf("%s never applied", unused())
	}
}

// TestLongRows: rows of places that feed each other, each with a way out, are merged in work that grows with
// them, whichever end has the smaller numbers.
func TestLongRows(t *testing.T) {
	const places = 20_000
	for _, backwards := range []bool{false, true} {
		b := &petri.Builder{}
		number := func(i int) petri.Place {
			if backwards {
				return petri.Place(places - 1 - i)
			}
			return petri.Place(i)
		}
		for p := range petri.Place(places) {
			tokens := int64(0)
			if p == number(0) {
				tokens = 1
			}
			if _, err := b.AddPlace(fmt.Sprint("p", p), "", tokens); err != nil {
				t.Fatal(err)
			}
		}
		for i := range places {
			on, _ := b.AddTransition(fmt.Sprint("on", i), "")
			out, _ := b.AddTransition(fmt.Sprint("out", i), "")
			err := errors.Join(b.AddInput(number(i), on, 1), b.AddInput(number(i), out, 1))
			if i+1 < places {
				err = errors.Join(err, b.AddOutput(on, number(i+1), 1))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		net, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		r, err := Apply(account.EndsAfter(800), net, nil, Counting)
		if err != nil {
			t.Fatal(err)
		}
		if r.Net.Places() != 1 || len(r.Counts().Groups[0]) != places {
			t.Errorf("backwards %v: %d places are left", backwards, r.Net.Places())
		}
	}
}

// TestLargeNumbersAreNotCounted: tokens and weights near 2^63 make no sum of places wrong.
func TestLargeNumbersAreNotCounted(tt *testing.T) {
	rapid.Check(tt, func(t *rapid.T) {
		net := petritest.Chains().Draw(t, "net")
		markings, _, ok := explore(net, 60)
		if !ok {
			t.Skip("too many markings")
		}
		factor := rapid.SampledFrom([]int64{1 << 31, 1 << 61, math.MaxInt64 / 2, math.MaxInt64/3 - 1}).Draw(t, "factor")
		b := &petri.Builder{}
		large := func(n int64) int64 {
			product, fits := arithmetic.Multiply(n, factor)
			if !fits {
				t.Skip("beyond 63 bits")
			}
			return product
		}
		for _, m := range markings {
			total := int64(0)
			for _, n := range m {
				total += n
			}
			large(total) // no marking has more than 2^63-1 tokens
		}
		for p := range petri.Place(net.Places()) {
			if _, err := b.AddPlace(net.PlaceLabel(p).ID, "", large(net.InitialTokens(p))); err != nil {
				t.Fatal(err)
			}
		}
		for u := range petri.Transition(net.Transitions()) {
			v, err := b.AddTransition(net.TransitionLabel(u).ID, "")
			for _, a := range net.Pre(u) {
				err = errors.Join(err, b.AddInput(a.Place, v, large(a.Weight)))
			}
			for _, a := range net.Post(u) {
				err = errors.Join(err, b.AddOutput(v, a.Place, large(a.Weight)))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		scaled, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		r, err := Apply(context.Background(), scaled, nil, Counting)
		if err != nil {
			t.Fatal(err)
		}
		reduced, _, ok := explore(r.Net, len(markings))
		if !ok {
			t.Fatalf("the reduced net has more than %d markings", len(markings))
		}
		if states, _ := counted(t, r, reduced, net.Transitions()); states.Cmp(big.NewInt(int64(len(markings)))) != 0 {
			t.Fatalf("%s markings, expected %d", states, len(markings))
		}
	})
}

// TestUnitsOfGroups: groups within one unit keep its claim, those of several units drop it, and places of
// no unit get none.
func TestUnitsOfGroups(t *testing.T) {
	for _, c := range []struct {
		units [2][]petri.Place
		safe  bool
		sizes [2]int
	}{
		{[2][]petri.Place{{0}, {1, 2}}, true, [2]int{1, 1}},
		{[2][]petri.Place{{0, 1}, {2}}, false, [2]int{2, 0}},
		{[2][]petri.Place{{0}, nil}, true, [2]int{1, 0}},
	} {
		b := &petri.Builder{}
		for p, tokens := range []int64{1, 0, 0} {
			if _, err := b.AddPlace(fmt.Sprint("p", p), "", tokens); err != nil {
				t.Fatal(err)
			}
		}
		both, _ := b.AddTransition("both", "") // p0 needs itself, and so does not feed p1
		on, _ := b.AddTransition("on", "")
		if err := errors.Join(b.AddInput(0, both, 1), b.AddOutput(both, 0, 1), b.AddOutput(both, 1, 1), b.AddInput(1, on, 1), b.AddOutput(on, 2, 1)); err != nil {
			t.Fatal(err)
		}
		b.SetNUPN(&petri.NUPN{Safe: true, Units: []petri.Unit{{ID: "u", Places: c.units[0], Subunits: []int{1}}, {ID: "v", Places: c.units[1]}}})
		net, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		d := newDraft(t.Context(), net, nil)
		d.keepCounts()
		for i, r := range rules {
			if r.name == "fed places" {
				r.apply(d, i)
			}
		}
		r, err := d.finish(nil)
		if err != nil {
			t.Fatal(err)
		}
		n := r.Net.NUPN()
		if sizes := [2]int{len(n.Units[0].Places), len(n.Units[1].Places)}; r.Net.Places() != 2 || n.Safe != c.safe || sizes != c.sizes {
			t.Errorf("units %v: %d places, safe %v, of the units %v", c.units, r.Net.Places(), n.Safe, sizes)
		}
	}
}

// Units of a reduced net are those of the net, without the places that are gone. That they are safe is not
// claimed, but likely if it was claimed.
func TestUnitsOfReducedNets(t *testing.T) {
	gone := 0
	if !petritest.CheckUntil(t, func() bool { return gone > 0 }, func(t *rapid.T) {
		net := petritest.StateMachines(rapid.Bool().Draw(t, "lying")).Draw(t, "net")
		claimed := rapid.Bool().Draw(t, "claimed")
		net.NUPN().Safe = claimed
		protected := make([]bool, net.Places())
		for p := range protected {
			protected[p] = rapid.IntRange(0, 3).Draw(t, "protected") == 0
		}
		r, err := Apply(t.Context(), net, protected, BranchingStuttering)
		if err != nil {
			t.Fatal(err)
		}
		units := r.Net.NUPN()
		if units.Safe || units.Likely != claimed || len(units.Units) != len(net.NUPN().Units) {
			t.Fatalf("safe %v, likely %v, %d units", units.Safe, units.Likely, len(units.Units))
		}
		for u, unit := range units.Units {
			var want []petri.Place
			for _, p := range net.NUPN().Units[u].Places {
				if q := r.PlaceOf[p]; q >= 0 {
					want = append(want, petri.Place(q))
				} else {
					gone++
				}
			}
			if !slices.Equal(unit.Places, want) {
				t.Fatalf("unit %s has %v, expected %v", unit.ID, unit.Places, want)
			}
		}
	}) {
		t.Error("no place was gone")
	}
}

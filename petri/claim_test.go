package petri_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// fedUnit returns a net whose unit u has the places a, b and c, of which a is marked, and
// whose stock feeds b, once start has fired: the claim that u is safe fails in mid-search.
// If endless is true the stock is never used up.
func fedUnit(t *testing.T, stock int64, endless bool) *petri.Net {
	t.Helper()
	return fedUnitOf(t, stock, endless, 0, 3)
}

// fedUnitOf is fedUnit, with those of a, b and c in the unit from the first up to the end.
func fedUnitOf(t *testing.T, stock int64, endless bool, first, end int) *petri.Net {
	t.Helper()
	var b petri.Builder
	place := func(id string, tokens int64) petri.Place {
		p, err := b.AddPlace(id, "", tokens)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	before, after, stocked := place("before", 1), place("after", 0), place("stock", stock)
	unit := []petri.Place{place("a", 1), place("b", 0), place("c", 0)}
	b.SetNUPN(&petri.NUPN{Safe: true, Root: 2, Units: []petri.Unit{
		{ID: "u", Places: unit[first:end]}, {ID: "v", Places: []petri.Place{before, after}}, {ID: "root", Subunits: []int{0, 1}},
	}})
	start, _ := b.AddTransition("start", "")
	feed, _ := b.AddTransition("feed", "")
	errs := []error{
		b.AddInput(before, start, 1), b.AddOutput(start, after, 1),
		b.AddInput(after, feed, 1), b.AddOutput(feed, after, 1), b.AddInput(stocked, feed, 1), b.AddOutput(feed, unit[1], 1),
	}
	if endless {
		errs = append(errs, b.AddOutput(feed, stocked, 1))
	}
	net, err := b.Build()
	if err := errors.Join(append(errs, err)...); err != nil {
		t.Fatal(err)
	}
	return net
}

// soon is how many looks the nets of these tests need at most: an exploration that goes round among parents
// ends by it, too.
const soon = 100

// A claim that fails in mid-search changes no figure, and is told.
func TestFalseClaimInMidSearch(t *testing.T) {
	net := fedUnit(t, 10, false)
	facts := invariant.Prove(context.Background(), net, 0)
	facts.Bounds[3], facts.Bounds[4], facts.Bounds[5] = petri.Unbounded, petri.Unbounded, petri.Unbounded
	g, _ := petritest.Explore(net, 100)
	k := petri.NewKripke(net, facts, petri.Budget{})
	k.Begin(account.EndsAfter(soon))
	for s := petri.StateID(0); int(s) < k.Len(); s++ {
		if _, err := k.Successors(s); err != nil {
			t.Fatal(err)
		}
	}
	if k.Len() != len(g.Markings) || k.Unbounded() != nil {
		t.Errorf("%d states, expected %d; unbounded: %v", k.Len(), len(g.Markings), k.Unbounded())
	}
	s, err := net.Explore(account.EndsAfter(soon), facts, petri.Budget{}, nil)
	if err != nil || s.States != int64(len(g.Markings)) || s.MaxTokensInPlace != 10 {
		t.Errorf("%d states, %d tokens, %v; expected %d, 10", s.States, s.MaxTokensInPlace, err, len(g.Markings))
	}
	if claim := net.FalseClaim(); claim == nil || claim.Unit != "u" {
		t.Errorf("false claim %v, expected one of unit u", claim)
	}
}

// Units of one place or two have no group of places, but counts of a bit each: what overflows one refutes
// the claim, too.
func TestFalseClaimOfSmallUnits(t *testing.T) {
	for _, places := range [][2]int{{1, 2}, {0, 2}, {1, 3}} {
		net := fedUnitOf(t, 5, false, places[0], places[1])
		s, err := net.Explore(account.EndsAfter(soon), petri.Facts{}, petri.Budget{}, nil)
		if err != nil || s.States != 7 || s.MaxTokensInPlace != 5 {
			t.Errorf("places %v: %d states, %d tokens, %v; expected 7 and 5", places, s.States, s.MaxTokensInPlace, err)
		}
		if claim := net.FalseClaim(); claim == nil || claim.Unit != "u" {
			t.Errorf("places %v: false claim %v, expected one of unit u", places, claim)
		}
	}
}

// A place that grows without bound once a claim has failed is found unbounded.
func TestFalseClaimOfUnboundedPlace(t *testing.T) {
	net := fedUnit(t, 1, true)
	facts := invariant.Prove(context.Background(), net, 0)
	var unbounded *petri.UnboundedError
	if _, err := net.Explore(account.EndsAfter(soon), facts, petri.Budget{}, nil); !errors.As(err, &unbounded) || unbounded.ID != "b" {
		t.Errorf("%v, expected that b is unbounded", err)
	}
	k := petri.NewKripke(net, facts, petri.Budget{})
	k.Begin(account.EndsAfter(soon))
	for s := petri.StateID(0); int(s) < k.Len(); s++ {
		if _, err := k.Successors(s); err != nil {
			t.Fatal(err)
		}
	}
	if k.Unbounded() == nil || k.Unbounded().ID != "b" {
		t.Errorf("unbounded: %v, expected b", k.Unbounded())
	}
}

// Claims that hold, and nets that claim nothing, are no false claims; one that the
// initial marking refutes is told at once.
func TestFalseClaimOnlyIfFalse(t *testing.T) {
	var b petri.Builder
	for i := range 3 {
		if _, err := b.AddPlace(fmt.Sprint(i), "", 1); err != nil {
			t.Fatal(err)
		}
	}
	b.SetNUPN(&petri.NUPN{Safe: true, Units: []petri.Unit{{ID: "u", Places: []petri.Place{0, 1, 2}}}})
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		net  *petri.Net
		want string
	}{{fedUnit(t, 0, false), ""}, {petritest.Philosophers(3), ""}, {net, "u"}} {
		_, err := test.net.Explore(context.Background(), petri.Facts{}, petri.Budget{}, nil)
		got := ""
		if claim := test.net.FalseClaim(); claim != nil {
			got = claim.Unit
		}
		if err != nil || got != test.want {
			t.Errorf("unit %q, %v; expected %q", got, err, test.want)
		}
	}
}

package symbolic_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/invariant"
	"pnmc/symbolic"
)

// everyWay returns methods and encodings of exploration.
func everyWay() (ways []symbolic.Options) {
	for _, m := range []symbolic.Method{symbolic.Saturation, symbolic.Chaining, symbolic.BreadthFirst} {
		for _, e := range []symbolic.Encoding{symbolic.PerPlace, symbolic.PerGroup} {
			ways = append(ways, symbolic.Options{Method: m, Encoding: e})
		}
	}
	return ways
}

// TestUnboundedPlaceIsNamed ends soon, with the name of a place.
func TestUnboundedPlaceIsNamed(t *testing.T) {
	for _, c := range []struct {
		places []string // any of them
		net    *petri.Net
	}{
		{[]string{"b", "c"}, netOf(t, map[string]int64{"a": 1}, "t: a -> a b", "u: b -> c c")},
		{[]string{"b"}, netOf(t, nil, "t: -> b")},
		{[]string{"b", "c", "d"}, netOf(t, map[string]int64{"a": 1}, "t: a -> a b", "u: b -> c d", "v: c -> b", "w: d -> b c")},
		{[]string{"b"}, netOf(t, map[string]int64{"a": 1, "x": 1, "y": 1}, "t: a -> a b", "u: x -> y", "v: y b -> x")},
		{[]string{"b"}, slowProducer(t, 8, 4)},
	} {
		for _, o := range everyWay() {
			s, err := symbolic.Explore(t.Context(), c.net, o)
			var unbounded *petri.UnboundedError
			if !errors.As(err, &unbounded) || !slices.Contains(c.places, unbounded.ID) {
				t.Errorf("%v, %v: %v, want one of %v to be unbounded", o.Method, o.Encoding, err, c.places)
				continue
			}
			if p, _ := c.net.PlaceByID(unbounded.ID); s == nil || s.Complete || slices.Max(s.Bounds) <= 64 {
				t.Errorf("%v, %v: space %+v with place %v unbounded", o.Method, o.Encoding, s, p)
			}
		}
	}
}

// slowProducer puts a token into b with every round of a cycle, beside many cycles of
// others.
func slowProducer(t testing.TB, length, others int) *petri.Net {
	initial := map[string]int64{"p0": 1}
	var lines []string
	for i := range length {
		line := fmt.Sprintf("t%d: p%d -> p%d", i, i, (i+1)%length)
		if i == length-1 {
			line += " b"
		}
		lines = append(lines, line)
	}
	for i := range others {
		initial[fmt.Sprint("x", i)] = 1
		lines = append(lines, fmt.Sprintf("u%d: x%[1]d -> y%[1]d", i), fmt.Sprintf("v%d: y%[1]d -> x%[1]d", i))
	}
	return netOf(t, initial, lines...)
}

// calledSafe returns netOf with a unit for each place and the claim that the net is safe.
func calledSafe(t testing.TB, initial map[string]int64, lines ...string) *petri.Net {
	b, places := builderOf(t, initial, lines...)
	units := &petri.NUPN{Safe: true, Root: places}
	root := petri.Unit{ID: "root"}
	for p := range places {
		units.Units = append(units.Units, petri.Unit{ID: fmt.Sprint("u", p), Places: []petri.Place{petri.Place(p)}})
		root.Subunits = append(root.Subunits, p)
	}
	units.Units = append(units.Units, root)
	b.SetNUPN(units)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// TestFalseClaimOfSafety: that units call a net safe is no bound of a place that gets a
// second token.
func TestFalseClaimOfSafety(t *testing.T) {
	net := calledSafe(t, map[string]int64{"a": 1, "x": 1}, "t: a -> a b", "u: x -> y", "v: y -> x")
	for _, o := range everyWay() {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		s, err := symbolic.Explore(ctx, net, o)
		cancel()
		var unbounded *petri.UnboundedError
		if !errors.As(err, &unbounded) || unbounded.ID != "b" || s.Complete {
			t.Errorf("%v, %v: %v, want b to be unbounded", o.Method, o.Encoding, err)
		} else if most := slices.Max(s.Bounds); most != 2 {
			t.Errorf("%v, %v: a place got %d tokens before it was looked at", o.Method, o.Encoding, most)
		}
	}
	// A place of more than one token that has a bound ends nothing.
	bounded := calledSafe(t, map[string]int64{"a": 1, "b": 1}, "t: a -> c", "u: b -> c", "v: c ->")
	for _, o := range everyWay()[:2] {
		if s, err := symbolic.Explore(t.Context(), bounded, o); err != nil || s.States().Int64() != 8 || s.LargestValue() != 2 {
			t.Errorf("%v, %v: %v states, %v", o.Method, o.Encoding, s.States(), err)
		}
	}
}

// TestFalseClaimOfTheInitialMarking: two tokens in two places of a unit, each with one at most, refute the claim
// though no place has two, and every state is counted.
func TestFalseClaimOfTheInitialMarking(t *testing.T) {
	for _, o := range everyWay() {
		b, _ := builderOf(t, map[string]int64{"a": 1, "b": 1}, "t: a -> c", "u: b -> d")
		b.SetNUPN(&petri.NUPN{Safe: true, Units: []petri.Unit{{ID: "u", Places: []petri.Place{0, 1, 2, 3}}}})
		net, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		s, err := symbolic.Explore(t.Context(), net, o)
		if err != nil || s.States().Int64() != 4 {
			t.Errorf("%v, %v: %v states, %v", o.Method, o.Encoding, s.States(), err)
		}
		if claim := net.FalseClaim(); claim == nil || claim.Unit != "u" {
			t.Errorf("%v, %v: false claim %v, expected one of unit u", o.Method, o.Encoding, claim)
		}
	}
}

// TestGrowthWithoutProof ends where growth is not found out to be unbounded, with what
// is known: the walks have no chance to go round the cycle, for all its places lead to
// a deadlock too.
func TestGrowthWithoutProof(t *testing.T) {
	const length = 60
	var lines []string
	for i := range length - 1 {
		lines = append(lines, fmt.Sprintf("t%d: p%[1]d -> p%d", i, i+1), fmt.Sprintf("d%d: p%[1]d -> dead", i))
	}
	lines = append(lines, fmt.Sprintf("last: p%d -> p0 b", length-1))
	plain, claimed := netOf(t, map[string]int64{"p0": 1}, lines...), calledSafe(t, map[string]int64{"p0": 1}, lines...)
	for i, net := range []*petri.Net{plain, plain, claimed, claimed} {
		e := []symbolic.Encoding{symbolic.PerPlace, symbolic.PerGroup}[i%2]
		s, err := symbolic.Explore(t.Context(), net, symbolic.Options{Encoding: e})
		var growth *symbolic.GrowthError
		if !errors.As(err, &growth) || growth.ID != "b" || growth.Tokens < 1<<12 {
			t.Fatalf("%v: %v, want growth of b", e, err)
		}
		if want := fmt.Sprintf("place \"b\" gets %d tokens", growth.Tokens); !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", e, err, want)
		}
		if told := strings.Contains(err.Error(), "claim that the net is safe"); told != (net == claimed) {
			t.Errorf("%v: %v, with a claim: %v", e, err, net == claimed)
		}
		if s.Complete || slices.Max(s.Bounds) != growth.Tokens {
			t.Errorf("%v: bounds %v, after %v", e, s.Bounds, err)
		}
	}
}

// TestBoundedWithoutProof checks a place that holds more tokens than are doubtful
// and whose bound no semiflow tells.
func TestBoundedWithoutProof(t *testing.T) {
	const tokens = 70
	net := netOf(t, map[string]int64{"a": tokens}, "t: a -> b", "u: a -> c", "v: c ->", "w: b ->")
	b, _ := net.PlaceByID("b")
	if bound := invariant.Prove(t.Context(), net, 0).Bound(b); bound != petri.Unbounded {
		t.Fatalf("%d tokens are a proven bound of b", bound)
	}
	for _, o := range everyWay() {
		if o.Method == symbolic.BreadthFirst {
			continue // hundreds of layers
		}
		s, err := symbolic.Explore(t.Context(), net, o)
		if err != nil {
			t.Errorf("%v, %v: %v", o.Method, o.Encoding, err)
		} else if got, want := s.States().String(), fmt.Sprint((tokens+1)*(tokens+2)*(tokens+3)/6); got != want || s.LargestValue() != tokens {
			t.Errorf("%v, %v: %s states, want %s", o.Method, o.Encoding, got, want)
		}
	}
}

// TestUnboundedAgreesWithExplicit compares what ends the exploration of random nets with
// what ends explicit exploration. Bounded nets end none.
func TestUnboundedAgreesWithExplicit(t *testing.T) {
	unbounded := 0
	if !petritest.CheckUntil(t, func() bool { return unbounded > 0 }, func(t *rapid.T) {
		net := rapid.OneOf(petritest.AnyNet(), petritest.StateMachines(true)).Draw(t, "net")
		ways := everyWay()
		o := ways[rapid.IntRange(0, len(ways)-1).Draw(t, "way")]
		o.Memory = 64 << 20
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		explicit, why := net.Explore(ctx, petri.Facts{}, petri.Budget{}, func(s petri.Statistics) {
			if s.States > 1<<15 {
				cancel()
			}
		})
		if errors.Is(why, context.Canceled) {
			t.Skip("too large")
		}
		s, err := symbolic.Explore(t.Context(), net, o)
		switch {
		case why == nil && (err != nil || s.States().Int64() != explicit.States):
			t.Fatalf("%v, %v: %v, want %d states", o.Method, o.Encoding, err, explicit.States)
		case why != nil && !errors.As(err, new(*petri.UnboundedError)) && !errors.As(err, new(*symbolic.GrowthError)):
			t.Fatalf("%v, %v: %v, but %v", o.Method, o.Encoding, err, why)
		case why != nil:
			unbounded++
		}
	}) {
		t.Error("no unbounded net was drawn")
	}
}

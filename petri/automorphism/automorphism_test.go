package automorphism

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/petri"
)

// naive is a permutation of places, each with the one whose tokens it gets.
type naive []petri.Place

// text describes transition u with its places renamed, without its name.
func text(net *petri.Net, u petri.Transition, name func(petri.Place) petri.Place) string {
	var parts []string
	for _, a := range net.Pre(u) {
		parts = append(parts, fmt.Sprintf("%d<%d", name(a.Place), a.Weight))
	}
	for _, a := range net.Post(u) {
		parts = append(parts, fmt.Sprintf("%d>%d", name(a.Place), a.Weight))
	}
	for _, a := range net.Ceilings(u) {
		parts = append(parts, fmt.Sprintf("%d=%d", name(a.Place), a.Weight))
	}
	for _, p := range net.Resets(u) {
		parts = append(parts, fmt.Sprintf("%d!", name(p)))
	}
	slices.Sort(parts)
	return fmt.Sprint(parts)
}

// isAutomorphism reports by the definition whether from is an automorphism of net: the transitions
// with renamed places are the transitions, each as often.
func (from naive) isAutomorphism(net *petri.Net) bool {
	to := make(naive, len(from))
	for p, q := range from {
		if net.InitialTokens(petri.Place(p)) != net.InitialTokens(q) {
			return false
		}
		to[q] = petri.Place(p)
	}
	var before, after []string
	for u := range petri.Transition(net.Transitions()) {
		before = append(before, text(net, u, func(p petri.Place) petri.Place { return p }))
		after = append(after, text(net, u, func(p petri.Place) petri.Place { return to[p] }))
	}
	slices.Sort(before)
	slices.Sort(after)
	return slices.Equal(before, after)
}

// image returns m permuted.
func (from naive) image(m petri.Marking) petri.Marking {
	image := make(petri.Marking, len(m))
	for p, q := range from {
		image[p] = m[q]
	}
	return image
}

// allOf returns all automorphisms of a net with few places.
func allOf(net *petri.Net) (all []naive) {
	var from naive
	var extend func()
	extend = func() {
		if len(from) == net.Places() {
			if from.isAutomorphism(net) {
				all = append(all, slices.Clone(from))
			}
			return
		}
		p := petri.Place(len(from))
		for q := range petri.Place(net.Places()) {
			if slices.Contains(from, q) || net.InitialTokens(p) != net.InitialTokens(q) ||
				len(net.Consumers(p)) != len(net.Consumers(q)) || len(net.Producers(p)) != len(net.Producers(q)) {
				continue
			}
			from = append(from, q)
			extend()
			from = from[:len(from)-1]
		}
	}
	extend()
	return all
}

// permutationsOf returns what is found in a net, as permutations of all places.
func permutationsOf(t rapid.TB, net *petri.Net, goals ...Goal) (all []naive) {
	t.Helper()
	s, err := newSearch(account.Of(context.Background()), net, goals, math.MaxInt/2)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.run(); err != nil {
		t.Fatal(err)
	}
	permutations, err := s.permutations()
	if err != nil {
		t.Fatal(err)
	}
	for _, moves := range permutations {
		from := make(naive, net.Places())
		for p := range from {
			from[p] = petri.Place(p)
		}
		for _, m := range moves {
			from[m.Place] = m.From
		}
		all = append(all, from)
	}
	return all
}

// TestFoundAreAutomorphisms: what is found in nets of any kind are automorphisms, by the definition.
func TestFoundAreAutomorphisms(t *testing.T) {
	found, special := 0, 0
	if !petritest.CheckManyUntil(t, 3000, func() bool { return found > 100 && special > 10 }, func(t *rapid.T) {
		var net *petri.Net
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			net = petritest.Copies().Draw(t, "net").Net
		case 1:
			net = petritest.SpecialCopies().Draw(t, "net").Net
		case 2:
			net = petritest.AnyNet().Draw(t, "net")
		}
		for _, from := range permutationsOf(t, net) {
			if !from.isAutomorphism(net) {
				t.Fatalf("%v is no automorphism", from)
			}
			found++
			if !net.Plain() {
				special++
			}
		}
	}) {
		t.Errorf("%d permutations found, %d of nets with special arcs", found, special)
	}
}

// TestVerified: whether a permutation of places and transitions is an automorphism is found out as by the
// definition, of permutations that exchange a few.
func TestVerified(t *testing.T) {
	var seen [2]int
	if !petritest.CheckManyUntil(t, 3000, func() bool { return seen[0] > 10 && seen[1] > 10 }, func(t *rapid.T) {
		net := petritest.SpecialCopies().Draw(t, "net").Net
		g, err := newGraph(account.Of(context.Background()), net, nil)
		if err != nil {
			t.Fatal(err)
		}
		image := make([]uint32, len(g.colour))
		for v := range image {
			image[v] = uint32(v)
		}
		exchange := func(first, n int) {
			v, w := first+rapid.IntRange(0, n-1).Draw(t, "one"), first+rapid.IntRange(0, n-1).Draw(t, "other")
			image[v], image[w] = image[w], image[v]
		}
		for range rapid.IntRange(1, 2).Draw(t, "places") {
			exchange(0, net.Places())
		}
		for range rapid.IntRange(0, 3).Draw(t, "transitions") {
			exchange(net.Places(), net.Transitions())
		}
		want := true
		for p := range petri.Place(net.Places()) {
			want = want && net.InitialTokens(p) == net.InitialTokens(petri.Place(image[p]))
		}
		for u := range petri.Transition(net.Transitions()) {
			v := petri.Transition(int(image[net.Places()+int(u)]) - net.Places())
			want = want && text(net, u, func(p petri.Place) petri.Place { return petri.Place(image[p]) }) == text(net, v, func(p petri.Place) petri.Place { return p })
		}
		var moved []uint32
		for v, w := range image {
			if uint32(v) != w {
				moved = append(moved, uint32(v))
			}
		}
		got := g.isAutomorphism(image, moved, new([]edge))
		if got != want {
			t.Fatalf("%v is an automorphism: %v, expected %v", image, got, want)
		}
		if want && len(moved) > 0 {
			seen[1]++
		} else if !want {
			seen[0]++
		}
	}) {
		t.Errorf("%d are none, %d are", seen[0], seen[1])
	}
}

// TestParity: refinement can't tell which of two pairs are exchanged together. A transition has one place
// of each of three pairs, with an even number of second ones. So exchanging a single pair is wrong,
// and exchanging any two pairs is right.
func TestParity(t *testing.T) {
	var b petri.Builder
	for p := range 6 {
		if _, err := b.AddPlace(fmt.Sprint("p", p), "", 1); err != nil {
			t.Fatal(err)
		}
	}
	for seconds := range 8 {
		if bits.OnesCount(uint(seconds))%2 != 0 {
			continue
		}
		u, err := b.AddTransition(fmt.Sprint("t", seconds), "")
		for pair := range 3 {
			p := petri.Place(2*pair + seconds>>pair&1)
			err = errors.Join(err, b.AddInput(p, u, 1), b.AddOutput(u, p, 2))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	found := permutationsOf(t, net)
	for _, from := range found {
		if !from.isAutomorphism(net) {
			t.Errorf("%v is no automorphism", from)
		}
	}
	if all := len(allOf(net)); len(found) != all-1 {
		t.Errorf("%d permutations of %d beside the identity", len(found), all-1)
	}
}

// TestOrbits: markings that stand for others are images of them, as many as there are orbits or a few
// more. Reachable markings of few places are compared with all automorphisms that there are.
func TestOrbits(t *testing.T) {
	orbits, left, all := 0, 0, 0
	if !petritest.CheckManyUntil(t, 3000, func() bool { return orbits > 1000 }, func(t *rapid.T) {
		net := petritest.Copies().Filter(func(c petritest.Copied) bool { return c.Net.Places() <= 7 }).Draw(t, "net").Net
		g, _ := petritest.Explore(net, 200)
		group := allOf(net)
		symmetries, err := Find(context.Background(), net, nil, math.MaxInt/2)
		if err != nil {
			t.Fatal(err)
		}
		places, transitions, err := Orbits(context.Background(), net, math.MaxInt/2)
		if err != nil {
			t.Fatal(err)
		}
		for p, least := range places {
			if !slices.ContainsFunc(group, func(from naive) bool { return from[p] == least }) {
				t.Fatalf("no automorphism maps place %d to %d", least, p)
			}
		}
		smallest, lowered := map[string]bool{}, map[string]bool{}
		scratch := make(petri.Marking, net.Places())
		for _, m := range g.Markings {
			least := m
			low := slices.Clone(m)
			changed := symmetries != nil && symmetries.Lower(low, scratch)
			if changed != !slices.Equal(low, m) {
				t.Fatalf("%v became %v: %v", m, low, changed)
			}
			isImage := false
			for _, from := range group {
				image := from.image(m)
				isImage = isImage || slices.Equal(image, low)
				if slices.Compare(image, least) < 0 {
					least = image
				}
			}
			if !isImage {
				t.Fatalf("%v became %v, which is no image", m, low)
			}
			for u, first := range transitions {
				u := petri.Transition(u)
				if net.Enabled(m, u) && !slices.ContainsFunc(group, func(from naive) bool { return net.Enabled(from.image(m), first) }) {
					t.Fatalf("transition %d is enabled in %v, and %d in no image", u, m, first)
				}
			}
			smallest[fmt.Sprint(least)], lowered[fmt.Sprint(low)] = true, true
		}
		if len(lowered) < len(smallest) {
			t.Fatalf("%d markings are left of %d orbits", len(lowered), len(smallest))
		}
		orbits, left, all = orbits+len(smallest), left+len(lowered), all+len(g.Markings)
	}) {
		t.Error("few orbits")
	}
	if left-orbits > (all-orbits)/30 {
		t.Errorf("%d of %d markings are left, of %d orbits", left, all, orbits)
	}
}

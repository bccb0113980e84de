package petri_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
)

// TestFiringBetween: the first transition whose firing gives the other marking is found, as by comparing whole markings; from a
// marking to one near it, to itself, and to others.
func TestFiringBetween(t *testing.T) {
	found, none := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		net := petritest.AnyNet().Draw(t, "net")
		from := net.Initial()
		for range rapid.IntRange(0, 4).Draw(t, "steps") {
			if n := net.Transitions(); n > 0 {
				net.Fire(from, petri.Transition(rapid.IntRange(0, n-1).Draw(t, "fired")))
			}
		}
		to := slices.Clone(from)
		if n := net.Transitions(); n > 0 && rapid.Bool().Draw(t, "fires") {
			net.Fire(to, petri.Transition(rapid.IntRange(0, n-1).Draw(t, "last")))
		}
		if net.Places() > 0 && rapid.IntRange(0, 3).Draw(t, "changed") == 0 {
			to[rapid.IntRange(0, net.Places()-1).Draw(t, "place")]++
		}
		want, exists := petri.Transition(0), false
		for u := range petri.Transition(net.Transitions()) {
			if m := slices.Clone(from); net.Fire(m, u) && slices.Equal(m, to) {
				want, exists = u, true
				break
			}
		}
		before, after := slices.Clone(from), slices.Clone(to)
		got, ok := net.FiringBetween(from, to, make(petri.Marking, net.Places()))
		if ok != exists || got != want {
			t.Fatalf("from %v to %v: %d, %t, should be %d, %t", from, to, got, ok, want, exists)
		}
		if !slices.Equal(from, before) || !slices.Equal(to, after) {
			t.Fatal("a marking was changed")
		}
		if ok {
			found++
		} else {
			none++
		}
	})
	if found < 10 || none < 10 {
		t.Errorf("found %d, none %d", found, none)
	}
}

// TestFiringBetweenIsOnePass: with thousands of transitions that are enabled, markings are not compared for each.
func TestFiringBetweenIsOnePass(t *testing.T) {
	b := &petri.Builder{}
	const switches = 30_000
	for i := range switches {
		name := time.Duration(i).String()
		off, err := b.AddPlace("off"+name, "", 1)
		if err != nil {
			t.Fatal(err)
		}
		on, err := b.AddPlace("on"+name, "", 0)
		if err != nil {
			t.Fatal(err)
		}
		u, err := b.AddTransition("u"+name, "")
		if err != nil {
			t.Fatal(err)
		}
		if b.AddInput(off, u, 1) != nil || b.AddOutput(u, on, 1) != nil {
			t.Fatal("an arc is refused")
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	from, scratch := net.Initial(), make(petri.Marking, net.Places())
	to := slices.Clone(from)
	net.Fire(to, switches-1)
	begun := time.Now()
	if u, ok := net.FiringBetween(from, to, scratch); !ok || u != switches-1 {
		t.Errorf("%d, %t", u, ok)
	}
	if took := time.Since(begun); took > 500*time.Millisecond { // it is a millisecond or two; as many copies take seconds
		t.Errorf("took %v", took)
	}
}

// TestFiringBetweenLooksAtAll: a firing that does what is wanted and more is none that leads there, nor is one that a place has no room for.
func TestFiringBetweenLooksAtAll(t *testing.T) {
	b := &petri.Builder{}
	var places [4]petri.Place
	for i, tokens := range []int64{1, 0, 1, math.MaxInt64} {
		var err error
		if places[i], err = b.AddPlace(string(rune('a'+i)), "", tokens); err != nil {
			t.Fatal(err)
		}
	}
	for _, arcs := range [][2][]int{{{0, 2}, {1}}, {{0}, {1}}, {{}, {3}}} { // the last one never fires
		u, err := b.AddTransition(fmt.Sprint("t", arcs), "")
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range arcs[0] {
			if err := b.AddInput(places[p], u, 1); err != nil {
				t.Fatal(err)
			}
		}
		for _, p := range arcs[1] {
			if err := b.AddOutput(u, places[p], 1); err != nil {
				t.Fatal(err)
			}
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	from := net.Initial()
	scratch := make(petri.Marking, len(from))
	if u, ok := net.FiringBetween(from, petri.Marking{0, 1, 1, math.MaxInt64}, scratch); !ok || u != 1 {
		t.Errorf("%d, %t instead of the second transition", u, ok)
	}
	if u, ok := net.FiringBetween(from, from, scratch); ok {
		t.Errorf("%d leads from a marking to itself", u)
	}
}

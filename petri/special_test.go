package petri_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
)

// TestFireAsDefined: with arcs of all kinds, firing and what is enabled are as the definitions
// of the arcs and capacities say.
func TestFireAsDefined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := petritest.AllArcs().Draw(t, "net")
		m := net.Initial()
		for range 20 {
			var next []petri.Marking
			dead := true
			for u := range petri.Transition(net.Transitions()) {
				want := petritest.Fires(net, m, u)
				got := slices.Clone(m)
				fired := net.Fire(got, u)
				if fired != (want != nil) || net.Enabled(m, u) != fired || fired && !slices.Equal(got, want) || !fired && !slices.Equal(got, m) {
					t.Fatalf("transition %d in %v: fired %v to %v, expected %v", u, m, fired, got, want)
				}
				if fired {
					dead = false
					next = append(next, got)
					for _, d := range net.Effect(u) {
						if got[d.Place]-m[d.Place] > d.Weight {
							t.Fatalf("transition %d adds more than %v in %v", u, d, m)
						}
					}
				}
			}
			if net.Deadlock(m) != dead {
				t.Fatalf("deadlock in %v: %v", m, !dead)
			}
			if len(next) == 0 {
				return
			}
			m = rapid.SampledFrom(next).Draw(t, "next")
		}
	})
}

// TestPumps: where a run pumps, it fires again and adds the same.
func TestPumps(t *testing.T) {
	pumped, besides := 0, 0
	if !petritest.CheckUntil(t, func() bool { return pumped > 0 && besides > 0 }, func(t *rapid.T) {
		net := petritest.AllArcs().Draw(t, "net")
		markings, run := []petri.Marking{net.Initial()}, []petri.Transition(nil)
		for range 12 {
			m := markings[len(markings)-1]
			var enabled []petri.Transition
			for u := range petri.Transition(net.Transitions()) {
				if net.Enabled(m, u) {
					enabled = append(enabled, u)
				}
			}
			if len(enabled) == 0 {
				break
			}
			u := rapid.SampledFrom(enabled).Draw(t, "fired")
			m = slices.Clone(m)
			net.Fire(m, u)
			markings, run = append(markings, m), append(run, u)
		}
		last := markings[len(markings)-1]
		for i, m := range markings[:len(markings)-1] {
			by := net.RepeatsBy(m, last, slices.Values(run[i:]))
			if !by && net.Repeats(m, last) {
				t.Fatalf("%v repeats what led from %v to %v, and %v does not", net, m, last, run[i:])
			}
			if !by || slices.Equal(m, last) {
				continue
			}
			if net.Pumps(m, last) {
				pumped++
			} else {
				besides++
			}
			again := slices.Clone(last)
			for round := range int64(3) {
				for _, u := range run[i:] {
					if !net.Fire(again, u) {
						t.Fatalf("%v does not fire again from %v", run[i:], last)
					}
				}
				for p := range again {
					if again[p] != last[p]+(round+1)*(last[p]-m[p]) {
						t.Fatalf("%v from %v leads to %v", run[i:], last, again)
					}
				}
			}
		}
	}) {
		t.Errorf("%d times something was pumped, %d times in a watched place", pumped, besides)
	}
}

// TestSpecialArcs: what a net tells of its arcs is what was added, of parallel ones the most
// that they ask.
func TestSpecialArcs(t *testing.T) {
	var b petri.Builder
	p, _ := b.AddPlace("p", "", 1)
	q, _ := b.AddPlace("q", "", 0)
	u, _ := b.AddTransition("u", "")
	v, _ := b.AddTransition("v", "")
	for _, err := range []error{
		b.AddInhibitor(p, u, 3), b.AddInhibitor(p, u, 2), b.AddReset(q, v), b.AddReset(q, v),
		b.AddInput(p, v, 1), b.AddRead(p, v, 3), b.AddOutput(u, q, 2), b.SetCapacity(q, 5),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if b.AddInhibitor(p, u, 0) == nil || b.SetCapacity(p, 0) == nil || b.AddReset(7, u) == nil {
		t.Error("a weight of 0, a capacity below the initial marking, or an unknown place was accepted")
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if got := net.Inhibitors(u); !slices.Equal(got, []petri.Arc{{Place: p, Weight: 2}}) {
		t.Errorf("inhibitors %v", got)
	}
	if got := net.Ceilings(u); !slices.Equal(got, []petri.Arc{{Place: p, Weight: 2}, {Place: q, Weight: 4}}) {
		t.Errorf("ceilings %v", got)
	}
	if got := net.Resets(v); !slices.Equal(got, []petri.Place{q}) {
		t.Errorf("resets %v", got)
	}
	if got := net.Pre(v); !slices.Equal(got, []petri.Arc{{Place: p, Weight: 3}}) {
		t.Errorf("input arcs %v", got)
	}
	if got := net.Post(v); !slices.Equal(got, []petri.Arc{{Place: p, Weight: 2}}) {
		t.Errorf("output arcs %v", got)
	}
	if net.Plain() || !net.HasResets() || !net.Emptied(q) || net.Emptied(p) || !net.Watched(p) || net.Capacity(q) != 5 || net.Capacity(p) != petri.Unbounded {
		t.Error("the net tells otherwise what it has")
	}
}

// TestReadBesideReset: a read arc only looks, so that a reset arc between the same nodes takes what
// it looked at.
func TestReadBesideReset(t *testing.T) {
	for _, x := range []struct{ tokens, input, read, output, left int64 }{
		{3, 0, 1, 0, 0}, {3, 0, 1, 2, 2}, {3, 1, 2, 0, 0}, {3, 2, 1, 1, 1}, {3, 0, 3, 0, 0}, {3, 0, 4, 0, -1}, {3, 2, 4, 5, -1},
	} {
		var b petri.Builder
		p, _ := b.AddPlace("p", "", x.tokens)
		u, _ := b.AddTransition("t", "")
		var errs []error
		if x.input > 0 {
			errs = append(errs, b.AddInput(p, u, x.input))
		}
		if x.output > 0 {
			errs = append(errs, b.AddOutput(u, p, x.output))
		}
		errs = append(errs, b.AddRead(p, u, x.read), b.AddReset(p, u))
		net, err := b.Build()
		if err = errors.Join(append(errs, err)...); err != nil {
			t.Fatal(err)
		}
		m := net.Initial()
		if fired := net.Fire(m, u); fired != (x.left >= 0) || fired && m[p] != x.left {
			t.Errorf("%+v: fired %t, to %v", x, fired, m)
		}
	}
}

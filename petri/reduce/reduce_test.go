package reduce

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
)

// randomNet draws a net of at most that many places and transitions: weights, self-loops,
// isolated nodes and unbounded places included.
func randomNet(t *rapid.T, most int) *petri.Net {
	b := &petri.Builder{ID: "random"}
	places := rapid.IntRange(1, most).Draw(t, "places")
	transitions := rapid.IntRange(1, most).Draw(t, "transitions")
	for p := range places {
		if _, err := b.AddPlace(fmt.Sprintf("p%d", p), "", int64(rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "tokens"))); err != nil {
			t.Fatal(err)
		}
	}
	weight := func() int64 { return int64(rapid.SampledFrom([]int{1, 1, 1, 1, 2}).Draw(t, "weight")) }
	for u := range transitions {
		id, err := b.AddTransition(fmt.Sprintf("t%d", u), "")
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(0, 2).Draw(t, "inputs") {
			if err := b.AddInput(petri.Place(rapid.IntRange(0, places-1).Draw(t, "from")), id, weight()); err != nil {
				t.Fatal(err)
			}
		}
		for range rapid.IntRange(0, 2).Draw(t, "outputs") {
			if err := b.AddOutput(id, petri.Place(rapid.IntRange(0, places-1).Draw(t, "to")), weight()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if rapid.Bool().Draw(t, "special") {
		drawSpecial(t, b, places, transitions)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// drawSpecial adds a few inhibitor, reset and read arcs, and capacities.
func drawSpecial(t *rapid.T, b *petri.Builder, places, transitions int) {
	for range rapid.IntRange(1, 4).Draw(t, "special arcs") {
		p := petri.Place(rapid.IntRange(0, places-1).Draw(t, "at"))
		u := petri.Transition(rapid.IntRange(0, transitions-1).Draw(t, "of"))
		var err error
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			err = b.AddReset(p, u)
		case 1:
			err = b.SetCapacity(p, rapid.Int64Range(2, 4).Draw(t, "capacity"))
		case 2:
			err = b.AddRead(p, u, 2)
		default:
			err = b.AddInhibitor(p, u, rapid.Int64Range(1, 3).Draw(t, "below"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// explore lists the reachable markings, or gives up beyond limit.
func explore(net *petri.Net, limit int) (markings []petri.Marking, by [][]petri.Transition, ok bool) {
	seen := map[string]bool{}
	visit := func(m petri.Marking, run []petri.Transition) {
		if key := petritest.Key(m); !seen[key] {
			seen[key] = true
			markings = append(markings, slices.Clone(m))
			by = append(by, slices.Clone(run))
		}
	}
	visit(net.Initial(), nil)
	next := make(petri.Marking, net.Places())
	for i := 0; i < len(markings); i++ {
		if i > limit {
			return nil, nil, false
		}
		for t := range petri.Transition(net.Transitions()) {
			copy(next, markings[i])
			if net.Fire(next, t) {
				visit(next, append(by[i], t)) // which is copied
			}
		}
	}
	return markings, by, true
}

// projections returns the different values of the protected places.
func projections(markings []petri.Marking, places []int) map[string]bool {
	set := map[string]bool{}
	for _, m := range markings {
		v := make([]int64, 0, len(places))
		for _, p := range places {
			v = append(v, m[p])
		}
		set[fmt.Sprint(v)] = true
	}
	return set
}

// draw draws a net with few markings and protects some places.
func draw(t *rapid.T) (*petri.Net, []petri.Marking, []bool) {
	net := randomNet(t, 7)
	markings, _, ok := explore(net, 500)
	if !ok {
		t.Skip("too many markings")
	}
	return net, markings, drawProtected(t, net)
}

// drawProtected draws which places a property looks at.
func drawProtected(t *rapid.T, net *petri.Net) []bool {
	protected := make([]bool, net.Places())
	for p := range protected {
		protected[p] = rapid.IntRange(0, 3).Draw(t, "protected") == 0
	}
	return protected
}

// looks is a context that ends after so many looks at it.
type looks struct {
	context.Context
	left int
}

func (c *looks) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// apply reduces, sometimes until a context ends, which is then looked at after each bit of
// work: what was done until then must be sound, too. Sometimes it reduces for more at first, and then
// further.
func apply(t *rapid.T, net *petri.Net, protected []bool, wanted Preserves) *Reduction {
	left := rapid.OneOf(rapid.Just(1<<30), rapid.IntRange(0, 200)).Draw(t, "looks")
	was := drawProtected(t, net) // for others
	for p, is := range protected {
		was[p] = was[p] || is
	}
	further := wanted != Counting && rapid.Bool().Draw(t, "further")
	if !further {
		was = protected
	}
	d := newDraft(&looks{t.Context(), left}, net, was)
	d.perLook, d.most = 1, rapid.OneOf(rapid.Just(0), rapid.IntRange(1, 300)).Draw(t, "work")
	had := wanted
	if further {
		had |= Preserves(rapid.IntRange(0, int(Firings-1)).Draw(t, "preserved for others"))
	}
	r, err := d.finish(d.reduce(had))
	if further && err == nil {
		if !Serves(was, had, protected, wanted) {
			t.Fatal("a reduction for more does not serve")
		}
		r, err = r.Further(t.Context(), protected, wanted)
	}
	if err != nil {
		t.Fatal(err)
	}
	for p, is := range protected {
		if is && r.PlaceOf[p] < 0 {
			t.Fatalf("protected place %d is gone", p)
		}
	}
	for q, p := range r.Places {
		if r.PlaceOf[p] != int32(q) || r.Net.PlaceLabel(petri.Place(q)) != net.PlaceLabel(p) {
			t.Fatalf("place %d is not place %d", q, p)
		}
	}
	return r
}

// checkRuns replays each run of the reduced net in the original.
func checkRuns(t *rapid.T, net *petri.Net, r *Reduction, runs [][]petri.Transition, markings []petri.Marking, protected []bool) {
	for i, run := range runs {
		m := net.Initial()
		for _, u := range r.Run(run, 1_000_000) {
			if !net.Fire(m, u) {
				t.Fatalf("run %v of the reduced net is %v, not fireable", run, r.Run(run, 1_000_000))
			}
		}
		for p, is := range protected {
			if is && m[p] != markings[i][r.PlaceOf[p]] {
				t.Fatalf("run %v: place %d has %d tokens, in the reduced net %d", run, p, m[p], markings[i][r.PlaceOf[p]])
			}
		}
	}
}

func TestReachabilityIsPreserved(t *testing.T) {
	var census petritest.Census
	applied := make([]int, len(rules))
	petritest.CheckMany(t, 2000, func(t *rapid.T) {
		net, markings, protected := draw(t)
		census.Add(net)
		r := apply(t, net, protected, Reachability)
		reduced, runs, ok := explore(r.Net, 5000)
		if !ok {
			t.Fatalf("the reduced net has more markings than the original")
		}
		var before, after []int
		for p, is := range protected {
			if is {
				before, after = append(before, p), append(after, int(r.PlaceOf[p]))
			}
		}
		want, got := projections(markings, before), projections(reduced, after)
		for v := range want {
			if !got[v] {
				t.Fatalf("marking %s of places %v is lost, %v", v, before, r.Applied)
			}
		}
		for v := range got {
			if !want[v] {
				t.Fatalf("marking %s of places %v is new, %v", v, before, r.Applied)
			}
		}
		checkRuns(t, net, r, runs, reduced, protected)
		for i, n := range r.Applied {
			applied[i] += n
		}
	})
	for i, n := range applied {
		if n == 0 {
			t.Logf("rule %q was never applied", rules[i].name)
		}
	}
	census.Require(t, 25, "weights", "self loops", "read arcs", "deadlocks", "sources", "inhibitor arcs", "reset arcs", "capacities")
}

func hasDeadlock(net *petri.Net, markings []petri.Marking) bool {
	return slices.ContainsFunc(markings, net.Deadlock)
}

func TestDeadlockIsPreserved(t *testing.T) {
	petritest.CheckMany(t, 2000, func(t *rapid.T) {
		net, markings, _ := draw(t)
		none := make([]bool, net.Places())
		r := apply(t, net, none, Deadlock)
		reduced, runs, ok := explore(r.Net, 5000)
		if !ok {
			t.Fatalf("the reduced net has more markings than the original")
		}
		if want, got := hasDeadlock(net, markings), hasDeadlock(r.Net, reduced); want != got {
			t.Fatalf("deadlock %v, in the reduced net %v, %v", want, got, r.Applied)
		}
		checkRuns(t, net, r, runs, reduced, none)
	})
}

// chain returns a net in which one token moves from each place to the next.
func chain(t *testing.T, places int) *petri.Net {
	var b petri.Builder
	var before petri.Place
	for i := range places {
		p, err := b.AddPlace(fmt.Sprintf("p%d", i), "", int64(1-min(i, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			u, err := b.AddTransition(fmt.Sprintf("t%d", i), "")
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(b.AddInput(before, u, 1), b.AddOutput(u, p, 1)); err != nil {
				t.Fatal(err)
			}
		}
		before = p
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// TestRulesEnd: a rule looks at its context while it is at work, so that it ends soon
// however large the net is.
func TestRulesEnd(t *testing.T) {
	net := chain(t, 30_000)
	protected := make([]bool, net.Places())
	protected[len(protected)-1] = true
	for i, rule := range rules {
		d := newDraft(t.Context(), net, protected)
		if rule.preserves&Counting != 0 {
			d.keepCounts()
		}
		d.ctx, d.work = &looks{t.Context(), 0}, 0
		if rule.apply(d, i); !d.ended {
			t.Errorf("rule %d, %q, goes over %d places without a look", i, rule.name, net.Places())
		}
	}
}

// TestWorkIsThatOfArcs: a place with few transitions around it, each with thousands of
// arcs, is as much work as the arcs are that are looked at.
func TestWorkIsThatOfArcs(t *testing.T) {
	const arcs = 5000
	var b petri.Builder
	add := func(p petri.Place, err error) petri.Place {
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	middle := add(b.AddPlace("middle", "", 0))
	h, err := b.AddTransition("h", "")
	if err != nil {
		t.Fatal(err)
	}
	f, err := b.AddTransition("f", "")
	if err := errors.Join(err, b.AddOutput(h, middle, 1), b.AddInput(middle, f, 2)); err != nil { // 2: no rule applies
		t.Fatal(err)
	}
	for i := range arcs {
		before, after := add(b.AddPlace(fmt.Sprintf("b%d", i), "", 1)), add(b.AddPlace(fmt.Sprintf("a%d", i), "", 0))
		if err := errors.Join(b.AddInput(before, h, 1), b.AddOutput(f, after, 1)); err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for i, rule := range []func(*draft, int) int{agglomerateAfter, agglomerateAfterChoice, agglomerateBefore, agglomerateFreely} {
		d := newDraft(t.Context(), net, make([]bool, net.Places()))
		d.perLook, d.work = math.MaxInt/2, 0
		if rule(d, i); d.work < 3*2*arcs { // a place and its transition, and the arcs around the middle
			t.Errorf("rule %d: %d places and %d arcs at each of two transitions are %d of work", i, net.Places(), arcs, d.work)
		}
	}
}

package petri_test

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
	"pnmc/petri/invariant"
	"pnmc/petri/labelling"
)

// TestKripkeAgreesWithNaiveTwin compares edges marking by marking, with edges
// kept and found anew.
func TestKripkeAgreesWithNaiveTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := rapid.OneOf(petritest.Net(), petritest.AllArcs(), petritest.StateMachines(true)).Draw(t, "net")
		g, finite := petritest.Explore(net, 1000)
		if !finite {
			t.Skip("too large or unbounded")
		}
		budget := petri.Budget{EdgeBytes: rapid.SampledFrom([]int64{0, 100}).Draw(t, "edges")}
		facts := petri.Facts{}
		if rapid.Bool().Draw(t, "proven") {
			facts = invariant.Prove(context.Background(), net, 0)
		}
		k := petri.NewKripke(net, facts, budget)
		number := map[string]int{}
		for i, m := range g.Markings {
			number[fmt.Sprint(m)] = i
		}
		m := make(petri.Marking, net.Places())
		of := func(s petri.StateID) int {
			k.Marking(s, m)
			i, known := number[fmt.Sprint(m)]
			if !known {
				t.Fatalf("marking %v is not reachable", m)
			}
			return i
		}
		for s := petri.StateID(0); int(s) < k.Len(); s++ {
			successors, err := k.Successors(s)
			if err != nil {
				t.Fatal(err)
			}
			i := of(s)
			var got, want []int
			for _, to := range slices.Clone(successors) {
				got = append(got, of(to))
			}
			for _, f := range g.Edges[i] {
				want = append(want, f.To)
			}
			if deadlock := len(want) == 0; deadlock != k.Deadlock(s) {
				t.Fatalf("deadlock: %v in %v", !deadlock, g.Markings[i])
			} else if deadlock {
				want = []int{i}
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("successors of %v are %v, expected %v", g.Markings[i], got, want)
			}
			for _, to := range g.Edges[i] {
				target := petri.StateID(slices.IndexFunc(successors, func(x petri.StateID) bool { return of(x) == to.To }))
				if tr, ok := k.Firing(s, successors[target]); !ok || !leads(net, g.Markings[i], tr, g.Markings[to.To]) {
					t.Fatalf("no firing leads from %v to %v", g.Markings[i], g.Markings[to.To])
				}
			}
		}
		if k.Len() != len(g.Markings) {
			t.Fatalf("%d states, expected %d", k.Len(), len(g.Markings))
		}
		states, transitions := k.Explored()
		wantStates, wantFirings, _, _, _ := naive(g)
		if states != wantStates || transitions != wantFirings {
			t.Fatalf("counted %d states and %d transitions, expected %d and %d", states, transitions, wantStates, wantFirings)
		}
	})
}

// TestKripkeByPairs: so it is where rules are found by pairs.
func TestKripkeByPairs(t *testing.T) {
	defer petri.PairAll()()
	TestKripkeAgreesWithNaiveTwin(t)
}

func leads(net *petri.Net, from petri.Marking, t petri.Transition, to petri.Marking) bool {
	m := slices.Clone(from)
	return net.Fire(m, t) && slices.Equal(m, to)
}

// TestKripkeCutsOffUnboundedGrowth: the graph of an unbounded net is explored to
// an end, and says that it is not all.
func TestKripkeCutsOffUnboundedGrowth(t *testing.T) {
	var b petri.Builder
	p, _ := b.AddPlace("p", "", 0)
	grow, _ := b.AddTransition("grow", "")
	if err := b.AddOutput(grow, p, 1); err != nil {
		t.Fatal(err)
	}
	net, _ := b.Build()
	k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
	for s := petri.StateID(0); int(s) < k.Len(); s++ {
		successors, err := k.Successors(s)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(successors, s) {
			t.Errorf("state %d stutters, but it is no deadlock", s)
		}
	}
	if u := k.Unbounded(); u == nil || u.ID != "p" {
		t.Errorf("expected that p is found to be unbounded, got %v", u)
	}
}

// TestPropositionIsExact: sums don't wrap around, however large.
func TestPropositionIsExact(t *testing.T) {
	var b petri.Builder
	p, _ := b.AddPlace("p", "", math.MaxInt64)
	q, _ := b.AddPlace("q", "", 2)
	tr, _ := b.AddTransition("t", "")
	if err := b.AddInput(q, tr, 3); err != nil {
		t.Fatal(err)
	}
	net, _ := b.Build()
	tests := []struct {
		name  string
		build func(*labelling.Proposition)
		want  bool
	}{
		{"p + p <= 0", func(f *labelling.Proposition) { f.AtMostZero(0, []petri.Arc{{Place: p, Weight: 2}}) }, false},
		{"2^63-1 of p = 0", func(f *labelling.Proposition) { f.EqualZero(1, []petri.Arc{{Place: p, Weight: math.MaxInt64}}) }, false},
		{"p - max = 0", func(f *labelling.Proposition) { f.EqualZero(-math.MaxInt64, []petri.Arc{{Place: p, Weight: 1}}) }, true},
		{"q - 2 = 0", func(f *labelling.Proposition) { f.EqualZero(-2, []petri.Arc{{Place: q, Weight: 1}}) }, true},
		{"fireable", func(f *labelling.Proposition) { f.Fireable(net, tr) }, false},
		{"deadlock", func(f *labelling.Proposition) { f.Deadlock() }, true},
		{"not false", func(f *labelling.Proposition) { f.Constant(false); f.Not() }, true},
		{"empty or", func(f *labelling.Proposition) { f.Or(0) }, false},
		{"empty and", func(f *labelling.Proposition) { f.And(0) }, true},
		{"true and false", func(f *labelling.Proposition) { f.Constant(true); f.Constant(false); f.And(2) }, false},
		{"true or false", func(f *labelling.Proposition) { f.Constant(true); f.Constant(false); f.Or(2) }, true},
		{"true iff false", func(f *labelling.Proposition) { f.Constant(true); f.Constant(false); f.Equivalent() }, false},
	}
	k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
	for _, test := range tests {
		f := &labelling.Proposition{}
		test.build(f)
		l := labelling.New(k, []*labelling.Proposition{f})
		for range 2 { // computed, then from memory
			if got := l.Label(l.Of(k.Initial()))[0] == 1; got != test.want {
				t.Errorf("%s: %v", test.name, got)
			}
		}
		if l.Hits != 1 || l.LastHits != 1 || l.Misses != 1 {
			t.Errorf("%s: %d hits, %d of the last, and %d misses, expected one of each", test.name, l.Hits, l.LastHits, l.Misses)
		}
	}
}

// Labels are those of the markings whether the table has room for all states, for
// some or for none, in whatever order they and successors are asked for.
func TestLabelLayers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := rapid.OneOf(petritest.Net(), petritest.AllArcs(), petritest.StateMachines(true)).Draw(t, "net")
		if net.Places() == 0 {
			t.Skip("no place to ask for")
		}
		k := petri.NewKripke(net, petri.Facts{}, petri.Budget{LabelBytes: rapid.SampledFrom([]int64{0, 4, 12, 40}).Draw(t, "bytes")})
		place := petri.Place(rapid.IntRange(0, net.Places()-1).Draw(t, "place"))
		marked, dead := &labelling.Proposition{}, &labelling.Proposition{}
		marked.AtMostZero(1, []petri.Arc{{Place: place, Weight: -1}})
		dead.Deadlock()
		l := labelling.New(k, []*labelling.Proposition{marked, dead})
		m := make(petri.Marking, net.Places())
		for range 60 {
			s := petri.StateID(rapid.IntRange(0, k.Len()-1).Draw(t, "state"))
			if rapid.Bool().Draw(t, "expand") && k.Len() < 100 {
				if _, err := k.Successors(s); err != nil {
					t.Skip(err)
				}
			}
			k.Marking(s, m)
			want := uint64(0)
			if m[place] >= 1 {
				want = 1
			}
			if !slices.ContainsFunc(transitions(net), func(u petri.Transition) bool { return net.Enabled(m, u) }) {
				want |= 2
			}
			if got := l.Label(l.Of(s))[0]; got != want {
				t.Fatalf("label %b of %v, want %b", got, m, want)
			}
		}
	})
}

func transitions(net *petri.Net) []petri.Transition {
	list := make([]petri.Transition, net.Transitions())
	for i := range list {
		list[i] = petri.Transition(i)
	}
	return list
}

// TestLargeRowsKeepToTheBudget: a row of more edges than a chunk holds is kept only if the
// budget of edges has room for it; which edges there are does not depend on that.
func TestLargeRowsKeepToTheBudget(t *testing.T) {
	const transitions = 1<<16 + 5
	var b petri.Builder
	p, err := b.AddPlace("p", "", 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range transitions { // half of them lead back, half to a marking without tokens
		transition, err := b.AddTransition(fmt.Sprint("t", i), "")
		if err != nil {
			t.Fatal(err)
		}
		if err := b.AddInput(p, transition, 1); err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			if err := b.AddOutput(transition, p, 1); err != nil {
				t.Fatal(err)
			}
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]petri.StateID
	for _, test := range []struct {
		bytes int64
		kept  bool
	}{{4 * transitions / 2, false}, {4 * (transitions - 1), false}, {8 * transitions, true}} {
		k := petri.NewKripke(net, petri.Facts{}, petri.Budget{EdgeBytes: test.bytes})
		row, err := k.Successors(k.Initial())
		if err != nil || len(row) != transitions {
			t.Fatalf("%d bytes: %d edges of %d, %v", test.bytes, len(row), transitions, err)
		}
		rows = append(rows, slices.Clone(row))
		if kept := k.Kept(k.Initial()); (kept != nil) != test.kept || test.kept && !slices.Equal(kept, row) {
			t.Errorf("%d bytes: %d edges of %d are kept", test.bytes, len(kept), transitions)
		}
		if states, edges := k.Explored(); states != 1 || edges != transitions {
			t.Errorf("%d bytes: %d states and %d edges are counted", test.bytes, states, edges)
		}
	}
	for _, row := range rows {
		if !slices.Equal(row, rows[0]) {
			t.Error("rows differ by budget")
		}
	}
}

// TestLargeRowsAddUp: of two rows of more edges than a chunk holds, each of which the budget of edges
// has room for, the second is kept only if there is room for both.
func TestLargeRowsAddUp(t *testing.T) {
	const transitions = 1<<16 + 5
	var b petri.Builder
	var places [2]petri.Place
	for i := range places {
		p, err := b.AddPlace(fmt.Sprint("p", i), "", int64(1-i))
		if err != nil {
			t.Fatal(err)
		}
		places[i] = p
	}
	for i := range 2 * transitions { // half of them lead from one place to the other, half back
		transition, err := b.AddTransition(fmt.Sprint("t", i), "")
		if err := errors.Join(err, b.AddInput(places[i%2], transition, 1), b.AddOutput(transition, places[1-i%2], 1)); err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		bytes int64
		kept  int // of two rows
	}{{4 * (transitions - 1), 0}, {4 * (transitions + transitions/2), 1}, {4 * (2*transitions + 1), 2}} {
		k := petri.NewKripke(net, petri.Facts{}, petri.Budget{EdgeBytes: test.bytes})
		for round := range 2 {
			kept := 0
			for s := range petri.StateID(2) {
				row, err := k.Successors(s)
				if err != nil || len(row) != transitions || row[0] != 1-s {
					t.Fatalf("%d bytes: %d edges of state %d, %v", test.bytes, len(row), s, err)
				}
				if k.Kept(s) != nil {
					kept++
				}
			}
			if kept != test.kept {
				t.Errorf("%d bytes: %d rows are kept, expected %d", test.bytes, kept, test.kept)
			}
			if round == 0 {
				k.ForgetEdges() // and what they took
			}
		}
	}
}

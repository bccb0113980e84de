package multicore_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/invariant"
	"pnmc/petri/multicore"
)

// sameGraph fails unless k has all markings of g and all edges, which are kept or perhaps found anew.
func sameGraph(t rapid.TB, net *petri.Net, k *petri.Kripke, g *petritest.Graph, kept bool) {
	if k.Len() != len(g.Markings) {
		t.Fatalf("%d states, expected %d", k.Len(), len(g.Markings))
	}
	number := map[string]int{}
	for i, m := range g.Markings {
		number[fmt.Sprint(m)] = i
	}
	of, m := make([]int, k.Len()), make(petri.Marking, net.Places())
	for s := range petri.StateID(k.Len()) {
		k.Marking(s, m)
		i, known := number[fmt.Sprint(m)]
		if !known {
			t.Fatalf("state %d has %v, which is not reachable or that of another state", s, m)
		}
		delete(number, fmt.Sprint(m))
		of[s] = i
	}
	if of[k.Initial()] != 0 {
		t.Fatalf("the initial state has %v", g.Markings[of[k.Initial()]])
	}
	for s := range petri.StateID(k.Len()) {
		want := []int{}
		for _, e := range g.Edges[of[s]] {
			want = append(want, e.To)
		}
		dead := len(want) == 0
		if dead {
			want = append(want, of[s])
		}
		row, deadlock := k.Row(s)
		if row == nil && kept || row != nil && deadlock != dead || k.Deadlock(s) != dead {
			t.Fatalf("row %v of %v: kept should be %v, deadlock %v", row, g.Markings[of[s]], kept, dead)
		}
		next, err := k.Successors(s)
		if err != nil {
			t.Fatal(err)
		}
		got := []int{}
		for _, to := range next {
			got = append(got, of[to])
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("edges of %v lead to %v, should to %v", g.Markings[of[s]], got, want)
		}
	}
}

// graphAgrees explores the state graph of net with several threads, and compares all of it. It reports
// false if the net is too large.
func graphAgrees(t *rapid.T, net *petri.Net) bool {
	g, finite := petritest.Explore(net, explorable)
	if !finite {
		return false
	}
	facts := petri.Facts{}
	if rapid.Bool().Draw(t, "facts") {
		facts = invariant.Prove(context.Background(), net, 0)
	}
	edges := 0
	for _, e := range g.Edges {
		edges += max(1, len(e))
	}
	// Words that just fit, deltas, and rows that have no room.
	bytes := rapid.SampledFrom([]int64{0, int64(4 * (edges + len(g.Markings))), 1 << 18, 4, 100}).Draw(t, "edge bytes")
	threads, first := rapid.IntRange(1, 8).Draw(t, "threads"), rapid.IntRange(0, 30).Draw(t, "first")
	k := petri.NewKripke(net, facts, petri.Budget{EdgeBytes: bytes})
	k.Begin(context.Background())
	explore := multicore.Graph{Kripke: k, Threads: threads, First: first}
	together, err := explore.Explore(context.Background())
	if err != nil || together != (threads > 1 && first < len(g.Markings)) {
		t.Fatalf("%d threads: explored together: %v; %v", threads, together, err)
	}
	kept := k.IsComplete()
	if !kept && bytes == 0 {
		t.Fatal("edges are not kept")
	}
	sameGraph(t, net, k, g, kept)
	states, firings := k.Explored()
	want := int64(0)
	for _, e := range g.Edges {
		want += int64(len(e))
	}
	if states != int64(len(g.Markings)) || firings != want {
		t.Fatalf("%d states and %d firings are counted, of %d and %d", states, firings, len(g.Markings), want)
	}
	k.ForgetEdges()
	sameGraph(t, net, k, g, false)
	return true
}

// TestGraphAgreesWithNaiveTwin: however threads come between each other, the graph is the same.
func TestGraphAgreesWithNaiveTwin(t *testing.T) {
	yields(t)
	for name, generator := range generators {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				if !graphAgrees(t, generator.Draw(t, "net")) {
					t.Skip("too large or unbounded")
				}
			})
		})
	}
}

// TestLargeGraphAgrees: so it is where tables grow by themselves, chunks are full, and fields turn
// out too narrow.
func TestLargeGraphAgrees(t *testing.T) {
	t.Cleanup(multicore.ForTests(give, 3000, 0))
	nets := []*petri.Net{petritest.Kanban(2)}
	if !testing.Short() { // most of the time goes into the comparison, by one thread
		nets = append(nets, petritest.Philosophers(9), petritest.Kanban(3))
	}
	for _, net := range nets {
		g, finite := petritest.Explore(net, 100_000)
		if !finite {
			t.Fatal("not explored")
		}
		for _, bytes := range []int64{0, 1_900_000} {
			for _, threads := range []int{2, 8} {
				k := petri.NewKripke(net, petri.Facts{}, petri.Budget{EdgeBytes: bytes})
				k.Begin(context.Background())
				if together, err := (&multicore.Graph{Kripke: k, Threads: threads}).Explore(context.Background()); !together || err != nil {
					t.Fatalf("%d threads: explored together: %v; %v", threads, together, err)
				}
				if !k.IsComplete() {
					t.Errorf("%d threads, %d bytes: edges are not kept", threads, bytes)
				}
				sameGraph(t, net, k, g, true)
			}
		}
	}
}

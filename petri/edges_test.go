package petri_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/petri"
)

// TestEdgesInLittleRoom: whatever room there is for edges, they are the same, and a row that is kept
// once stays so.
func TestEdgesInLittleRoom(t *testing.T) {
	var packed, lost int
	if !petritest.CheckUntil(t, func() bool { return packed > 50 && lost > 50 }, func(t *rapid.T) {
		net := rapid.OneOf(petritest.Net(), petritest.AllArcs(), petritest.StateMachines(true)).Draw(t, "net")
		g, finite := petritest.Explore(net, 500)
		if !finite {
			t.Skip("too large or unbounded")
		}
		words := 4 * len(g.Markings)
		for _, e := range g.Edges {
			words += 4 * max(1, len(e))
		}
		large := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
		small := petri.NewKripke(net, petri.Facts{}, petri.Budget{EdgeBytes: int64(rapid.IntRange(4, words).Draw(t, "bytes"))})
		kept := make([]bool, len(g.Markings))
		look := func(s petri.StateID) {
			want, err := large.Successors(s)
			if err != nil {
				t.Fatal(err)
			}
			if row := small.Kept(s); row == nil && kept[s] || row != nil && !slices.Equal(row, want) {
				t.Fatalf("row %v of state %d, kept before: %v; should be %v", row, s, kept[s], want)
			}
			if row, err := small.Successors(s); err != nil || !slices.Equal(row, want) {
				t.Fatalf("edges of state %d lead to %v, should to %v; %v", s, row, want, err)
			}
			if _, deadlock := small.Row(s); deadlock && !small.Deadlock(s) {
				t.Fatalf("state %d counts as a deadlock", s)
			}
			kept[s] = small.Kept(s) != nil
		}
		// In the order of depth-first search, as good as, and then all.
		for range 2 * len(g.Markings) {
			look(petri.StateID(large.Len() - 1 - rapid.IntRange(0, min(3, large.Len()-1)).Draw(t, "back")))
		}
		for s := petri.StateID(0); int(s) < large.Len(); s++ {
			look(s)
		}
		for s := range petri.StateID(large.Len()) {
			look(s)
		}
		if all := !slices.Contains(kept, false); all != small.IsComplete() {
			t.Fatalf("all rows are kept: %v, told as %v", all, small.IsComplete())
		} else if all {
			packed++ // as words do not suffice
		} else {
			lost++
		}
	}) {
		t.Errorf("all edges fitted in %d times, and did not in %d", packed, lost)
	}
}

// TestPackingGoesOn: where time ends while edges are packed, none is lost, and they are packed later.
func TestPackingGoesOn(t *testing.T) {
	net := petritest.Kanban(3) // 58,400 markings, 446,400 edges: 2 MB of words, which are looks enough
	want := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
	for s := petri.StateID(0); int(s) < want.Len(); s++ {
		if _, err := want.Successors(s); err != nil {
			t.Fatal(err)
		}
	}
	ends := 0
	for ended := true; ended; ends++ {
		ended = false
		k := petri.NewKripke(net, petri.Facts{}, petri.Budget{EdgeBytes: 1_900_000})
		k.Begin(account.EndsAfter(ends))
		for s := petri.StateID(0); int(s) < k.Len(); s++ {
			_, err := k.Successors(s)
			if err != nil {
				ended = true
				k.Begin(context.Background())
				_, err = k.Successors(s)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		for s := range petri.StateID(k.Len()) {
			row, _ := want.Row(s)
			if got := k.Kept(s); !slices.Equal(got, row) {
				t.Fatalf("the row of state %d is %v, should be %v", s, got, row)
			}
		}
	}
	if ends < 5 {
		t.Errorf("time ended %d times only", ends)
	}
}

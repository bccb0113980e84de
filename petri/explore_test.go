package petri_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// explorable bounds the random nets that are compared with the naive twin.
const explorable = 3000

// naive returns the statistics of a graph, computed from its markings one by one.
func naive(g *petritest.Graph) (states, firings, deadlocks, sum, most int64) {
	for i, m := range g.Markings {
		total := int64(0)
		for _, n := range m {
			total += n
			most = max(most, n)
		}
		sum = max(sum, total)
		firings += int64(len(g.Edges[i]))
		if len(g.Edges[i]) == 0 {
			deadlocks++
		}
	}
	return int64(len(g.Markings)), firings, deadlocks, sum, most
}

// agree fails unless the exploration gives what the naive twin finds.
func agree(t *rapid.T, net *petri.Net, facts petri.Facts) {
	g, finite := petritest.Explore(net, explorable)
	if !finite {
		t.Skip("too large or unbounded")
	}
	got, err := net.Explore(context.Background(), facts, petri.Budget{}, nil)
	if err != nil || !got.Complete {
		t.Fatalf("exploration ended with %v, complete: %v", err, got.Complete)
	}
	states, firings, deadlocks, sum, most := naive(g)
	if got.States != states || got.Firings != firings || got.Deadlocks != deadlocks ||
		got.MaxTokensPerMarking.Int64() != sum || got.MaxTokensInPlace != most {
		t.Fatalf("found %+v, expected %d states, %d firings, %d deadlocks, %d and %d tokens",
			got, states, firings, deadlocks, sum, most)
	}
}

// TestGrowthBesideInhibitors: a place is unbounded though it is inhibited for a transition that
// does not take part; what is told so has more markings than a twin finds.
func TestGrowthBesideInhibitors(t *testing.T) {
	var b petri.Builder
	p, _ := b.AddPlace("p", "", 0)
	q, _ := b.AddPlace("q", "", 1)
	grow, _ := b.AddTransition("grow", "")
	b.AddOutput(grow, p, 1)
	other, _ := b.AddTransition("other", "")
	b.AddInput(q, other, 1)
	if err := b.AddInhibitor(p, other, 3); err != nil {
		t.Fatal(err)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := net.Explore(t.Context(), petri.Facts{}, petri.Budget{MemoryBytes: 64 << 20}, nil); !errors.As(err, new(*petri.UnboundedError)) {
		t.Errorf("%v, expected that a place is unbounded", err)
	}
	unbounded := 0
	if !petritest.CheckUntil(t, func() bool { return unbounded > 0 }, func(t *rapid.T) {
		net := petritest.AllArcs().Draw(t, "net")
		ended, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		defer cancel()
		_, err := net.Explore(ended, petri.Facts{}, petri.Budget{MemoryBytes: 1 << 30}, nil) // of which the test's process has some
		if !errors.As(err, new(*petri.UnboundedError)) {
			return
		}
		unbounded++
		if _, finite := petritest.Explore(net, 5*explorable); finite {
			t.Fatalf("all markings are found, and %v", err)
		}
	}) {
		t.Error("nothing was unbounded")
	}
}

// TestUncountedPlaces: the tokens of places that are left out are none of the most tokens.
func TestUncountedPlaces(t *testing.T) {
	generator := petritest.AllArcs()
	rapid.Check(t, func(t *rapid.T) {
		net := generator.Draw(t, "net")
		g, finite := petritest.Explore(net, explorable)
		if !finite || net.Places() == 0 {
			t.Skip("too large, unbounded, or empty")
		}
		uncounted := rapid.SliceOfN(rapid.IntRange(0, net.Places()-1), 1, 3).Draw(t, "uncounted")
		var places []petri.Place
		for _, p := range uncounted {
			places = append(places, petri.Place(p))
			for _, m := range g.Markings {
				m[p] = 0
			}
		}
		_, _, _, sum, most := naive(g)
		for _, facts := range []petri.Facts{{}, invariant.Prove(context.Background(), net, 0)} {
			got, err := net.Explore(context.Background(), facts, petri.Budget{}, nil, places...)
			if err != nil || got.States != int64(len(g.Markings)) || got.MaxTokensPerMarking.Int64() != sum || got.MaxTokensInPlace != most {
				t.Fatalf("%v: found %+v, expected %d states, %d and %d tokens", err, got, len(g.Markings), sum, most)
			}
		}
	})
}

func TestExploreAgreesWithNaiveTwin(t *testing.T) {
	nets := map[string]*rapid.Generator[*petri.Net]{
		"any":            petritest.Net(),
		"state machines": petritest.StateMachines(false),
		"false NUPN":     petritest.StateMachines(true),
		"all arcs":       petritest.AllArcs(),
	}
	for name, generator := range nets {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				net := generator.Draw(t, "net")
				agree(t, net, petri.Facts{})
				agree(t, net, invariant.Prove(context.Background(), net, 0))
			})
		})
	}
}

// TestExploreFiledUnderPlaces: so it is where rules are filed under single places, which large nets have.
func TestExploreFiledUnderPlaces(t *testing.T) {
	defer petri.ManyRules(0)()
	TestExploreAgreesWithNaiveTwin(t)
}

// TestExploreByPairs: so it is where rules are found by pairs of places, which nets have of many rules and few places.
func TestExploreByPairs(t *testing.T) {
	defer petri.PairAll()()
	TestExploreAgreesWithNaiveTwin(t)
}

// TestFilingOfManyRules: a net of many wide transitions has as many markings, firings and deadlocks however its rules are
// filed.
func TestFilingOfManyRules(t *testing.T) {
	net := petritest.Machines(4200)
	explore := func() petri.Statistics {
		s, err := net.Explore(context.Background(), petri.Facts{}, petri.Budget{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	got := explore()
	defer petri.ManyRules(math.MaxInt)()
	if want := explore(); got.States != want.States || got.Firings != want.Firings || got.Deadlocks != want.Deadlocks {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestExploreFamilies(t *testing.T) {
	tests := []struct {
		net               *petri.Net
		states, deadlocks int64
	}{
		{petritest.Philosophers(2), 9, 2},
		{petritest.Philosophers(5), 243, 2},
		{petritest.Kanban(1), 160, 0},
		{petritest.Kanban(2), 4600, 0},
		{petritest.Kanban(3), 58400, 0},
	}
	for _, test := range tests {
		facts := invariant.Prove(context.Background(), test.net, 0)
		got, err := test.net.Explore(context.Background(), facts, petri.Budget{}, nil)
		if err != nil || got.States != test.states || got.Deadlocks != test.deadlocks {
			t.Errorf("%d places: %d states and %d deadlocks, %v; expected %d and %d",
				test.net.Places(), got.States, got.Deadlocks, err, test.states, test.deadlocks)
		}
	}
}

// TestExploreNoticesUnboundedPlaces: an exploration ends, for every net, or
// finds a place that can grow for ever.
func TestExploreNoticesUnboundedPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := petritest.AnyNet().Draw(t, "net")
		_, finite := petritest.Explore(net, explorable)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		steps := 0
		_, err := net.Explore(ctx, petri.Facts{}, petri.Budget{}, func(petri.Statistics) {
			if steps++; steps > 20 {
				cancel()
			}
		})
		var unbounded *petri.UnboundedError
		switch {
		case errors.As(err, &unbounded) && finite:
			t.Fatalf("%v, but the net has %d markings at most", err, explorable)
		case err == nil && !finite:
			t.Skip("bounded, but large")
		}
	})
}

func TestExploreGrowth(t *testing.T) {
	// t1 doubles what p has, as long as q lasts: widths must grow with the count,
	// up to the largest, and no further.
	for _, test := range []struct {
		fuel    int64
		initial int64
		most    int64
		fails   bool
	}{
		{3, 1, 4, false}, {40, 1, 41, false}, {5, math.MaxInt64 - 5, math.MaxInt64, false},
		{6, math.MaxInt64 - 5, 0, true},
	} {
		var b petri.Builder
		q, _ := b.AddPlace("q", "", test.fuel)
		p, _ := b.AddPlace("p", "", test.initial)
		t1, _ := b.AddTransition("t1", "")
		if err := errors.Join(b.AddInput(q, t1, 1), b.AddOutput(t1, p, 1)); err != nil {
			t.Fatal(err)
		}
		net, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		got, err := net.Explore(context.Background(), petri.Facts{}, petri.Budget{}, nil)
		var overflow *petri.OverflowError
		if test.fails {
			if !errors.As(err, &overflow) || overflow.ID != "p" {
				t.Errorf("%+v: expected an overflow of p, got %v", test, err)
			}
		} else if err != nil || got.MaxTokensInPlace != max(test.most, test.fuel) || got.States != test.fuel+1 {
			t.Errorf("%+v: got %+v, %v", test, got, err)
		}
	}
}

func TestExploreEnds(t *testing.T) {
	net := petritest.Kanban(4)
	ctx, cancel := context.WithCancelCause(context.Background())
	reason := errors.New("enough")
	cancel(reason)
	if got, err := net.Explore(ctx, petri.Facts{}, petri.Budget{}, nil); err != reason || got.Complete {
		t.Errorf("with an ended context: %v, complete %v", err, got.Complete)
	}
	var memory *petri.MemoryError
	got, err := net.Explore(context.Background(), petri.Facts{}, petri.Budget{MemoryBytes: 1}, nil)
	if !errors.As(err, &memory) || got.Complete {
		t.Errorf("with a byte of memory: %v, complete %v", err, got.Complete)
	}
}

// TestExploreFirst: an exploration ends once it has met more markings than it was to explore, and is that of
// Explore if there are no more.
func TestExploreFirst(t *testing.T) {
	net := petritest.Kanban(2)
	want, err := net.Explore(context.Background(), petri.Facts{}, petri.Budget{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, most := range []int{1, 100, int(want.States) - 1, int(want.States), 1 << 20} {
		got, layout, err := net.ExploreFirst(context.Background(), petri.Facts{}, petri.Budget{}, most, nil)
		packed := make([]uint64, layout.Words())
		switch more := int64(most) < want.States; {
		case more != errors.Is(err, petri.ErrMore) || more == got.Complete || more && got.States <= int64(most) || layout.Pack(net.Initial(), packed) >= 0:
			t.Errorf("at most %d: %+v, %v", most, got, err)
		case !more && (err != nil || got.States != want.States || got.Firings != want.Firings):
			t.Errorf("at most %d: %+v, %v; expected %+v", most, got, err, want)
		}
	}
}

func ExampleNet_Explore() {
	var b petri.Builder
	idle, _ := b.AddPlace("idle", "", 3)
	busy, _ := b.AddPlace("busy", "", 0)
	start, _ := b.AddTransition("start", "")
	_ = b.AddInput(idle, start, 1)
	_ = b.AddOutput(start, busy, 1)
	net, _ := b.Build()
	facts := invariant.Prove(context.Background(), net, 0)
	s, err := net.Explore(context.Background(), facts, petri.Budget{}, nil)
	fmt.Println(s.States, s.Firings, s.MaxTokensPerMarking, s.Deadlocks, err)
	// Output: 4 3 3 1 <nil>
}

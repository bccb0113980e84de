package branching_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/checker"
	"pnmc/checker/branching"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/reachability"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

func give() {
	if rand.IntN(4) == 0 {
		runtime.Gosched()
	}
}

// TestThreadsAgreeWithNaiveTwin: however threads come between each other, formulas hold in the
// markings in which they hold by definition.
func TestThreadsAgreeWithNaiveTwin(t *testing.T) {
	t.Cleanup(branching.ForTests(give))
	states, enough := 0, 10_000
	if testing.Short() {
		enough = 2000
	}
	if !petritest.CheckUntil(t, func() bool { return states > enough }, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		threads, bytes := rapid.IntRange(2, 8).Draw(t, "threads"), int64(rapid.SampledFrom([]int{0, 1 << 18, 4}).Draw(t, "edge bytes"))
		k := petri.NewKripke(net, invariant.Prove(context.Background(), net, 0), petri.Budget{EdgeBytes: bytes})
		graph, err := branching.ExploreGraph(context.Background(), k, threads, 0)
		if err != nil || graph.States() != len(g.Markings) || bytes == 0 && !graph.Together() {
			t.Fatalf("%d states of %d, together %v; %v", graph.States(), len(g.Markings), graph.Together(), err)
		}
		states += graph.States()
		number := map[string]int{}
		for i, m := range g.Markings {
			number[petritest.Key(m)] = i
		}
		m := make(petri.Marking, net.Places())
		for range 4 {
			f := checkertest.CTL(t, net, 4)
			want := checkertest.Truth(net, g, f)
			holds, err := graph.Satisfying(f)
			if err != nil {
				t.Fatal(err)
			}
			for s, got := range holds {
				k.Marking(petri.StateID(s), m)
				if i := number[petritest.Key(m)]; got != want[i] {
					t.Fatalf("%d threads: %s in %v is %v, should be %v", threads, f.Text(func(p *logic.Predicate) string { return p.Text(checker.Vocabulary(net)) }), m, got, want[i])
				}
			}
		}
	}) {
		t.Error("all nets were small")
	}
}

// TestThreadsAgreeOnLargeGraph: so it is with as many states as one thread has for itself, with edges
// as words and as deltas.
func TestThreadsAgreeOnLargeGraph(t *testing.T) {
	net := petritest.Kanban(3)
	one, err := branching.ExploreGraph(context.Background(), kripkeOf(net), 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	formulas := 0
	for _, bytes := range []int64{0, 1_900_000} {
		for _, threads := range []int{2, 8} {
			k := petri.NewKripke(net, petri.Facts{}, petri.Budget{EdgeBytes: bytes})
			graph, err := branching.ExploreGraph(context.Background(), k, threads, 1000)
			if err != nil || !graph.Together() {
				t.Fatalf("together: %v; %v", graph.Together(), err)
			}
			rapid.Check(t, func(t *rapid.T) {
				if formulas++; formulas%100 > 15 {
					return // each takes some milliseconds
				}
				f := checkertest.CTL(t, net, 3)
				got, err := graph.Satisfying(f)
				if err != nil {
					t.Fatal(err)
				}
				want, err := one.Satisfying(f)
				if err != nil {
					t.Fatal(err)
				}
				if count(got) != count(want) || got[k.Initial()] != want[one.Kripke().Initial()] {
					t.Fatalf("%d threads: %s holds in %d states, should in %d", threads, f.Text(func(p *logic.Predicate) string { return p.Text(checker.Vocabulary(net)) }), count(got), count(want))
				}
			})
		}
	}
}

func count(holds []bool) (n int) {
	for _, h := range holds {
		if h {
			n++
		}
	}
	return n
}

// TestTerminalComponents compares terminal components with those of mutual reachability.
func TestTerminalComponents(t *testing.T) {
	t.Cleanup(branching.ForTests(give))
	several, inner := 0, 0
	if !petritest.CheckUntil(t, func() bool { return several > 20 && inner > 20 }, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		if len(g.Markings) > 200 {
			t.Skip("too large")
		}
		k := kripkeOf(net)
		graph, err := branching.ExploreGraph(context.Background(), k, rapid.IntRange(2, 4).Draw(t, "threads"), 0)
		if err != nil {
			t.Fatal(err)
		}
		reach := make([]map[petri.StateID]bool, k.Len())
		for s := range petri.StateID(k.Len()) {
			reach[s] = map[petri.StateID]bool{s: true}
			for queue := []petri.StateID{s}; len(queue) > 0; queue = queue[1:] {
				row, _ := k.Row(queue[0])
				for _, to := range row {
					if !reach[s][to] {
						reach[s][to] = true
						queue = append(queue, to)
					}
				}
			}
		}
		want := map[string]bool{}
		for s := range petri.StateID(k.Len()) {
			terminal, members := true, []uint32{}
			for to := range petri.StateID(k.Len()) {
				if reach[s][to] {
					terminal = terminal && reach[to][s]
					members = append(members, to)
				}
			}
			if terminal {
				want[fmt.Sprint(members)] = true
			} else {
				inner++
			}
		}
		if len(want) > 1 {
			several++
		}
		found, stop := map[string]bool{}, rapid.IntRange(1, 8).Draw(t, "stop")
		known, err := graph.Terminal(context.Background(), func(members []uint32) (bool, error) {
			if text := fmt.Sprint(members); found[text] || !want[text] {
				t.Fatalf("%v is no terminal component, or known: %v", members, found[text])
			}
			found[fmt.Sprint(members)] = true
			return len(found) < stop, nil
		})
		if err != nil || known && len(found) < min(stop, len(want)) || !known && len(want) < 16 {
			t.Fatalf("%d of %d components, all known: %v; %v", len(found), len(want), known, err)
		}
	}) {
		t.Errorf("%d graphs had several components, %d states were in none", several, inner)
	}
}

// TestThreadsEnd: the end of the context ends the work of all threads, with its reason.
func TestThreadsEnd(t *testing.T) {
	net := petritest.Kanban(3)
	graph, err := branching.ExploreGraph(context.Background(), kripkeOf(net), 4, 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	reason := errors.New("enough")
	cancel(reason)
	dead := ctl.Of(&logic.Predicate{Operator: logic.Deadlocked})
	for _, f := range []*ctl.Formula{ctl.New(ctl.ExistsFinally, dead), ctl.New(ctl.AllFinally, dead), ctl.New(ctl.ExistsNext, dead)} {
		if _, err := graph.Decide(ctx, f); !errors.Is(err, reason) {
			t.Errorf("%v, expected the reason of the context", err)
		}
	}
	if _, err := branching.ExploreGraph(ctx, kripkeOf(net), 4, 0); !errors.Is(err, reason) {
		t.Errorf("%v, expected the reason of the context", err)
	}
}

// TestThreadsTellTheSamePlace: of nets without end, several threads tell what one tells.
func TestThreadsTellTheSamePlace(t *testing.T) {
	seen := 0
	if !petritest.CheckUntil(t, func() bool { return seen > 50 }, func(t *rapid.T) {
		net, threads, first := petritest.AnyNet().Draw(t, "net"), rapid.IntRange(2, 8).Draw(t, "threads"), rapid.IntRange(0, 10).Draw(t, "first")
		kripke := func() *petri.Kripke { return petri.NewKripke(net, petri.Facts{}, petri.Budget{MemoryBytes: 1 << 30}) }
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		defer cancel()
		_, alone := branching.ExploreGraph(ctx, kripke(), 1, 0)
		_, live := reachability.CheckLiveness(ctx, kripke(), nil)
		if !errors.As(alone, new(*petri.UnboundedError)) || !errors.As(live, new(*petri.UnboundedError)) {
			t.Skip("bounded, or not known")
		}
		seen++
		long, end := context.WithTimeout(context.Background(), 20*time.Second)
		defer end()
		if _, err := branching.ExploreGraph(long, kripke(), threads, first); fmt.Sprint(err) != fmt.Sprint(alone) {
			t.Fatalf("CTL: %v with %d threads, %v with one", err, threads, alone)
		}
		if _, _, err := reachability.CheckLivenessTogether(long, kripke(), nil, threads, first); fmt.Sprint(err) != fmt.Sprint(live) {
			t.Fatalf("liveness: %v with %d threads, %v with one", err, threads, live)
		}
	}) {
		t.Error("nothing was unbounded")
	}
}

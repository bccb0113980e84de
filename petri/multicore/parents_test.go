package multicore

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// yielding has threads give way at random, and meet all the time.
func yielding(t *testing.T) {
	give := func() {
		if rand.IntN(3) == 0 {
			runtime.Gosched()
		}
	}
	knobs = forTests{yield: give, step: 7, batch: 3}
	t.Cleanup(func() { knobs = forTests{} })
}

// markings returns those that x has met, and where they were reached from.
func (x *exploration) markings() map[petri.StateID]petri.Marking {
	all := map[petri.StateID]petri.Marking{}
	for _, w := range x.workers {
		for id := range w.arena.Numbers {
			m := make(petri.Marking, x.net.Places())
			x.Marking(id, m)
			all[id] = m
		}
	}
	return all
}

// TestParents: each marking was reached from its parent by one firing, however often markings were
// packed anew meanwhile.
func TestParents(t *testing.T) {
	yielding(t)
	repacked := 0
	if !petritest.CheckUntil(t, func() bool { return repacked > 20 }, func(t *rapid.T) {
		net := rapid.OneOf(petritest.Net(), petritest.Loose(), petritest.StateMachines(true), petritest.AllArcs()).Draw(t, "net")
		g, finite := petritest.Explore(net, 1000)
		if !finite {
			t.Skip("too large or unbounded")
		}
		x, err := newExploration(context.Background(), net, petri.Facts{}, petri.Budget{}, rapid.IntRange(2, 8).Draw(t, "threads"), false, nil)
		if err != nil {
			t.Fatal(err)
		}
		before := x.game
		x.run()
		if x.game != before {
			repacked++
		}
		met := x.markings()
		if len(met) != len(g.Markings) {
			t.Fatalf("%d markings, expected %d", len(met), len(g.Markings))
		}
		for id, m := range met {
			if !x.tracked {
				break // parents are not tracked
			}
			parent, ok := x.Parent(id)
			if !ok {
				if !slices.Equal(m, net.Initial()) {
					t.Fatalf("%v has no parent", m)
				}
				continue
			}
			fired := false
			for u := range petri.Transition(net.Transitions()) {
				next := slices.Clone(met[parent])
				fired = fired || net.Fire(next, u) && slices.Equal(next, m)
			}
			if !fired {
				t.Fatalf("nothing leads from %v, the parent, to %v", met[parent], m)
			}
		}
	}) {
		t.Error("no markings were packed anew")
	}
}

// manyMarkings returns a net, and how many markings it has: a ninth with -short.
func manyMarkings() (*petri.Net, int64) {
	if testing.Short() {
		return petritest.Philosophers(8), 6561
	}
	return petritest.Philosophers(10), 59_049
}

// TestAllWork: where there is enough to do, each thread does some of it.
func TestAllWork(t *testing.T) {
	yielding(t)
	net, states := manyMarkings()
	knobs.step, knobs.batch = 0, 0
	for _, threads := range []int{2, 5} {
		x, err := newExploration(context.Background(), net, petri.Facts{}, petri.Budget{}, threads, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		x.run()
		for i, w := range x.workers {
			if w.expanded == 0 {
				t.Errorf("thread %d of %d has done nothing", i, threads)
			}
		}
		if s := x.statistics(); s.States != states {
			t.Errorf("%d threads: %d states", threads, s.States)
		}
	}
}

// TestAllCount: so do all threads that count, and each has a part in the figures.
func TestAllCount(t *testing.T) {
	yielding(t)
	knobs.batch = 5
	net, states := manyMarkings()
	for _, threads := range []int{2, 5} {
		layout, _ := net.InitialLayout(new(account.Account), invariant.Prove(context.Background(), net, 0))
		x, err := newCounting(context.Background(), net, layout, petri.Budget{}, threads, nil)
		if err != nil {
			t.Fatal(err)
		}
		x.run()
		var deadlocks, firings int64
		for i, c := range x.counters {
			if c.expanded == 0 {
				t.Errorf("thread %d of %d has done nothing", i, threads)
			}
			deadlocks, firings = deadlocks+c.deadlocks, firings+c.firings
			c.measure = *layout.Measure()
		}
		initial := make([]uint64, 1)
		layout.Pack(net.Initial(), initial)
		x.counters[threads-1].measure.Observe(initial) // only the last one has measured something
		s := x.statistics()
		if s.States != states || s.Deadlocks != deadlocks || s.Firings != firings || s.MaxTokensInPlace != 1 {
			t.Errorf("%d threads: %+v", threads, s)
		}
	}
}

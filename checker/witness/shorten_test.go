package witness_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/internal/checkertest"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// firesTo returns where a run leads, by the definition of firing.
func firesTo(t interface{ Fatalf(string, ...any) }, net *petri.Net, run []witness.Burst) petri.Marking {
	m := net.Initial()
	for i, b := range run {
		for range b.Times {
			if !net.Fire(m, b.Transition) {
				t.Fatalf("step %d of %v does not fire", i+1, run)
			}
		}
	}
	return m
}

// TestShorten: a run that goes around before it ends in a deadlock is no longer than one needs
// to get there, and a run without detours stays.
func TestShorten(t *testing.T) {
	net := petritest.Philosophers(3)
	named := func(names ...string) (run []petri.Transition) {
		for _, name := range names {
			transition, ok := net.TransitionByID(name)
			if !ok {
				t.Fatalf("no transition %s", name)
			}
			run = append(run, transition)
		}
		return run
	}
	around := named("takeLeft0", "eatLeft0", "leave0")
	straight := named("takeLeft0", "takeLeft1", "takeLeft2")
	var run []petri.Transition
	for range 20 {
		run = append(run, around...)
	}
	run = append(run, straight...)
	for _, given := range [][]petri.Transition{run, straight} {
		if short := witness.Shorten(net, witness.Bursts(given), net.Deadlock, net.Transitions()); !slices.Equal(short, witness.Bursts(straight)) {
			t.Errorf("a run of %d steps is shortened to %v, expected %v", len(given), short, straight)
		}
	}
	// Of a transition that fires in bursts only as many firings are left as are needed.
	counter := petritest.Counter()
	often := []witness.Burst{{Transition: 0, Times: 900}}
	for _, times := range []int64{900, 1 << 40} {
		often[0].Times = times
		if short := witness.Shorten(counter, often, func(m petri.Marking) bool { return m[0] >= 3 }, 8); !slices.Equal(short, []witness.Burst{{Transition: 0, Times: 3}}) {
			t.Errorf("%d firings are shortened to %v", times, short)
		}
	}
	// What can't be shortened comes back as it is: a run that does not fire, or not as wanted, or
	// that has too many steps.
	for _, given := range [][]witness.Burst{{{Transition: 1000, Times: 1}}, {{Transition: 0, Times: 0}}, {{Transition: 0, Times: 1 << 40}}} {
		if short := witness.Shorten(counter, given, func(petri.Marking) bool { return false }, 1); !slices.Equal(short, given) {
			t.Errorf("%v became %v", given, short)
		}
	}
}

// TestShortenRandom: of a random run on a random net what is left fires and ends as wanted, is not
// longer, and no single step of it can be left out.
func TestShortenRandom(t *testing.T) {
	shortened := 0
	rapid.Check(t, func(t *rapid.T) {
		net := petritest.AnyNet().Draw(t, "net")
		m := net.Initial()
		var run []petri.Transition
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			var enabled []petri.Transition
			for tr := range petri.Transition(net.Transitions()) {
				if net.Enabled(m, tr) {
					enabled = append(enabled, tr)
				}
			}
			if len(enabled) == 0 {
				break
			}
			if tr := rapid.SampledFrom(enabled).Draw(t, "fired"); net.Fire(m, tr) {
				run = append(run, tr)
			}
		}
		if net.Places() == 0 {
			return
		}
		place := petri.Place(rapid.IntRange(0, net.Places()-1).Draw(t, "place"))
		tokens := m[place]
		wanted := func(m petri.Marking) bool { return m[place] == tokens }
		short := witness.Shorten(net, witness.Bursts(run), wanted, net.Transitions())
		if end := firesTo(t, net, short); !wanted(end) || len(short) > len(run) {
			t.Fatalf("%v became %v, which ends in %v", run, short, end)
		}
		for i := range short {
			m, fires := net.Initial(), true
			for j, b := range short {
				if j != i && !net.Fire(m, b.Transition) {
					fires = false
					break
				}
			}
			if fires && wanted(m) {
				t.Fatalf("step %d of %v can be left out", i+1, short)
			}
		}
		if len(short) < len(run) {
			shortened++
		}
	})
	if shortened == 0 {
		t.Error("no run was shortened")
	}
}

// TestShortenPump: of a random run and a loop that adds tokens what is left does so, too; where
// one transition adds them, it alone is left.
func TestShortenPump(t *testing.T) {
	counter := petritest.Counter()
	sum := &logic.Sum{Terms: []logic.Term{{Place: 0, Coefficient: 1}}}
	long := witness.Bursts(make([]petri.Transition, 30))
	if run, loop := witness.ShortenPump(counter, long, long, logic.Polynomial{Sum: *sum}); len(run) != 0 || len(loop) != 1 {
		t.Errorf("left are %v and %v, expected one step that is repeated", run, loop)
	}
	shortened, pumped := 0, 0
	if !petritest.CheckUntil(t, func() bool { return shortened > 3 && pumped > 3 }, func(t *rapid.T) {
		net := petritest.AnyNet().Draw(t, "net")
		if net.Places() == 0 || net.Transitions() == 0 {
			return
		}
		steps := rapid.SliceOfN(rapid.IntRange(0, net.Transitions()-1), 1, 40).Draw(t, "steps")
		m := net.Initial()
		var fired []petri.Transition
		for _, s := range steps {
			if tr := petri.Transition(s); net.Fire(m, tr) {
				fired = append(fired, tr)
			}
		}
		cut := rapid.IntRange(0, len(fired)).Draw(t, "cut")
		run, loop := witness.Bursts(fired[:cut]), witness.Bursts(fired[cut:])
		number := logic.Polynomial{Sum: checkertest.Sum(t, net), Products: checkertest.Products(t, net)}
		shortRun, shortLoop := witness.ShortenPump(net, run, loop, number)
		if witness.ConfirmsPump(net, run, loop, number) && !witness.ConfirmsPump(net, shortRun, shortLoop, number) || len(shortRun) > len(run) || len(shortLoop) > len(loop) {
			t.Fatalf("of %v and %v is left %v and %v", run, loop, shortRun, shortLoop)
		}
		if len(shortRun)+len(shortLoop) < len(fired) {
			shortened++
		}
		if !witness.ConfirmsPump(net, shortRun, shortLoop, number) {
			return
		}
		if len(number.Products) > 0 {
			pumped++
		}
		last := int64(math.MinInt64)
		for rounds := range 4 {
			m, err := witness.ReplayRun(net, slices.Concat(shortRun, slices.Repeat(shortLoop, rounds)))
			value, ok := number.Value(m)
			if err != nil || !ok || value <= last {
				t.Fatalf("after %d rounds of %v behind %v: %v, %v", rounds, shortLoop, shortRun, m, err)
			}
			last = value
		}
	}) {
		t.Errorf("%d runs were shortened, %d pump a product", shortened, pumped)
	}
}

// TestDirect: what is made of a random run fires, ends where the run ends, is in no marking twice
// and in none that the run is not in, and no step leads from one to another but the next.
func TestDirect(t *testing.T) {
	shortened := 0
	petritest.CheckUntil(t, func() bool { return shortened > 5 }, func(t *rapid.T) {
		net := petritest.AnyNet().Draw(t, "net")
		if net.Transitions() == 0 {
			return
		}
		m := net.Initial()
		visited := []petri.Marking{slices.Clone(m)}
		var run []petri.Transition
		for _, s := range rapid.SliceOfN(rapid.IntRange(0, net.Transitions()-1), 0, 60).Draw(t, "steps") {
			if tr := petri.Transition(s); net.Fire(m, tr) {
				run = append(run, tr)
				visited = append(visited, slices.Clone(m))
			}
		}
		among := func(list []petri.Marking, m petri.Marking) bool {
			return slices.ContainsFunc(list, func(n petri.Marking) bool { return slices.Equal(m, n) })
		}
		left := witness.Direct(net, net.Initial(), run)
		n := net.Initial()
		met := []petri.Marking{slices.Clone(n)}
		for _, tr := range left {
			if !net.Fire(n, tr) {
				t.Fatalf("%v became %v, which does not fire", run, left)
			}
			if among(met, n) || !among(visited, n) {
				t.Fatalf("%v became %v, which is in %v twice, or was not there before", run, left, n)
			}
			met = append(met, slices.Clone(n))
		}
		for i, from := range met {
			for tr := range petri.Transition(net.Transitions()) {
				to := slices.Clone(from)
				if net.Fire(to, tr) && among(met[min(i+2, len(met)):], to) {
					t.Fatalf("%v became %v, where %d leads from %v to %v, too", run, left, tr, from, to)
				}
			}
		}
		if !slices.Equal(m, n) {
			t.Fatalf("%v ends in %v, and %v in %v", run, m, left, n)
		}
		if len(left) < len(run) {
			shortened++
		}
	})
}

// TestShortenLeavesLittleGarbage: what shortens a long run of a net with many transitions uses the
// same slices again. Markings and firings that are tried are many more than those that stay.
func TestShortenLeavesLittleGarbage(t *testing.T) {
	net := petritest.Philosophers(120)
	random := rand.New(rand.NewPCG(1, 2))
	m := net.Initial()
	var run []petri.Transition
	for len(run) < 6_000 && !net.Deadlock(m) {
		if next := petri.Transition(random.IntN(net.Transitions())); net.Fire(m, next) {
			run = append(run, next)
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	witness.Shorten(net, witness.Bursts(run), func(end petri.Marking) bool { return slices.Equal(end, m) }, net.Places())
	runtime.ReadMemStats(&after)
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 10 {
		t.Errorf("%d MB were allocated, garbage counted", mb)
	}
}

// TestLongRunsAreDirectedAsTheyAre: a way through the markings of a run of millions of steps is not looked for, which
// would take 100 bytes a step.
func TestLongRunsAreDirectedAsTheyAre(t *testing.T) {
	net := petritest.Counter()
	run := make([]petri.Transition, 1<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if short := witness.Direct(net, net.Initial(), run); len(short) != len(run) {
		t.Errorf("%d steps of %d are left", len(short), len(run))
	}
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 1<<20 {
		t.Errorf("%d bytes were allocated", bytes)
	}
}

// TestCostlyGoalsAreAskedRarely: the more it costs to ask whether a run ends as wanted, the less often that is asked.
func TestCostlyGoalsAreAskedRarely(t *testing.T) {
	net := petritest.Philosophers(5)
	random := rand.New(rand.NewPCG(1, 2))
	m := net.Initial()
	var run []petri.Transition
	for len(run) < 2_000 && !net.Deadlock(m) {
		if next := petri.Transition(random.IntN(net.Transitions())); net.Fire(m, next) {
			run = append(run, next)
		}
	}
	times := func(list []witness.Burst, work int) (asked int) {
		witness.Shorten(net, list, func(end petri.Marking) bool {
			asked++
			return slices.Equal(end, m)
		}, work)
		return asked
	}
	for what, list := range map[string][]witness.Burst{"steps": witness.Bursts(run), "many times": {{Transition: run[0], Times: 1 << 60}}} {
		cheap, costly := times(list, 10), times(list, 1<<20)
		if costly > 20 || what == "steps" && cheap < 2*costly {
			t.Errorf("%s: asked %d times if it is cheap, %d times if it costs a millisecond", what, cheap, costly)
		}
	}
}

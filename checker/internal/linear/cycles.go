package linear

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"pnmc/checker/internal/core"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/runs"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// A counterexample of linear time needs a cycle. In a net where much goes on at the same time, a
// random run hardly ever meets a marking again: with ten processes of ten steps each there are ten
// billion. But the net's equations say which firings change nothing. A multiset x of transitions
// with C·x = 0, a semiflow of transitions, leads back to where it started, if it can be fired in
// some order.
//
// For example, a process with the steps idle→busy by take and busy→idle by give has the semiflow
// {take, give}. A random run goes anywhere, and then this process takes and gives, whatever the
// nine others do: that is a cycle, found in two steps.
//
// So tryCycle goes some steps at random, draws a semiflow, and fires its transitions in any order that
// is possible, choosing among those that are enabled. If it gets stuck, it draws another.

// mostMarkings returns a bound of the markings of a run. All are kept, and may take a quarter of
// the memory that engines have.
func mostMarkings(r *core.Task) int {
	if r.Budget.MemoryBytes == 0 {
		return math.MaxInt
	}
	bytes := int64(runs.TokenBytes * max(1, r.Net.Places()))
	return int(max(2, r.Budget.MemoryBytes/4/int64(max(1, r.Parts))/bytes))
}

// cyclesOf returns semiflows of transitions of at most longestCycle firings, as far as they are
// found in half of the time.
func cyclesOf(ctx context.Context, r *core.Task) [][]witness.Burst {
	part, cancel := lanes.Half(ctx)
	defer cancel()
	part, stop := account.Within(part, r.Budget)
	defer stop(nil)
	found, err := invariant.TransitionSemiflows(part, r.Net, core.FactsWork)
	if err != nil {
		return nil
	}
	var cycles [][]witness.Burst
	for _, f := range found {
		var cycle []witness.Burst
		steps := int64(0)
		for _, t := range f {
			cycle = append(cycle, witness.Burst{Transition: t.Transition, Times: t.Times})
			steps = min(longestCycle+1, steps+t.Times)
		}
		if steps <= longestCycle {
			cycles = append(cycles, cycle)
		}
	}
	r.Note("%d cycles of transitions", len(cycles))
	return cycles
}

// longestCycle bounds the firings of a cycle.
const longestCycle = 500

// tryCycle makes a random run of fewer than length steps, and then tries to fire one of cycles in
// some order. Loop is -1 if none is possible. What was fired of such cycles stays in the run, which
// has at most most markings.
func tryCycle(work *account.Account, w *walk.RandomRun, rng *rand.Rand, length, most int, cycles [][]witness.Burst) runs.Path {
	w.Restart()
	p := runs.Path{Markings: []petri.Marking{slices.Clone(w.Marking())}, Loop: -1}
	add := func() {
		work.Add(stepWork(w))
		p.Fired = append(p.Fired, w.Last())
		p.Markings = append(p.Markings, slices.Clone(w.Marking()))
	}
	for range rng.IntN(length) {
		if work.Charge(0) != nil {
			return p
		}
		if w.Deadlock() {
			p.Loop = len(p.Markings) - 1
			return p
		}
		if !w.Step() {
			return p // counts get too large
		}
		add()
	}
	for range cycleTries {
		start := len(p.Markings) - 1
		cycle := cycles[rng.IntN(len(cycles))]
		if work.Charge(cycleWork*len(cycle)) != nil {
			return p
		}
		if int64(len(p.Markings))+firingsOf(cycle) > int64(most) {
			continue
		}
		if w.Realize(cycle, add) {
			p.Markings, p.Loop = p.Markings[:len(p.Markings)-1], start
			return p
		}
	}
	return p
}

// stepWork returns about what a step of a run costs, in nanoseconds: its marking is copied and kept.
func stepWork(w *walk.RandomRun) int { return 200 + runs.TokenBytes*len(w.Marking()) }

// cycleWork is about the cost of looking at a transition of a cycle, in nanoseconds.
const cycleWork = 100

// firingsOf returns the number of firings in a run.
func firingsOf(run []witness.Burst) (firings int64) {
	for _, b := range run {
		firings += b.Times
	}
	return firings
}

// cycleTries is how many cycles are tried after one run. Most are not possible where the run has
// ended.
const cycleTries = 50

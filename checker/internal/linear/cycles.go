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

// mostMarkings bounds the markings of a run: all are kept, and may take a quarter of the
// memory that engines have.
func mostMarkings(r *core.Task) int {
	if r.Budget.MemoryBytes == 0 {
		return math.MaxInt
	}
	bytes := int64(runs.TokenBytes * max(1, r.Net.Places()))
	return int(max(2, r.Budget.MemoryBytes/4/bytes))
}

// cyclesOf are multisets of transitions that lead back to where they start, as far
// as they are short.
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

// tryCycle is a random run of length steps, then as one of cycles says, if that is
// possible in some order; loop is -1 if not. What was fired of a cycle that is not possible
// stays in the run, which has most markings at most.
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

// stepWork is about what a step of a run costs, in nanoseconds: its marking is kept.
func stepWork(w *walk.RandomRun) int { return 200 + runs.TokenBytes*len(w.Marking()) }

// cycleWork is about what it costs to look at a transition of a cycle, in nanoseconds.
const cycleWork = 100

// firingsOf is the number of firings in a run.
func firingsOf(run []witness.Burst) (firings int64) {
	for _, b := range run {
		firings += b.Times
	}
	return firings
}

// cycleTries is how many cycles are tried after one run: most are not possible
// there.
const cycleTries = 50

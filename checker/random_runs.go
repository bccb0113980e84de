package checker

import (
	"context"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"slices"

	"pnmc/checker/reachability"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// Random runs of bounded length; shorter ones first.
const (
	shortestRun = 50
	longestRun  = 3000
)

// mostMarkings bounds the markings of a run: all are kept, and may take a quarter of the
// memory that engines have.
func (r *task) mostMarkings() int {
	if r.budget.MemoryBytes == 0 {
		return math.MaxInt
	}
	bytes := int64(tokenBytes * max(1, r.net.Places()))
	return int(max(2, r.budget.MemoryBytes/4/bytes))
}

// tokenBytes are those of a place's tokens in a marking.
const tokenBytes = 8

// cyclesOf are multisets of transitions that lead back to where they start, as far
// as they are short.
func (r *task) cyclesOf(ctx context.Context) [][]witness.Burst {
	part, cancel := halfOf(ctx)
	defer cancel()
	part, stop := account.Within(part, r.budget)
	defer stop(nil)
	found, err := invariant.TransitionSemiflows(part, r.net, factsWork)
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
	r.note("%d cycles of transitions", len(cycles))
	return cycles
}

const longestCycle = 500

// tryCycle is a random run of length steps, then as one of cycles says, if that is
// possible in some order; loop is -1 if not. What was fired of a cycle that is not possible
// stays in the run, which has most markings at most.
func tryCycle(work *account.Account, w *reachability.RandomRun, rng *rand.Rand, length, most int, cycles [][]witness.Burst) path {
	w.Restart()
	p := path{markings: []petri.Marking{slices.Clone(w.Marking())}, loop: -1}
	add := func() {
		work.Add(stepWork(w))
		p.fired = append(p.fired, w.Last())
		p.markings = append(p.markings, slices.Clone(w.Marking()))
	}
	for range rng.IntN(length) {
		if work.Charge(0) != nil {
			return p
		}
		if w.Deadlock() {
			p.loop = len(p.markings) - 1
			return p
		}
		if !w.Step() {
			return p // counts get too large
		}
		add()
	}
	for range cycleTries {
		start := len(p.markings) - 1
		cycle := cycles[rng.IntN(len(cycles))]
		if work.Charge(cycleWork*len(cycle)) != nil {
			return p
		}
		if int64(len(p.markings))+firingsOf(cycle) > int64(most) {
			continue
		}
		if w.Realize(cycle, add) {
			p.markings, p.loop = p.markings[:len(p.markings)-1], start
			return p
		}
	}
	return p
}

// stepWork is about what a step of a run costs, in nanoseconds: its marking is kept.
func stepWork(w *reachability.RandomRun) int { return 200 + tokenBytes*len(w.Marking()) }

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

// tryRandomRuns evaluates the open LTL formulas on runs found by random walks in the original
// net: a walk ends in a deadlock, which repeats its marking, or in a marking it was in before.
// Of a walk that does neither it is asked whether it violates a formula however it goes on.
// Most formulas of the contest are violated by many runs.
func tryRandomRuns(ctx context.Context, r *task) error {
	rng := rand.New(rand.NewPCG(r.solver.options.Seed, 3))
	w := reachability.NewRandomRun(r.net, rng)
	cycles := r.cyclesOf(ctx)
	most := r.mostMarkings()
	var work account.Account
	work.Begin(ctx)
	for length := min(most, shortestRun); ctx.Err() == nil; length = min(most, longestRun, length+length/4) {
		open := r.ledger.openQuestions()
		if len(open) == 0 {
			return nil
		}
		var met path
		if len(cycles) > 0 && rng.IntN(2) == 0 {
			met = tryCycle(&work, w, rng, length, most, cycles)
		} else {
			met = randomRun(&work, w, rng, length)
		}
		for _, q := range open {
			judged, violated, err := met.violates(&work, r.net, q.ltl)
			if ctx.Err() != nil {
				break
			}
			if err != nil {
				return err
			}
			if !violated {
				continue
			}
			shown, err := judged.replay(&work, r.net, q.ltl)
			if ctx.Err() != nil {
				break
			}
			if err != nil {
				return err
			}
			r.ledger.answerNow(q, Truth(false), RandomWalk, shown)
		}
	}
	return context.Cause(ctx)
}

// Half of the runs turn back after some steps to where they were a few steps
// before: where much goes on at the same time no run meets a marking by chance.
const (
	mostAside = 12 // steps before it turns back
	wayBack   = 40 // steps for each of them, to get back
)

// randomRun is an infinite run; loop is -1 if the walk met no marking twice.
func randomRun(work *account.Account, w *reachability.RandomRun, rng *rand.Rand, length int) path {
	seed := maphash.MakeSeed()
	met := make(map[uint64]int)
	patience := rng.IntN(3) // repetitions passed over
	turn, aside := math.MaxInt, 0
	if rng.IntN(2) == 0 {
		aside = 1 + rng.IntN(mostAside)
		turn = aside + rng.IntN(max(1, length/2))
		length = min(length, turn+aside*wayBack)
	}
	w.Restart()
	var p path
	for len(p.markings) < length && work.Charge(2*stepWork(w)) == nil {
		m := slices.Clone(w.Marking())
		h := hashOf(seed, m)
		if i, ok := met[h]; ok && slices.Equal(p.markings[i], m) {
			if patience--; patience < 0 || len(p.markings) > turn {
				p.loop = i
				return p
			}
		}
		met[h] = len(p.markings)
		p.markings = append(p.markings, m)
		if w.Deadlock() {
			p.loop = len(p.markings) - 1
			return p
		}
		step := w.Step
		if len(p.markings) == turn {
			w.Aim(p.markings[turn-aside])
		}
		if len(p.markings) >= turn {
			step = w.StepToward
		}
		if !step() {
			break
		}
		p.fired = append(p.fired, w.Last())
	}
	p.loop = -1
	p.fired = p.fired[:max(0, len(p.markings)-1)]
	return p
}

func hashOf(seed maphash.Seed, m petri.Marking) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, tokens := range m {
		maphash.WriteComparable(&h, tokens)
	}
	return h.Sum64()
}

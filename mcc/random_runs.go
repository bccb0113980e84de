package mcc

import (
	"context"
	"fmt"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"slices"

	"pnmc/checker"
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
func (r *run) mostMarkings() int {
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
func (r *run) cyclesOf(ctx context.Context) [][]checker.Burst {
	part, cancel := halfOf(ctx)
	defer cancel()
	found, err := invariant.TransitionSemiflows(part, r.net, factsWork)
	if err != nil {
		return nil
	}
	var cycles [][]checker.Burst
	for _, f := range found {
		var cycle []checker.Burst
		steps := int64(0)
		for _, t := range f {
			cycle = append(cycle, checker.Burst{Transition: t.Transition, Times: t.Times})
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
// possible in some order; the result is as that of randomRun. What was fired of a cycle
// that is not possible stays in the run, which has most markings at most.
func tryCycle(w *checker.RandomRun, rng *rand.Rand, length, most int, cycles [][]checker.Burst) (markings []petri.Marking, loop int) {
	add := func() { markings = append(markings, slices.Clone(w.Marking())) }
	w.Restart()
	add()
	for range rng.IntN(length) {
		if w.Deadlock() {
			return markings, len(markings) - 1
		}
		if !w.Step() {
			return nil, -1 // counts get too large
		}
		add()
	}
	for range cycleTries {
		start := len(markings) - 1
		cycle := cycles[rng.IntN(len(cycles))]
		if int64(len(markings))+firingsOf(cycle) > int64(most) {
			continue
		}
		if w.Realize(cycle, add) {
			return markings[:len(markings)-1], start
		}
	}
	return nil, -1
}

// firingsOf is the number of firings in a run.
func firingsOf(run []checker.Burst) (firings int64) {
	for _, b := range run {
		firings += b.Times
	}
	return firings
}

// cycleTries is how many cycles are tried after one run: most are not possible
// there.
const cycleTries = 50

// tryRandomRuns evaluates the open LTL formulas on infinite runs found by random
// walks in the original net: a walk ends in a deadlock, which repeats its
// marking, or in a marking it was in before. Most formulas of the contest are
// violated by many runs.
func tryRandomRuns(ctx context.Context, r *run) {
	rng := rand.New(rand.NewPCG(r.options.Seed, 3))
	w := checker.NewRandomRun(r.net, rng)
	cycles := r.cyclesOf(ctx)
	most := r.mostMarkings()
	for length := min(most, shortestRun); ctx.Err() == nil; length = min(most, longestRun, length+length/4) {
		open := r.board.openQuestions()
		if len(open) == 0 {
			return
		}
		var markings []petri.Marking
		loop := -1
		if len(cycles) > 0 && rng.IntN(2) == 0 {
			markings, loop = tryCycle(w, rng, length, most, cycles)
		} else {
			markings, loop = randomRun(ctx, w, rng, length)
		}
		if loop < 0 {
			continue
		}
		for _, q := range open {
			if ctx.Err() != nil {
				return
			}
			met := &word{linear: q.ltl, net: r.net, loop: loop}
			for _, m := range markings {
				met.add(m)
			}
			if !met.satisfies(q.ltl.formula) {
				how := fmt.Sprintf("violated by a random run of %d steps and a cycle of %d", loop, len(markings)-loop)
				r.board.answerNow(q, "FALSE", RandomWalk, how)
			}
		}
	}
}

// Half of the runs turn back after some steps to where they were a few steps
// before: where much goes on at the same time no run meets a marking by chance.
const (
	mostAside = 12 // steps before it turns back
	wayBack   = 40 // steps for each of them, to get back
)

// randomRun is the markings of an infinite run, which go on from loop for ever,
// or loop -1 if the walk met no marking twice.
func randomRun(ctx context.Context, w *checker.RandomRun, rng *rand.Rand, length int) (markings []petri.Marking, loop int) {
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
	for len(markings) < length && ctx.Err() == nil {
		m := slices.Clone(w.Marking())
		h := hashOf(seed, m)
		if i, ok := met[h]; ok && slices.Equal(markings[i], m) {
			if patience--; patience < 0 || len(markings) > turn {
				return markings, i
			}
		}
		met[h] = len(markings)
		markings = append(markings, m)
		if w.Deadlock() {
			return markings, len(markings) - 1
		}
		step := w.Step
		if len(markings) == turn {
			w.Aim(markings[turn-aside])
		}
		if len(markings) >= turn {
			step = w.StepToward
		}
		if !step() {
			break
		}
	}
	return nil, -1
}

func hashOf(seed maphash.Seed, m petri.Marking) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, tokens := range m {
		maphash.WriteComparable(&h, tokens)
	}
	return h.Sum64()
}

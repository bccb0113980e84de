package checker

import (
	"context"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"slices"

	"pnmc/checker/reachability"
	"pnmc/internal/account"
	"pnmc/petri"
)

// Random runs of bounded length; shorter ones first.
const (
	shortestRun = 50
	longestRun  = 3000
)

// tryRandomRuns evaluates the open LTL formulas on runs found by random walks in the original
// net: a walk ends in a deadlock, which repeats its marking, or in a marking it was in before.
// Of a walk that does neither it is asked whether it violates a formula however it goes on.
// Most formulas of the contest are violated by many runs.
func tryRandomRuns(ctx context.Context, r *task) error {
	rng := rand.New(rand.NewPCG(r.shared.seed, 3))
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

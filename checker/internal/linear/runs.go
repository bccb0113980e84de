package linear

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/runs"
	"pnmc/checker/walk"
	"pnmc/internal/account"
	"pnmc/internal/hashing"
)

// Random runs of bounded length; shorter ones first.
const (
	shortestRun = 50
	longestRun  = 3000
)

// RandomRuns evaluates the open LTL formulas on runs found by random walks in the original
// net: a walk ends in a deadlock, which repeats its marking, or in a marking it was in before.
// Of a walk that does neither it is asked whether it violates a formula however it goes on.
// Most formulas of the contest are violated by many runs.
func RandomRuns(ctx context.Context, r *core.Task) error {
	rng := rand.New(rand.NewPCG(r.Shared.Seed, 3))
	w := walk.NewRandomRun(r.Net, rng)
	cycles := cyclesOf(ctx, r)
	most := mostMarkings(r)
	var work account.Account
	work.Begin(ctx)
	for length := min(most, shortestRun); ctx.Err() == nil; length = min(most, longestRun, length+length/4) {
		open := r.Ledger.OpenQuestions()
		if len(open) == 0 {
			return nil
		}
		var met runs.Path
		if len(cycles) > 0 && rng.IntN(2) == 0 {
			met = tryCycle(&work, w, rng, length, most, cycles)
		} else {
			met = randomRun(&work, w, rng, length)
		}
		for _, q := range open {
			judged, violated, err := met.Violates(&work, r.Net, q.LTL)
			if ctx.Err() != nil {
				break
			}
			if err != nil {
				return err
			}
			if !violated {
				continue
			}
			shown, err := judged.Shorter(&work, r.Net, q.LTL).Replay(&work, r.Net, q.LTL)
			if ctx.Err() != nil {
				break
			}
			if err != nil {
				return err
			}
			r.Ledger.AnswerNow(q, inquiry.Truth(false), inquiry.RandomWalk, shown)
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
func randomRun(work *account.Account, w *walk.RandomRun, rng *rand.Rand, length int) runs.Path {
	met := make(map[uint64]int)
	patience := rng.IntN(3) // repetitions passed over
	turn, aside := math.MaxInt, 0
	if rng.IntN(2) == 0 {
		aside = 1 + rng.IntN(mostAside)
		turn = aside + rng.IntN(max(1, length/2))
		length = min(length, turn+aside*wayBack)
	}
	w.Restart()
	var p runs.Path
	for len(p.Markings) < length && work.Charge(2*stepWork(w)) == nil {
		m := slices.Clone(w.Marking())
		h := hashing.Numbers(m)
		if i, ok := met[h]; ok && slices.Equal(p.Markings[i], m) {
			if patience--; patience < 0 || len(p.Markings) > turn {
				p.Loop = i
				return p
			}
		}
		met[h] = len(p.Markings)
		p.Markings = append(p.Markings, m)
		if w.Deadlock() {
			p.Loop = len(p.Markings) - 1
			return p
		}
		step := w.Step
		if len(p.Markings) == turn {
			w.Aim(p.Markings[turn-aside])
		}
		if len(p.Markings) >= turn {
			step = w.StepToward
		}
		if !step() {
			break
		}
		p.Fired = append(p.Fired, w.Last())
	}
	p.Loop = -1
	p.Fired = p.Fired[:max(0, len(p.Markings)-1)]
	return p
}

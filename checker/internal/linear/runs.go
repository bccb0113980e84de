package linear

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/runs"
	"pnmc/checker/internal/turns"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/internal/hashing"
	"pnmc/petri"
)

// Random runs of bounded length; shorter ones first.
const (
	shortestRun = 50
	longestRun  = 3000
)

// RandomRuns evaluates the open LTL formulas on runs found by random walks in the original
// net. A walk ends in a deadlock, which repeats its marking, or in a marking it was in before.
// If it does neither, the question is whether it violates a formula however it goes on.
//
// Most formulas of the contest that are violated are so by many runs. For the others there are walks
// that aim at what each violation needs (needed.go). Both kinds take turns.
func RandomRuns(ctx context.Context, r *core.Task) error {
	return randomRuns(ctx, r, newNeededRuns(ctx, r, mostMarkings(r)))
}

// randomRuns makes runs that go anywhere take turns with those towards what violations need.
func randomRuns(ctx context.Context, r *core.Task, towards *neededRuns) error {
	rng := rand.New(rand.NewPCG(r.Shared.Seed, 3))
	most := towards.most
	anywhere, err := walk.NewRandomRun(ctx, r.Net, rng)
	if err != nil {
		return err
	}
	at := &anyRuns{Task: r, rng: rng, walk: anywhere, most: most, length: min(most, shortestRun)}
	if at.findCycles = func() [][]witness.Burst { return cyclesOf(ctx, r) }; r.Net.Arcs() < manyArcs {
		at.cycles, at.findCycles = at.findCycles(), nil // that is soon done
	}
	return takeTurns(ctx, r, 500*time.Millisecond, []*judge{{1, at.judge}, {1, towards.judge}})
}

// Search looks for counterexamples: at first by RandomRuns, and then by Products with transitions
// in random order, which find other ones first. Each second turn of a question is with stubborn
// sets: they find some counterexamples later, and prove more. In between it is still walked to
// where violations lead.
func Search(ctx context.Context, r *core.Task) error {
	towards := newNeededRuns(ctx, r, mostMarkings(r))
	part, cancel := r.Until(ctx, runsUntil)
	err := randomRuns(part, r, towards)
	cancel()
	if ctx.Err() != nil || len(r.Ledger.OpenQuestions()) == 0 {
		return err
	}
	judges := []*judge{{1, towards.judge}}
	if r.Shared.Uses(inquiry.ExplicitSearch) {
		r.Note("products with automata, transitions shuffled")
		p := newProducts(r, true)
		judges = slices.Insert(judges, 0, &judge{2, func(part context.Context, _ time.Duration) (bool, error) { return true, p.check(part) }})
	}
	return takeTurns(ctx, r, time.Second, judges)
}

// runsUntil is the fraction of a task's time for which random runs go anywhere.
const runsUntil = 0.3

// takeTurns makes judges take turns, with growing slices of which the first is given.
func takeTurns(ctx context.Context, r *core.Task, first time.Duration, judges []*judge) error {
	t := &turns.Queue[*judge]{First: first, Growth: 1.5}
	t.IsOpen = func(*judge) bool { return len(r.Ledger.OpenQuestions()) > 0 }
	t.Open = func() []*judge {
		if t.IsOpen(nil) {
			return slices.Clone(judges) // the queue leaves out of it what is hopeless
		}
		return nil
	}
	t.Share = func(j *judge, slice time.Duration) time.Duration { return j.share * slice }
	t.Try = func(part context.Context, j *judge, slice time.Duration) (turns.Outcome, error) {
		hopeless, err := j.judge(part, slice)
		switch {
		case part.Err() != nil || t.IsOpen(j) && !hopeless:
			return turns.Again, nil
		case err != nil:
			r.Note("end: %v", err)
		}
		return turns.Hopeless, nil
	}
	return t.Run(ctx)
}

// judge is a way to judge the open questions, until its context ends or none is left. It reports
// whether it is of no use to go on. Of the slices it has a share.
type judge struct {
	share time.Duration
	judge func(ctx context.Context, slice time.Duration) (hopeless bool, err error)
}

// anyRuns are runs that go anywhere, shorter ones first.
type anyRuns struct {
	*core.Task
	rng          *rand.Rand
	walk         *walk.RandomRun
	cycles       [][]witness.Burst
	findCycles   func() [][]witness.Burst // which takes long on a large net; nil once it was called
	judged       bool                     // some runs
	length, most int
}

// judge judges runs as they come, on a large net those with cycles from the second turn on.
func (a *anyRuns) judge(ctx context.Context, _ time.Duration) (hopeless bool, err error) {
	if a.judged && a.findCycles != nil {
		a.cycles, a.findCycles = a.findCycles(), nil
	}
	a.judged = true
	work := a.Shared.Passing(ctx)
	for ; ctx.Err() == nil; a.length = min(a.most, longestRun, a.length+a.length/4) {
		open := a.Ledger.OpenQuestions()
		if len(open) == 0 {
			return true, nil
		}
		var met runs.Path
		if len(a.cycles) > 0 && a.rng.IntN(2) == 0 {
			met = tryCycle(work, a.walk, a.rng, a.length, a.most, a.cycles)
		} else {
			met = randomRun(work, a.walk, a.rng, a.length)
		}
		for _, q := range open {
			_, err := answerBy(work, a.Task, q, &met, inquiry.RandomWalk)
			if err != nil && !errors.As(err, new(*petri.MemoryError)) { // there may be more of it for the next run
				return true, err
			}
		}
	}
	return false, nil
}

// answerBy answers a question if a run violates it, and reports whether it does. The error is
// that of the account, or reports a run that does not replay.
func answerBy(work *account.Account, r *core.Task, q *ledger.Question, met *runs.Path, by inquiry.Techniques) (violated bool, err error) {
	judged, violated, err := met.Violates(work, r.Net, q.LTL)
	if err != nil || !violated {
		return false, err
	}
	shown, err := judged.Shorter(work, r.Net, q.LTL).Replay(work, r.Net, q.LTL)
	if err != nil {
		return false, err
	}
	r.Ledger.AnswerNow(q, inquiry.Truth(false), by, shown)
	return true, nil
}

// A run that never comes back to a marking says little of a formula: it shows a violation only if all
// that begins so violates. Where much goes on at the same time, no run comes back by chance. Ten
// clients that are idle or busy make 1024 markings, and a run of 50 steps hardly meets one twice.
//
// So half of the runs turn back: after some steps they aim at the marking where they were a few steps
// before. If five clients have become busy since, five steps may bring the run back, and it has a
// cycle.
const (
	mostAside = 12 // steps before it turns back
	wayBack   = 40 // steps for each of them, to get back
)

// randomRun returns an infinite run. It ends where the walk meets a marking again, or a deadlock.
// Up to two such repetitions are passed over, so that cycles are not always the shortest. Loop is
// -1 if the walk met no marking twice, or the work ended before.
func randomRun(work *account.Account, w *walk.RandomRun, rng *rand.Rand, length int) runs.Path {
	patience := rng.IntN(3) // repetitions passed over
	turn, aside := math.MaxInt, 0
	if rng.IntN(2) == 0 {
		aside = 1 + rng.IntN(mostAside)
		turn = aside + rng.IntN(max(1, length/2))
		length = min(length, turn+aside*wayBack)
	}
	return turningRun(work, w, length, patience, turn, aside)
}

// turningRun is randomRun with what it draws: how many repetitions are passed over, after how many steps
// it turns back, and to where it was how many steps before.
func turningRun(work *account.Account, w *walk.RandomRun, length, patience, turn, aside int) runs.Path {
	met := make(map[uint64]int)
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

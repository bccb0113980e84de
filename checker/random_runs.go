package checker

import (
	"context"
	"errors"
	"fmt"
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

// path is an infinite run: markings, the transitions fired from each to the next, and where
// it goes on after the last for ever; -1: nowhere.
type path struct {
	markings []petri.Marking
	fired    []petri.Transition // one less than markings if the last is a deadlock
	loop     int
}

// tryCycle is a random run of length steps, then as one of cycles says, if that is
// possible in some order; loop is -1 if not. What was fired of a cycle that is not possible
// stays in the run, which has most markings at most.
func tryCycle(w *reachability.RandomRun, rng *rand.Rand, length, most int, cycles [][]witness.Burst) path {
	w.Restart()
	p := path{markings: []petri.Marking{slices.Clone(w.Marking())}, loop: -1}
	add := func() {
		p.fired = append(p.fired, w.Last())
		p.markings = append(p.markings, slices.Clone(w.Marking()))
	}
	for range rng.IntN(length) {
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

// tryRandomRuns evaluates the open LTL formulas on infinite runs found by random
// walks in the original net: a walk ends in a deadlock, which repeats its
// marking, or in a marking it was in before. Most formulas of the contest are
// violated by many runs.
func tryRandomRuns(ctx context.Context, r *task) error {
	rng := rand.New(rand.NewPCG(r.solver.options.Seed, 3))
	w := reachability.NewRandomRun(r.net, rng)
	cycles := r.cyclesOf(ctx)
	most := r.mostMarkings()
	for length := min(most, shortestRun); ctx.Err() == nil; length = min(most, longestRun, length+length/4) {
		open := r.ledger.openQuestions()
		if len(open) == 0 {
			return nil
		}
		var met path
		if len(cycles) > 0 && rng.IntN(2) == 0 {
			met = tryCycle(w, rng, length, most, cycles)
		} else {
			met = randomRun(ctx, w, rng, length)
		}
		if met.loop < 0 {
			continue
		}
		for _, q := range open {
			if ctx.Err() != nil {
				break
			}
			violated, err := met.violates(r.net, q.ltl)
			if err != nil {
				return err
			}
			if !violated {
				continue
			}
			shown, err := met.replay(r.net, q.ltl)
			if err != nil {
				return err
			}
			r.ledger.answerNow(q, Truth(false), RandomWalk, shown)
		}
	}
	return context.Cause(ctx)
}

// violates reports whether the run violates l.
func (p *path) violates(net *petri.Net, l *linear) (bool, error) {
	w := &word{linear: l, net: net, loop: p.loop}
	for _, m := range p.markings {
		w.add(m)
	}
	return w.violates()
}

// replay fires the run from the initial marking on, by the definitions, and judges it
// again.
func (p *path) replay(net *petri.Net, l *linear) (Witness, error) {
	again := path{loop: p.loop}
	m := net.Initial()
	for _, t := range p.fired {
		again.markings = append(again.markings, slices.Clone(m))
		if !net.Fire(m, t) {
			return Witness{}, fmt.Errorf("a random run does not replay: transition %q is not enabled", net.TransitionLabel(t).ID)
		}
	}
	shown := Witness{Ground: InfiniteRun, Net: net, Run: bursts(p.fired[:p.loop]), Cycle: bursts(p.fired[p.loop:])}
	if shown.Ends = len(p.fired) == p.loop; shown.Ends {
		again.markings = append(again.markings, slices.Clone(m))
	}
	if shown.Ends != net.Deadlock(m) || !shown.Ends && !slices.Equal(m, again.markings[p.loop]) {
		return Witness{}, errors.New("a random run does not replay: it does not go on for ever so")
	}
	if violated, err := again.violates(net, l); err != nil || !violated {
		return Witness{}, errors.Join(errors.New("a random run does not replay: it is no violation"), err)
	}
	return shown, nil
}

// Half of the runs turn back after some steps to where they were a few steps
// before: where much goes on at the same time no run meets a marking by chance.
const (
	mostAside = 12 // steps before it turns back
	wayBack   = 40 // steps for each of them, to get back
)

// randomRun is an infinite run; loop is -1 if the walk met no marking twice.
func randomRun(ctx context.Context, w *reachability.RandomRun, rng *rand.Rand, length int) path {
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
	for len(p.markings) < length && ctx.Err() == nil {
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

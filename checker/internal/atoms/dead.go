package atoms

import (
	"context"
	"math/rand/v2"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/stateequation"
	"pnmc/internal/account"
	"pnmc/petri"
)

// This file strengthens a reduced net by what the state equation proves of it: transitions that never fire leave it.
// Reductions apply that they were in the way of, invariants and traps show that they hid, and so the equation of the
// smaller net proves more: of goals, and of transitions again.

const (
	// deadShare is the part of a task's time, and longestDead what is not exceeded, that a search for transitions
	// that never fire may take, and longestOneDead that for one of them.
	deadShare      = 0.04
	longestDead    = 2 * time.Second
	longestOneDead = 50 * time.Millisecond
	// deadRounds bounds how often the smaller net is looked at again.
	deadRounds = 8
	// firedWork bounds the runs that show which transitions fire, in arcs looked at: a few milliseconds.
	firedWork = 1 << 19
	// firedRuns is how many runs there are, each from the initial marking.
	firedRuns = 4
)

// withoutDead returns n without transitions that never fire, or nil where none is found. It looks no longer than longest.
func withoutDead(ctx context.Context, r *core.Task, n *core.Reduced, equation *stateequation.Equation, longest time.Duration) *core.Reduced {
	if !r.CanBeWithout(n) || r.Family == inquiry.TransitionsFamily || r.Family == inquiry.LivenessFamily {
		return nil // of transitions these ask anyway, and one that never fires is their answer
	}
	candidates := unfired(ctx, n.Net, r.Shared.Seed)
	if len(candidates) == 0 {
		return nil
	}
	part, cancel := lanes.Sliced(ctx, longest)
	dead := equation.Dead(part, candidates, longestOneDead)
	cancel()
	if len(dead) == 0 {
		return nil
	}
	smaller := r.WithoutDead(ctx, n, dead)
	if smaller != nil {
		r.Note("%d of %d transitions never fire; %d places, %d transitions are left", len(dead), n.Net.Transitions(), smaller.Net.Places(), smaller.Net.Transitions())
	}
	return smaller
}

// unfired returns the transitions that are not enabled on a few short runs. Transitions fire first that were
// not enabled before, so that runs get to many. If ctx ends there are none left.
func unfired(ctx context.Context, net *petri.Net, seed uint64) (list []petri.Transition) {
	random := rand.New(rand.NewPCG(seed, 1))
	enabled, left := make([]bool, net.Transitions()), net.Transitions()
	each := net.Arcs() + net.Transitions()
	for range firedRuns {
		m := net.Initial()
		for work := 0; left > 0 && work < firedWork/firedRuns; work += each {
			if account.Reason(ctx) != nil {
				return nil
			}
			next, fresh, choices := petri.Transition(0), false, 0
			for t := range petri.Transition(net.Transitions()) {
				if !net.Enabled(m, t) {
					continue
				}
				first := !enabled[t]
				if enabled[t] = true; first {
					left--
				}
				if first && !fresh {
					fresh, choices = true, 0
				}
				if first == fresh {
					if choices++; random.IntN(choices) == 0 {
						next = t
					}
				}
			}
			if choices == 0 || !net.Fire(m, next) {
				break
			}
		}
	}
	for t := range petri.Transition(net.Transitions()) {
		if !enabled[t] {
			list = append(list, t)
		}
	}
	return list
}

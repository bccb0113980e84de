package checker

import (
	"context"
	"slices"
	"sync"

	"pnmc/checker/internal/lanes"
	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/invariant"
	"pnmc/petri/reduce"
)

// factsWork bounds the search for semiflows: about half a second.
const factsWork = 8_000_000

// factsMemory has what is proven of nets. Several lanes ask about the same net,
// and semiflows take long: who comes second waits for the first.
type factsMemory struct {
	mutex sync.Mutex
	known []netFacts
}

type netFacts struct {
	net   *petri.Net
	facts petri.Facts
}

// mostNetFacts bounds the nets that are remembered: there are the original one and
// those reduced for all questions.
const mostNetFacts = 8

// factsOfReduced are facts of a reduced net: those of the original one that are
// true of it too, and where it is much smaller what is found there easily.
func (r *task) factsOfReduced(ctx context.Context, reduction *reduce.Reduction) petri.Facts {
	k := r.shared.kept
	k.mutex.Lock()
	facts, known := k.facts[reduction]
	k.mutex.Unlock()
	if known {
		return facts
	}
	net := reduction.Net
	flows := invariant.Transfer(net, r.factsOf(ctx, r.net).Semiflows, reduction.PlaceOf)
	if net.Places() < r.net.Places()/2 {
		within, stop := account.Within(ctx, r.budget)
		flows = append(flows, invariant.Semiflows(within, net, factsWork/10)...)
		stop(nil)
	}
	facts = petri.Facts{Semiflows: flows, Bounds: invariant.Bounds(net, flows)}
	if ctx.Err() == nil {
		k.mutex.Lock()
		k.facts[reduction] = facts
		k.mutex.Unlock()
	}
	return facts
}

// factsUntil is the fraction of a task's time at which the search for semiflows ends.
// It is not bound to the phase that asks first: what it finds is for all.
const factsUntil = 0.25

// factsOf are facts proven of a net.
func (r *task) factsOf(ctx context.Context, net *petri.Net) petri.Facts {
	asking := ctx
	if r.whole != nil {
		end := r.clock.at(factsUntil)
		if deadline, ok := ctx.Deadline(); !ok || deadline.Before(end) {
			var cancel context.CancelFunc
			ctx, cancel = context.WithDeadline(r.whole, end)
			defer cancel()
		}
	}
	m := r.facts
	lanes.Lock(asking, &m.mutex)
	defer m.mutex.Unlock()
	for _, k := range m.known {
		if sameNet(k.net, net) {
			return k.facts
		}
	}
	ctx, stop := account.Within(ctx, r.budget)
	defer stop(nil)
	flows := append(invariant.Semiflows(ctx, net, factsWork), unitInvariants(net)...)
	facts := petri.Facts{Semiflows: flows, Bounds: invariant.Bounds(net, flows)}
	if len(flows) > 0 && len(m.known) < mostNetFacts { // even if ctx ended the search
		m.known = append(m.known, netFacts{net, facts})
	}
	return facts
}

// sameNet reports whether two nets differ in names at most.
func sameNet(a, b *petri.Net) bool {
	if a == b {
		return true
	}
	if a.Places() != b.Places() || a.Transitions() != b.Transitions() {
		return false
	}
	for p := range petri.Place(a.Places()) {
		if a.InitialTokens(p) != b.InitialTokens(p) {
			return false
		}
	}
	for t := range petri.Transition(a.Transitions()) {
		if !slices.Equal(a.Pre(t), b.Pre(t)) || !slices.Equal(a.Post(t), b.Post(t)) {
			return false
		}
	}
	return (a.NUPN() == nil) == (b.NUPN() == nil)
}

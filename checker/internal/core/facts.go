package core

import (
	"context"
	"sync"

	"pnmc/checker/internal/bounds"
	"pnmc/checker/internal/lanes"
	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/invariant"
	"pnmc/petri/reduce"
)

// FactsWork bounds the search for semiflows: about half a second.
const FactsWork = 8_000_000

// FactsMemory has what is proven of nets. Several lanes ask about the same net,
// and semiflows take long: who comes second waits for the first.
type FactsMemory struct {
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

// FactsOfReduced returns facts of a reduced net: those of the original one that are
// true of it too, and where it is much smaller what is found there easily.
func (r *Task) FactsOfReduced(ctx context.Context, reduction *reduce.Reduction) petri.Facts {
	k := r.Shared.Kept
	k.mutex.Lock()
	facts, known := k.facts[reduction]
	k.mutex.Unlock()
	if known {
		return facts
	}
	net := reduction.Net
	flows := invariant.Transfer(net, r.FactsOf(ctx, r.Net).Semiflows, reduction.PlaceOf)
	if net.Places() < r.Net.Places()/2 {
		within, stop := account.Within(ctx, r.Budget)
		flows = append(flows, invariant.Semiflows(within, net, FactsWork/10)...)
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

// FactsOf returns facts proven of a net.
func (r *Task) FactsOf(ctx context.Context, net *petri.Net) petri.Facts {
	asking := ctx
	if r.Whole != nil {
		end := r.Clock.At(factsUntil)
		if deadline, ok := ctx.Deadline(); !ok || deadline.Before(end) {
			var cancel context.CancelFunc
			ctx, cancel = context.WithDeadline(r.Whole, end)
			defer cancel()
		}
	}
	m := r.Facts
	lanes.Lock(asking, &m.mutex)
	defer m.mutex.Unlock()
	for _, k := range m.known {
		if sameNet(k.net, net) {
			return k.facts
		}
	}
	ctx, stop := account.Within(ctx, r.Budget)
	defer stop(nil)
	flows := append(invariant.Semiflows(ctx, net, FactsWork), bounds.Units(net)...)
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
		if a.InitialTokens(p) != b.InitialTokens(p) || a.Capacity(p) != b.Capacity(p) {
			return false
		}
	}
	for t := range petri.Transition(a.Transitions()) {
		if !a.SameArcs(t, b, t) {
			return false
		}
	}
	return (a.NUPN() == nil) == (b.NUPN() == nil)
}

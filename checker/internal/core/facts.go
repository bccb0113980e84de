package core

import (
	"context"
	"slices"
	"sync"

	"pnmc/checker/inquiry"
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
	mutex    sync.Mutex
	known    []netFacts
	machines []netFacts // of machines alone
}

type netFacts struct {
	net   *petri.Net
	facts petri.Facts
}

// mostNetFacts bounds the nets that are remembered: there are the original one and
// those reduced for all questions.
const mostNetFacts = 8

// FactsOfReduced returns facts of a reduced net. It has two sources. Semiflows of the original net
// that remain some of the reduced net are taken over. If the net has less than half of the places,
// a tenth of the work for the original net is spent on searching for others.
func (r *Task) FactsOfReduced(ctx context.Context, reduction *reduce.Reduction) petri.Facts {
	if !r.Shared.Uses(inquiry.Topological) {
		return petri.Facts{}
	}
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

// factsUntil is the fraction of a task's time that each search for semiflows may use.
const factsUntil = 0.25

// FactsOf returns facts proven of a net: semiflows, and the bounds of places that follow. It
// remembers them if there are semiflows, also for nets that differ only in names. The search takes
// FactsWork at most. If the caller's phase ends earlier than factsUntil, the search may go on until
// then: what it finds is for all.
func (r *Task) FactsOf(ctx context.Context, net *petri.Net) petri.Facts {
	if !r.Shared.Uses(inquiry.Topological) {
		return petri.Facts{}
	}
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
	machines := m.machinesOf(ctx, net)
	var flows []petri.Semiflow
	if net.Arcs() < manyArcs || slices.Contains(machines.Bounds, petri.Unbounded) {
		flows = invariant.Semiflows(ctx, net, FactsWork)
	}
	flows = bounds.Joined(append(flows, bounds.Units(net)...), machines.Semiflows)
	facts := petri.Facts{Semiflows: flows, Bounds: invariant.Bounds(net, flows)}
	if len(flows) > 0 && len(m.known) < mostNetFacts { // even if ctx ended the search
		m.known = append(m.known, netFacts{net, facts})
	}
	return facts
}

// manyArcs is from where on a search for all semiflows runs out of work before it has found one. If
// machines bound all places, it is left out there.
const manyArcs = 50_000

// machinesWork bounds the search for machines: a tenth of a second.
const machinesWork = 1 << 24

// MachinesOf returns facts that machines of a net prove, which are found in much less time than those
// of FactsOf. It remembers them.
func (r *Task) MachinesOf(ctx context.Context, net *petri.Net) petri.Facts {
	if !r.Shared.Uses(inquiry.Topological) {
		return petri.Facts{}
	}
	lanes.Lock(ctx, &r.Facts.mutex)
	defer r.Facts.mutex.Unlock()
	return r.Facts.machinesOf(ctx, net)
}

// machinesOf is MachinesOf where the mutex is held.
func (m *FactsMemory) machinesOf(ctx context.Context, net *petri.Net) petri.Facts {
	for _, k := range m.machines {
		if k.net == net {
			return k.facts
		}
	}
	flows := invariant.Machines(ctx, net, machinesWork)
	facts := petri.Facts{Semiflows: flows, Bounds: invariant.Bounds(net, flows)}
	if ctx.Err() == nil && len(m.machines) < mostNetFacts {
		m.machines = append(m.machines, netFacts{net, facts})
	}
	return facts
}

// IsLarge reports whether the task's net has so many arcs that machines are looked for before other semiflows.
func (r *Task) IsLarge() bool { return r.Net.Arcs() >= manyArcs }

// FactsForMarkings returns facts for packing the markings of the task's net. Those of a large net are of its
// machines, if these bound all places: a search for semiflows there runs out of work before it has found as much.
func (r *Task) FactsForMarkings(ctx context.Context, work int) petri.Facts {
	if r.IsLarge() {
		if facts := r.MachinesOf(ctx, r.Net); len(facts.Bounds) > 0 && !slices.Contains(facts.Bounds, petri.Unbounded) {
			return facts
		}
	}
	within, stop := account.Within(ctx, r.Budget)
	defer stop(nil)
	return invariant.Prove(within, r.Net, work)
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

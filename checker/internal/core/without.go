package core

import (
	"context"
	"maps"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/lanes"
	"pnmc/petri"
	"pnmc/petri/reduce"
)

// CanBeWithout reports whether WithoutDead may make a smaller net of n.
func (r *Task) CanBeWithout(n *Reduced) bool {
	return n.reduction != nil && r.Shared.Uses(inquiry.StructuralReduction)
}

// WithoutDead returns n without transitions that never fire, as the state equation has proven of its net, and
// reduced further: without them other rules apply. It returns nil if ctx or the memory ends first.
//
// If n is the net reduced for all open atoms, engines that begin from now on find the smaller one in its place, and nets
// for one atom are made of that.
func (r *Task) WithoutDead(ctx context.Context, n *Reduced, dead []petri.Transition) *Reduced {
	within, release := r.Shared.reducing(ctx)
	reduction, err := n.reduction.FurtherWithout(within, dead, n.protected, n.wanted)
	release(err)
	if err != nil {
		return nil
	}
	smaller := reducedFor(n.overPlaces, reduction, n.protected, n.wanted)
	smaller.Atoms = n.Atoms
	if r.forAll.CompareAndSwap(n, smaller) {
		lanes.Lock(ctx, &r.mutex)
		r.reduced = smaller
		r.mutex.Unlock()
		r.Shared.Kept.dropServed(r.Net, smaller)
	}
	return smaller
}

// dropServed forgets reductions of a net that a smaller one serves: they are made of that when they are asked for again.
func (k *Kept) dropServed(net *petri.Net, n *Reduced) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	maps.DeleteFunc(k.reductions, func(key reductionKey, _ *reduce.Reduction) bool {
		return key.net == net && key.wanted != 0 && reduce.Serves(n.protected, n.wanted, key.protects(len(n.protected)), key.wanted)
	})
}

// protects returns of each place whether it was protected.
func (k reductionKey) protects(places int) []bool {
	protected := make([]bool, places)
	for p := range protected {
		protected[p] = k.protected[p/8]>>(p%8)&1 == 1
	}
	return protected
}

package checker

import (
	"context"
	"slices"

	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/reachability"
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/reduce"
)

// reducedNet is a net reduced for some atoms, with their goals said in its
// places.
type reducedNet struct {
	reduction *reduce.Reduction
	net       *petri.Net
	atoms     []int               // numbers on the ledger
	goals     []reachability.Goal // of atoms
	facts     petri.Facts
	haveFacts bool
}

// reducedForAll is the net reduced for all open atoms, made once.
func (r *task) reducedForAll(ctx context.Context) *reducedNet {
	lanes.Lock(ctx, &r.mutex)
	defer r.mutex.Unlock()
	if r.reduced == nil {
		atoms := r.ledger.openAtoms()
		r.reduced = r.reduceFor(ctx, atoms)
		if n := r.reduced; n != nil {
			r.note("reduced from %d places, %d transitions to %d, %d for %d atoms", r.net.Places(), r.net.Transitions(),
				n.net.Places(), n.net.Transitions(), len(atoms))
		}
	}
	return r.reduced
}

// reduceFor reduces the net as far as what the atoms ask allows.
func (r *task) reduceFor(ctx context.Context, atoms []int) *reducedNet {
	wanted := reduce.Reachability
	protected := make([]bool, r.net.Places())
	goals := make([]reachability.Goal, len(atoms))
	for i, n := range atoms {
		a := r.ledger.atoms[n]
		if a.maximum != nil {
			goals[i].Maximum = a.maximum
			for _, t := range a.maximum.Terms {
				protected[t.Place] = true
			}
			continue
		}
		goals[i].Predicate = rephrase.OverPlaces(r.net, a.goal)
		if rephrase.LooksAtDeadlock(a.goal) {
			if a.goal.Operator == logic.Deadlocked {
				wanted |= reduce.Deadlock
			} else {
				wanted |= reduce.Deadlock | reduce.Branching
			}
		}
		rephrase.Protect(goals[i].Predicate, protected)
	}
	if wanted&reduce.Deadlock != 0 && len(atoms) == 1 {
		wanted &^= reduce.Reachability
	}
	reduction, err := r.reduceNet(ctx, protected, wanted)
	if err != nil {
		return nil
	}
	n := &reducedNet{reduction: reduction, net: reduction.Net, atoms: atoms}
	for _, g := range goals {
		if g.Maximum != nil {
			sum := rephrase.RenamedSum(*g.Maximum, reduction.PlaceOf)
			g.Maximum = &sum
		} else {
			g.Predicate = rephrase.Renamed(g.Predicate, reduction.PlaceOf).Simplify()
		}
		n.goals = append(n.goals, g)
	}
	return n
}

// factsOf proves facts about the reduced net, once.
func (n *reducedNet) factsOf(ctx context.Context, r *task) petri.Facts {
	if !n.haveFacts {
		n.facts = r.factsOfReduced(ctx, n.reduction)
		n.haveFacts = true
	}
	return n.facts
}

// by names the techniques of an answer that was found on n.
func (n *reducedNet) by(found Techniques) Techniques {
	return reducedBy(found, n.reduction)
}

// reducedBy are the techniques of an answer that was found on a reduced net:
// reduction is one of them where a rule applied.
func reducedBy(found Techniques, reduction *reduce.Reduction) Techniques {
	if slices.ContainsFunc(reduction.Applied, func(times int) bool { return times > 0 }) {
		found |= StructuralReduction
	}
	return found
}

// longestReplay bounds the runs that are replayed, in steps.
const longestReplay = 20_000_000

// original is the run of the original net that a run of the reduced one stands
// for; nil if it is too long.
func (n *reducedNet) original(run []witness.Burst) []witness.Burst {
	if n.reduction.PrefixLength() > longestReplay {
		return nil
	}
	prefix := []witness.Burst{}
	for _, t := range n.reduction.Prefix() {
		prefix = append(prefix, witness.Burst{Transition: t, Times: 1})
	}
	return n.originalSteps(prefix, run)
}

// originalSteps appends what the steps of run stand for; nil if it is too long.
func (n *reducedNet) originalSteps(result, run []witness.Burst) []witness.Burst {
	var sequence []petri.Transition
	for _, b := range run {
		length := n.reduction.SequenceLength(b.Transition)
		if length > longestReplay {
			return nil
		}
		sequence = n.reduction.Sequence(sequence[:0], b.Transition)
		if length == 1 {
			result = append(result, witness.Burst{Transition: sequence[0], Times: b.Times})
			continue
		}
		if length > 0 && b.Times > int64((longestReplay-len(result))/length) {
			return nil
		}
		for range b.Times {
			for _, t := range sequence {
				result = append(result, witness.Burst{Transition: t, Times: 1})
			}
		}
	}
	return result
}

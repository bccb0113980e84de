package core

import (
	"context"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/reduce"
)

// Reduced is a net reduced for some atoms, with their goals said in its
// places.
type Reduced struct {
	reduction *reduce.Reduction // nil: the net is as it was
	protected []bool            // places of the original net
	wanted    reduce.Preserves
	Net       *petri.Net
	Atoms     []int       // numbers on the ledger
	Goals     []walk.Goal // of atoms
	facts     petri.Facts
	haveFacts bool
	solutions solutions
}

// ReducedForAll returns the net reduced for all open atoms, made once.
func (r *Task) ReducedForAll(ctx context.Context) *Reduced {
	lanes.Lock(ctx, &r.mutex)
	defer r.mutex.Unlock()
	if r.reduced == nil {
		atoms := r.Ledger.OpenAtoms()
		r.reduced = r.ReduceFor(ctx, atoms)
		if n := r.reduced; n != nil {
			r.forAll.Store(n)
			r.Note("reduced from %d places, %d transitions to %d, %d for %d atoms", r.Net.Places(), r.Net.Transitions(),
				n.Net.Places(), n.Net.Transitions(), len(atoms))
		}
	}
	return r.reduced
}

// AsItIs returns the net without any reduction, for all open atoms.
func (r *Task) AsItIs() *Reduced {
	n := &Reduced{Net: r.Net, Atoms: r.Ledger.OpenAtoms()}
	n.Goals = r.goalsOf(n.Atoms)
	return n
}

// goalsOf returns what atoms ask.
func (r *Task) goalsOf(atoms []int) []walk.Goal {
	asked := make([]walk.Goal, len(atoms))
	for i, n := range atoms {
		asked[i] = walk.Goal{Predicate: r.Ledger.Atoms[n].Goal, Maximum: r.Ledger.Atoms[n].Maximum, Products: r.Ledger.Atoms[n].Products}
	}
	return asked
}

// reducingArc is about how long it takes to reduce a net, for each of its arcs, and reducingShare what
// part of a slice of time that may be.
const (
	reducingArc   = 1500 * time.Nanosecond
	reducingShare = 4
)

// SliceAlone returns how long the first slice of time of a question may be that has the net reduced for
// it alone: first, or more on a large net, where else most of the time would go into reductions.
func (r *Task) SliceAlone(first time.Duration) time.Duration {
	net := r.Net
	if all := r.forAll.Load(); all != nil {
		net = all.Net
	}
	return max(first, time.Duration(net.Arcs())*reducingArc*reducingShare)
}

// ReduceFor reduces the net as far as what the atoms ask allows.
func (r *Task) ReduceFor(ctx context.Context, atoms []int) *Reduced {
	n := r.ReduceForGoals(ctx, r.goalsOf(atoms))
	if n != nil {
		n.Atoms = atoms
	}
	return n
}

// ReduceForGoals reduces the net as far as goals allow that need not be atoms. It returns nil if ctx
// ends first, or memory does not do. Places that goals look at stay. What else is preserved:
//
//	a predicate over places, or a sum   what markings of these places are reachable
//	"deadlock", alone                   whether a deadlock is reachable, and nothing else
//	"deadlock", among other goals       both of these
//	a predicate with "deadlock" in it   the state graph up to bisimulation
//
// Whether a transition is fireable counts as a predicate over the places before it.
func (r *Task) ReduceForGoals(ctx context.Context, asked []walk.Goal) *Reduced {
	if r.roomForGoals(ctx, asked) != nil {
		return nil
	}
	wanted := reduce.Reachability
	protected := make([]bool, r.Net.Places())
	goals := make([]walk.Goal, len(asked))
	for i, a := range asked {
		if a.Maximum != nil {
			goals[i] = a
			for s := range a.Number().Sums() {
				for _, t := range s.Terms {
					protected[t.Place] = true
				}
			}
			continue
		}
		goals[i].Predicate = rephrase.OverPlaces(r.Net, a.Predicate)
		if rephrase.LooksAtDeadlock(a.Predicate) {
			if a.Predicate.Operator == logic.Deadlocked {
				wanted |= reduce.Deadlock
			} else {
				wanted |= reduce.Deadlock | reduce.Branching
			}
		}
		rephrase.Protect(goals[i].Predicate, protected)
	}
	if wanted&reduce.Deadlock != 0 && len(asked) == 1 {
		wanted &^= reduce.Reachability
	}
	reduction, err := r.ReduceNet(ctx, protected, wanted)
	if err != nil {
		return nil
	}
	n := &Reduced{reduction: reduction, protected: protected, wanted: wanted, Net: reduction.Net}
	for _, g := range goals {
		if g.Maximum != nil {
			number := g.Number().WithSums(func(s logic.Sum) logic.Sum {
				return rephrase.RenamedSum(s, reduction.PlaceOf)
			})
			g.Maximum, g.Products = &number.Sum, number.Products
		} else {
			g.Predicate = rephrase.Renamed(g.Predicate, reduction.PlaceOf).Simplify()
		}
		n.Goals = append(n.Goals, g)
	}
	return n
}

// goalCopies is how often a goal is written anew: in places, simplified, and both again in those
// of the smaller net.
const goalCopies = 4

// roomForGoals asks whether there is room for goals in terms of places: what is fireable may be
// as large as the net.
func (r *Task) roomForGoals(ctx context.Context, asked []walk.Goal) error {
	size := 0
	for _, a := range asked {
		if a.Predicate != nil {
			size += rephrase.BytesOverPlaces(r.Net, a.Predicate)
		}
	}
	return r.RoomFor(ctx, goalCopies*size)
}

// RoomFor asks whether there is room for so many bytes, as there is for reductions. The error is a *petri.MemoryError, which ends nobody
// else's work, or the reason of ctx to stop.
func (r *Task) RoomFor(ctx context.Context, bytes int) error {
	within, release := r.Shared.reducing(ctx)
	err := account.Of(within).Reserve(bytes)
	release(err)
	return err
}

// FactsOf proves facts about the reduced net, once.
func (n *Reduced) FactsOf(ctx context.Context, r *Task) petri.Facts {
	if n.reduction == nil {
		return r.FactsOf(ctx, r.Net)
	}
	if !n.haveFacts {
		n.facts = r.FactsOfReduced(ctx, n.reduction)
		n.haveFacts = true
	}
	return n.facts
}

// By names the techniques of an answer that was found on n.
func (n *Reduced) By(found inquiry.Techniques) inquiry.Techniques {
	if n.reduction == nil {
		return found
	}
	return ReducedBy(found, n.reduction)
}

// ReducedBy returns the techniques of an answer that was found on a reduced net:
// reduction is one of them where a rule applied.
func ReducedBy(found inquiry.Techniques, reduction *reduce.Reduction) inquiry.Techniques {
	if isReduced(reduction) {
		found |= inquiry.StructuralReduction
	}
	return found
}

// longestReplay bounds the runs that are replayed, in steps. stepReplayed is about the memory
// of a step in bytes, with the growth of the slice and its copies.
const (
	longestReplay = 20_000_000
	stepReplayed  = 128
)

// LongestReplay returns how many steps a run may have that is replayed: a step of a reduced net may
// stand for millions, for which there is memory or not.
func (r *Task) LongestReplay() int {
	if r.Budget.MemoryBytes <= 0 {
		return longestReplay
	}
	return int(min(longestReplay, r.Budget.MemoryBytes/stepReplayed))
}

// Original returns the run of the original net that a run of the reduced one stands
// for; nil if it has more steps than longest.
func (n *Reduced) Original(run []witness.Burst, longest int) []witness.Burst {
	if n.reduction == nil {
		return n.OriginalSteps([]witness.Burst{}, run, longest)
	}
	initially, ok := n.reduction.PrefixWithin(longest)
	if !ok {
		return nil
	}
	prefix := []witness.Burst{}
	for _, t := range initially {
		prefix = append(prefix, witness.Burst{Transition: t, Times: 1})
	}
	return n.OriginalSteps(prefix, run, longest)
}

// OriginalAlong returns the run of the original net as Original does, and for each of the lengths of run,
// which ascend, how many bursts of the result stand for it.
func (n *Reduced) OriginalAlong(run []witness.Burst, lengths []int, longest int) (original []witness.Burst, along []int) {
	original = n.Original(nil, longest)
	fired := 0
	for _, length := range lengths {
		if original == nil {
			return nil, nil
		}
		original = n.OriginalSteps(original, run[fired:length], longest)
		along, fired = append(along, len(original)), length
	}
	return original, along
}

// OriginalSteps appends to result what the steps of run stand for. It returns nil if these are more
// than longest. If v stands for t u, for example, two firings of v become t u t u. A transition that
// stands for one only keeps its number of firings, and counts as one step.
func (n *Reduced) OriginalSteps(result, run []witness.Burst, longest int) []witness.Burst {
	if n.reduction == nil {
		return append(result, run...)
	}
	var sequence []petri.Transition
	for _, b := range run {
		length := n.reduction.SequenceLength(b.Transition)
		if length > longest {
			return nil
		}
		sequence = n.reduction.Sequence(sequence[:0], b.Transition)
		if length == 1 {
			result = append(result, witness.Burst{Transition: sequence[0], Times: b.Times})
			continue
		}
		if length > 0 && b.Times > int64((longest-len(result))/length) {
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

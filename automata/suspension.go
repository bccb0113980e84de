package automata

import (
	"context"
	"math/bits"
)

// Suspend is the automaton for the words of a on which all the conditions hold
// too. Each condition has one state, and is of a property that a run has if and
// only if each of its suffixes has it, such as GF p; so only the accepting
// components of a need to observe it ("Compositional approach to suspension and
// other improvements to LTL translation", Babiak et al., 2013). All are plain
// generalized Büchi automata over the same propositions.
//
// The result has the states of a. Beside each edge of an accepting component are
// edges in one set of a condition each, as after SpreadMarks, so that the number
// of edges grows with the sum of the conditions' sets and not exponentially.
func Suspend(ctx context.Context, a *Automaton, conditions []*Automaton) (*Automaton, error) {
	return transform(ctx, a, func(ctx context.Context, r *reducible) error {
		r.prune()
		c := r.components()
		accepting := r.acceptingComponents(c)
		f := r.functions
		base := TrueFunction
		var inSet []Function
		for _, condition := range conditions {
			labels, err := singleState(condition, f)
			if err != nil {
				return err
			}
			base = f.And(base, labels[0])
			inSet = append(inSet, labels[1:]...)
		}
		first := r.sets
		if r.sets += len(inSet); r.sets > 64 {
			return ErrTooManySets
		}
		for s, out := range r.out {
			var changed []link
			for _, e := range out {
				if c.Of(State(s)) != c.Of(e.to) || !accepting[c.Of(e.to)] {
					changed = append(changed, e)
					continue
				}
				e.label = f.And(e.label, base)
				changed = append(changed, e)
				for i, label := range inSet {
					changed = append(changed, link{e.to, 1 << (first + i), f.And(e.label, label)})
				}
			}
			r.out[s] = changed
			r.merge(State(s))
		}
		r.prune()
		return f.Err()
	})
}

// singleState gives, for an automaton of one state, when it has an edge, and when
// it has one in each of its sets, as functions held by f.
func singleState(a *Automaton, f *Functions) ([]Function, error) {
	if a.States() != 1 || a.Kind != Plain || !a.Acceptance.IsGeneralizedBuchi() {
		return nil, ErrNotGeneralizedBuchi
	}
	labels := make([]Function, 1+a.Acceptance.Sets) // all false
	for e := range Edge(a.Edges()) {
		label := f.Of(a.Label(e))
		labels[0] = f.Or(labels[0], label)
		for i := range a.Acceptance.Sets {
			if a.Marks(e).Has(i) {
				labels[1+i] = f.Or(labels[1+i], label)
			}
		}
	}
	return labels, f.Err()
}

// SpreadMarks replaces edges of a generalized Büchi automaton with the same source
// and destination, where there are more than above, by fewer: one without regard
// to sets, and one for each set. A run that may choose between edges in the sets
// it is to visit, one after the other, visits all of them infinitely often if and
// only if that was possible before. Determinism is lost.
func SpreadMarks(ctx context.Context, a *Automaton, above int) (*Automaton, error) {
	return transform(ctx, a, func(_ context.Context, r *reducible) error {
		for s := range r.out {
			r.spread(State(s), above)
		}
		return r.functions.Err()
	})
}

func (r *reducible) spread(s State, above int) {
	var changed []link
	for rest := r.out[s]; len(rest) > 0; { // sorted by destination
		n := 1
		for n < len(rest) && rest[n].to == rest[0].to {
			n++
		}
		parallel := rest[:n]
		rest = rest[n:]
		if n > above {
			if fewer := r.spreadParallel(parallel); len(fewer) < n {
				parallel = fewer
			}
		}
		changed = append(changed, parallel...)
	}
	r.out[s] = changed
	r.merge(s)
}

// spreadParallel gives edges for a label each that all of those have in common,
// in the sets that are on it.
func (r *reducible) spreadParallel(parallel []link) []link {
	f := r.functions
	any := FalseFunction
	inSet := make([]Function, r.sets) // all false
	for _, e := range parallel {
		any = f.Or(any, e.label)
		for marks := e.marks; marks != 0; marks &= marks - 1 {
			i := bits.TrailingZeros64(marks)
			inSet[i] = f.Or(inSet[i], e.label)
		}
	}
	fewer := []link{{parallel[0].to, 0, any}}
	for i, label := range inSet {
		found := label == FalseFunction
		for j := range fewer {
			if !found && fewer[j].label == label {
				fewer[j].marks |= 1 << i
				found = true
			}
		}
		if !found {
			fewer = append(fewer, link{parallel[0].to, 1 << i, label})
		}
	}
	return fewer
}

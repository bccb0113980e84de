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
// of edges grows with the sum of the conditions' sets and not exponentially. That
// sum is not bounded by what algorithms with marks in one word take.
func Suspend(ctx context.Context, a *Automaton, conditions []*Automaton) (*Automaton, error) {
	r, err := newReducible(ctx, a)
	if err != nil {
		return nil, err
	}
	r.prune()
	f := r.functions
	base := TrueFunction
	var inSet []Function
	for _, condition := range conditions {
		labels, err := singleState(condition, f)
		if err != nil {
			return nil, err
		}
		base = f.And(base, labels[0])
		inSet = append(inSet, labels[1:]...)
	}
	b := NewBuilder(r.propositions, GeneralizedBuchi(r.sets+len(inSet)))
	b.Name = a.Name
	b.AddStates(len(r.out))
	for _, s := range r.initial {
		b.AddInitial(s)
	}
	add := func(from, to State, label Function, marks Marks) error {
		if label == FalseFunction {
			return f.Err()
		}
		cubes, err := f.LabelOver(label, len(r.propositions))
		if err == nil {
			b.AddEdge(from, cubes, marks, to)
		}
		return err
	}
	words := MarkWordsFor(r.sets + len(inSet))
	c := r.components()
	accepting := r.acceptingComponents(c)
	for s, out := range r.out {
		for _, e := range out {
			observed := c.Of(State(s)) == c.Of(e.to) && accepting[c.Of(e.to)]
			if observed {
				e.label = f.And(e.label, base)
			}
			marks := make(Marks, words)
			marks[0] = e.marks
			if err := add(State(s), e.to, e.label, marks); err != nil {
				return nil, err
			}
			for i := 0; observed && i < len(inSet); i++ {
				marks := make(Marks, words)
				marks[(r.sets+i)/64] = 1 << ((r.sets + i) % 64)
				if err := add(State(s), e.to, f.And(e.label, inSet[i]), marks); err != nil {
					return nil, err
				}
			}
		}
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	return b.Build()
}

// singleState gives, for an automaton of one state, when it has an edge, and when
// it has one in each of its sets, as functions held by f.
func singleState(a *Automaton, f *Functions) ([]Function, error) {
	if a.States() != 1 || a.Kind != Plain || !a.Acceptance.IsGeneralizedBuchi() {
		return nil, ErrNotGeneralizedBuchi
	}
	labels := make([]Function, 1+a.Acceptance.Sets) // all false
	for e := range Edge(a.Edges()) {
		label := f.OfEdge(a, e)
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

// spread does what SpreadMarks says to the edges of s.
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

// spreadParallel replaces parallel edges: one for the label of any of them, without
// regard to sets, and one for each set, those with the same label being one.
func (r *reducible) spreadParallel(parallel []link) []link {
	f := r.functions
	either := FalseFunction
	inSet := make([]Function, r.sets) // all false
	for _, e := range parallel {
		either = f.Or(either, e.label)
		for marks := e.marks; marks != 0; marks &= marks - 1 {
			i := bits.TrailingZeros64(marks)
			inSet[i] = f.Or(inSet[i], e.label)
		}
	}
	fewer := []link{{parallel[0].to, 0, either}}
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

package marked

import (
	"context"
	"math/bits"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/internal/bitset"
)

// Suspend returns the automaton for the words of a on which all the conditions hold too. Each
// condition has one state. It is of a property that a run has if and only if each of its suffixes
// has it, such as GF p. So only the accepting components of a need to observe it ("Compositional
// approach to suspension and other improvements to LTL translation", Babiak et al., 2013). All
// are plain generalized Büchi automata over the same propositions.
//
// For example, X X X q & G F p. The automaton of X X X q is a chain of four states and an accepting
// one with a loop. A product with the automaton of G F p would watch p all along the chain, with
// edges for p and for !p each. Here only the loop has a second edge, labelled p, in the set of G F p.
//
// The result has the states of a. Beside each edge of an accepting component there are
// edges in one set of one condition each, as after SpreadMarks. So the number of edges
// grows with the sum of the conditions' sets, not exponentially. That sum may be more
// than the number of marks in one word, which limits some algorithms.
func Suspend(ctx context.Context, a *automata.Automaton, conditions []*automata.Automaton) (*automata.Automaton, error) {
	r, err := NewReducible(ctx, a)
	if err != nil {
		return nil, err
	}
	r.Prune()
	f := r.Functions
	base := bdd.TrueFunction
	var inSet []bdd.Function
	for _, condition := range conditions {
		labels, err := singleState(condition, f)
		if err != nil {
			return nil, err
		}
		base = f.And(base, labels[0])
		inSet = append(inSet, labels[1:]...)
	}
	b := automata.NewBuilder(r.Propositions, automata.GeneralizedBuchi(r.Sets+len(inSet)))
	b.Name = a.Name
	b.AddStates(len(r.Out))
	for _, s := range r.Initial {
		b.AddInitial(s)
	}
	add := func(from, to automata.State, label bdd.Function, marks automata.Marks) error {
		if label == bdd.FalseFunction {
			return f.Err()
		}
		cubes, err := f.LabelOver(label, len(r.Propositions))
		if err == nil {
			b.AddEdge(from, cubes, marks, to)
		}
		return err
	}
	words := automata.MarkWordsFor(r.Sets + len(inSet))
	c := r.Components()
	accepting := r.AcceptingComponents(c)
	for s, out := range r.Out {
		for _, e := range out {
			observed := c.Of(automata.State(s)) == c.Of(e.To) && accepting[c.Of(e.To)]
			if observed {
				e.Label = f.And(e.Label, base)
			}
			marks := make(automata.Marks, words)
			marks[0] = e.Marks
			if err := add(automata.State(s), e.To, e.Label, marks); err != nil {
				return nil, err
			}
			for i := 0; observed && i < len(inSet); i++ {
				marks := make(automata.Marks, words)
				bitset.Add(marks, r.Sets+i)
				if err := add(automata.State(s), e.To, f.And(e.Label, inSet[i]), marks); err != nil {
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

// singleState describes an automaton of one state. It returns the letters for which the state
// has an edge, and then, for each acceptance set, the letters for which it has an edge in that
// set.
func singleState(a *automata.Automaton, f *bdd.Functions) ([]bdd.Function, error) {
	if a.States() != 1 || a.Kind != automata.Plain || !a.Acceptance.IsGeneralizedBuchi() {
		return nil, ErrNotGeneralizedBuchi
	}
	labels := make([]bdd.Function, 1+a.Acceptance.Sets) // all false
	for e := range automata.Edge(a.Edges()) {
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
//
// For example, G F p1 & … & G F pn has one state, and a loop for each of the 2^n valuations, as each
// is in other sets. Spread, it has n + 1 loops: one for every letter in no set, and one labelled pi
// in set i. Where p1 and p2 hold, the run takes the loop of set 1 this time and that of set 2 the
// next time.
func SpreadMarks(ctx context.Context, a *automata.Automaton, above int) (*automata.Automaton, error) {
	return Transform(ctx, a, func(_ context.Context, r *Reducible) error {
		for s := range r.Out {
			r.spread(automata.State(s), above)
		}
		return r.Functions.Err()
	})
}

// spread spreads marks over the edges of s, as SpreadMarks describes.
func (r *Reducible) spread(s automata.State, above int) {
	var changed []Link
	for rest := r.Out[s]; len(rest) > 0; { // sorted by destination
		n := 1
		for n < len(rest) && rest[n].To == rest[0].To {
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
	r.Out[s] = changed
	r.Merge(s)
}

// spreadParallel replaces parallel edges: one for the label of any of them, without
// regard to sets, and one for each set, those with the same label being one.
func (r *Reducible) spreadParallel(parallel []Link) []Link {
	f := r.Functions
	either := bdd.FalseFunction
	inSet := make([]bdd.Function, r.Sets) // all false
	for _, e := range parallel {
		either = f.Or(either, e.Label)
		for marks := e.Marks; marks != 0; marks &= marks - 1 {
			i := bits.TrailingZeros64(marks)
			inSet[i] = f.Or(inSet[i], e.Label)
		}
	}
	fewer := []Link{{parallel[0].To, 0, either}}
	for i, label := range inSet {
		found := label == bdd.FalseFunction
		for j := range fewer {
			if !found && fewer[j].Label == label {
				fewer[j].Marks |= 1 << i
				found = true
			}
		}
		if !found {
			fewer = append(fewer, Link{parallel[0].To, 1 << i, label})
		}
	}
	return fewer
}

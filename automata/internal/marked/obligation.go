package marked

import (
	"context"
	"errors"
	"slices"

	"pnmc/automata"
	"pnmc/automata/bdd"
)

// ErrTooManyStates means that a construction reached the limit on states that it was
// given.
var ErrTooManyStates = errors.New("too many states")

// MinimizeObligation returns the minimal deterministic weak automaton for the language
// of a, if that language is an obligation property. Otherwise the result is for
// another language: the caller must compare the two before it uses it.
//
// A subset construction without regard to acceptance gives the structure. A component accepts if
// a does so for the word of one of its cycles ("Mechanizing the powerset construction for
// restricted classes of ω-automata", Dax, Eisinger, Klaedtke, 2007). Then states are merged as in
// finite automata, after colouring components as in "Efficient minimization of deterministic weak
// ω-automata" (Löding, 2001). See Subsets for why one cycle is enough. The error is
// ErrTooManyStates for more than limit subsets.
func MinimizeObligation(ctx context.Context, a *automata.Automaton, limit int) (*automata.Automaton, error) {
	return withoutLongLabels(ctx, a, func(ctx context.Context, r *Reducible) error {
		r.Prune()
		p, err := NewSubsets(ctx, r, limit)
		if err != nil {
			return err
		}
		p.Accept()
		p.Deterministic.Prune()
		*r = *p.Deterministic
		return r.MergeWeak()
	})
}

// MergeWeak minimizes a deterministic weak automaton with one acceptance set of
// which every state has an accepting run.
func (r *Reducible) MergeWeak() error {
	colours := r.weakColours()
	p := newPartition(r.predecessors(), slices.Clone(colours), 2)
	if err := p.refine(r.context(), &steps{Reducible: r, class: p.class}); err != nil {
		return err
	}
	class, count := p.inOrder()
	kept, leader := make([]bool, len(class)), make([]automata.State, 0, count) // the first state of each class
	for s, c := range class {
		if int(c) == len(leader) {
			leader = append(leader, automata.State(s))
			kept[s] = true
		}
	}
	for s := range r.Out {
		for i := range r.Out[s] {
			r.Out[s][i].Marks = uint64(1 - colours[s])
			r.Out[s][i].To = leader[class[r.Out[s][i].To]]
		}
	}
	for i, s := range r.Initial {
		r.Initial[i] = leader[class[s]]
	}
	r.Keep(kept)
	r.Prune()
	return r.Functions.Err()
}

// steps are signatures of the states of a deterministic automaton, without marks, among the
// functions of its labels.
type steps struct {
	*Reducible
	class []uint32
	list  []bdd.Function // room
}

// crowded reports false: signatures are functions among those of the labels, which are needed.
func (t *steps) crowded() bool { return false }

// err returns the error of the functions of the labels, which signatures are among.
func (t *steps) err() error { return t.Functions.Err() }

// sign returns the function that is true of a letter and the class of the state that the letter
// leads to.
func (t *steps) sign(s automata.State) bdd.Function {
	f, n := t.Functions, len(t.Propositions)
	t.list = t.list[:0]
	for _, e := range t.Out[s] {
		t.list = append(t.list, f.And(e.Label, f.Proposition(n+int(t.class[e.To]))))
	}
	return f.Any(t.list...)
}

// weakColours returns a colour for each state: 0 if it is to count as accepting, 1 if not. A state on
// no cycle may be either, as a run visits it once, and gets what merges most.
//
// Components get levels, the last ones first: even if they accept, odd if they reject, each as high
// as its successors' levels allow. A component without a cycle takes the least level of its
// successors, whatever its parity. The colour is the level's parity. For example, let an initial
// state that is on no cycle lead to an accepting component only. It gets that component's level, so
// that it is accepting too and can be merged with a state there that does the same.
func (r *Reducible) weakColours() []uint32 {
	c := r.Components()
	accepting := r.AcceptingComponents(c)
	level := make([]int, c.Count())
	for n := range level {
		least, cyclic := 2*c.Count()+2, false
		for _, s := range c.States(automata.Component(n)) {
			for _, e := range r.Out[s] {
				if to := c.Of(e.To); to != automata.Component(n) {
					least = min(least, level[to])
				} else {
					cyclic = true
				}
			}
		}
		if cyclic && (least%2 == 0) != accepting[n] {
			least--
		}
		level[n] = least
	}
	colours := make([]uint32, len(r.Out))
	for s := range colours {
		colours[s] = uint32(level[c.Of(automata.State(s))] % 2)
	}
	return colours
}

// ComplementWeak returns an automaton for the words that a does not accept, where a is
// deterministic and weak with at most one acceptance set. One state is added for the letters that a
// does not read, and components that accept and those that reject change places. It remains weak, so
// that it needs one set, where Complement's result for other deterministic automata needs a
// disjunction. The error is ErrTooManySets, that of the functions or of the context.
func ComplementWeak(ctx context.Context, a *automata.Automaton) (*automata.Automaton, error) {
	return withoutLongLabels(ctx, a, func(_ context.Context, r *Reducible) error {
		if r.Sets > 1 {
			return ErrTooManySets
		}
		f := r.Functions
		sink := automata.State(len(r.Out))
		r.Out = append(r.Out, []Link{{sink, 1, bdd.TrueFunction}})
		c := r.Components()
		accepting := r.AcceptingComponents(c)
		for s := range sink {
			var read []bdd.Function
			for i, e := range r.Out[s] {
				read = append(read, e.Label)
				r.Out[s][i].Marks = 0
				if !accepting[c.Of(s)] {
					r.Out[s][i].Marks = 1
				}
			}
			r.Out[s] = append(r.Out[s], Link{sink, 1, f.Not(f.Any(read...))})
			r.Merge(s)
		}
		r.Sets = 1
		return f.Err()
	})
}

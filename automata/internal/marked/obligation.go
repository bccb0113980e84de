package marked

import (
	"context"
	"errors"
	"slices"

	"pnmc/automata"
	"pnmc/automata/bdd"
)

// ErrTooManyStates tells that a construction reached the limit on states that it
// was given.
var ErrTooManyStates = errors.New("too many states")

// MinimizeObligation is the minimal deterministic weak automaton for the language
// of a, if that language is an obligation property. Otherwise the result is for
// another language, which IsObligation finds out.
//
// A subset construction without regard to acceptance gives the structure; a
// component accepts if a does so for the word of one of its cycles ("Mechanizing
// the powerset construction for restricted classes of ω-automata", Dax, Eisinger,
// Klaedtke, 2007); then states are merged as in finite automata, after colouring
// components as in "Efficient minimization of deterministic weak ω-automata"
// (Löding, 2001). ErrTooManyStates tells of more than limit subsets.
func MinimizeObligation(ctx context.Context, a *automata.Automaton, limit int) (*automata.Automaton, error) {
	return Transform(ctx, a, func(ctx context.Context, r *Reducible) error {
		r.Prune()
		p, err := NewSubsets(ctx, r, limit)
		if err != nil {
			return err
		}
		p.Accept()
		p.Deterministic.Prune()
		*r = *p.Deterministic
		r.MergeWeak()
		return r.Functions.Err()
	})
}

// MergeWeak minimizes a deterministic weak automaton with one acceptance set of
// which every state has an accepting run.
func (r *Reducible) MergeWeak() {
	f, n := r.Functions, len(r.Propositions)
	colours, used := r.weakColours()
	class, classes := slices.Clone(colours), used
	type signature struct {
		class automata.State
		steps bdd.Function
	}
	number, next := map[signature]automata.State{}, make([]automata.State, len(class))
	var steps []bdd.Function
	for {
		clear(number)
		for s, out := range r.Out {
			steps = steps[:0]
			for _, e := range out {
				steps = append(steps, f.And(e.Label, f.Proposition(n+int(class[e.To]))))
			}
			key := signature{class[s], f.Any(steps...)}
			if _, known := number[key]; !known {
				number[key] = automata.State(len(number))
			}
			next[s] = number[key]
		}
		class, next = next, class
		if len(number) == classes || f.Err() != nil {
			break
		}
		classes = len(number)
	}
	kept, leader := make([]bool, len(class)), make([]automata.State, len(class)) // the first state of each class
	for s := len(class) - 1; s >= 0; s-- {
		leader[class[s]] = automata.State(s)
	}
	for s := range r.Out {
		for i := range r.Out[s] {
			r.Out[s][i].Marks = uint64(1 - colours[s])
			r.Out[s][i].To = leader[class[r.Out[s][i].To]]
		}
		kept[s] = leader[class[s]] == automata.State(s)
	}
	for i, s := range r.Initial {
		r.Initial[i] = leader[class[s]]
	}
	r.Keep(kept)
	r.Prune()
}

// weakColours gives each state 0 if it is to count as accepting, 1 if not, and
// the number of colours in use. Components on no cycle may be either and get what
// merges most: components are numbered against the edges with the least number
// of their successors, or one less where parity, even for accepting, asks.
func (r *Reducible) weakColours() ([]automata.State, int) {
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
	colours := make([]automata.State, len(r.Out))
	used := map[automata.State]bool{}
	for s := range colours {
		colours[s] = automata.State(level[c.Of(automata.State(s))] % 2)
		used[colours[s]] = true
	}
	return colours, len(used)
}

// ComplementWeak accepts the words that a does not, where a is deterministic and
// weak with at most one acceptance set: one state is added for the letters that a
// does not read, and acceptance is swapped.
func ComplementWeak(ctx context.Context, a *automata.Automaton) (*automata.Automaton, error) {
	return Transform(ctx, a, func(_ context.Context, r *Reducible) error {
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

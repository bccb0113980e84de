package automata

import (
	"context"
	"errors"
	"slices"
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
func MinimizeObligation(ctx context.Context, a *Automaton, limit int) (*Automaton, error) {
	return transform(ctx, a, func(ctx context.Context, r *reducible) error {
		r.prune()
		p, err := newSubsets(ctx, r, limit)
		if err != nil {
			return err
		}
		p.accept()
		p.deterministic.prune()
		*r = *p.deterministic
		r.mergeWeak()
		return r.functions.Err()
	})
}

// mergeWeak minimizes a deterministic weak automaton with one acceptance set of
// which every state has an accepting run.
func (r *reducible) mergeWeak() {
	f, n := r.functions, len(r.propositions)
	colours, used := r.weakColours()
	class, classes := slices.Clone(colours), used
	type signature struct {
		class State
		steps Function
	}
	number, next := map[signature]State{}, make([]State, len(class))
	var steps []Function
	for {
		clear(number)
		for s, out := range r.out {
			steps = steps[:0]
			for _, e := range out {
				steps = append(steps, f.And(e.label, f.Proposition(n+int(class[e.to]))))
			}
			key := signature{class[s], f.Any(steps...)}
			if _, known := number[key]; !known {
				number[key] = State(len(number))
			}
			next[s] = number[key]
		}
		class, next = next, class
		if len(number) == classes || f.Err() != nil {
			break
		}
		classes = len(number)
	}
	kept, leader := make([]bool, len(class)), make([]State, len(class)) // the first state of each class
	for s := len(class) - 1; s >= 0; s-- {
		leader[class[s]] = State(s)
	}
	for s := range r.out {
		for i := range r.out[s] {
			r.out[s][i].marks = uint64(1 - colours[s])
			r.out[s][i].to = leader[class[r.out[s][i].to]]
		}
		kept[s] = leader[class[s]] == State(s)
	}
	for i, s := range r.initial {
		r.initial[i] = leader[class[s]]
	}
	r.keep(kept)
	r.prune()
}

// weakColours gives each state 0 if it is to count as accepting, 1 if not, and
// the number of colours in use. Components on no cycle may be either and get what
// merges most: components are numbered against the edges with the least number
// of their successors, or one less where parity, even for accepting, asks.
func (r *reducible) weakColours() ([]State, int) {
	c := r.components()
	accepting := r.acceptingComponents(c)
	level := make([]int, c.Count())
	for n := range level {
		least, cyclic := 2*c.Count()+2, false
		for _, s := range c.States(Component(n)) {
			for _, e := range r.out[s] {
				if to := c.Of(e.to); to != Component(n) {
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
	colours := make([]State, len(r.out))
	used := map[State]bool{}
	for s := range colours {
		colours[s] = State(level[c.Of(State(s))] % 2)
		used[colours[s]] = true
	}
	return colours, len(used)
}

// ComplementWeak accepts the words that a does not, where a is deterministic and
// weak with at most one acceptance set: one state is added for the letters that a
// does not read, and acceptance is swapped.
func ComplementWeak(ctx context.Context, a *Automaton) (*Automaton, error) {
	return transform(ctx, a, func(_ context.Context, r *reducible) error {
		if r.sets > 1 {
			return ErrTooManySets
		}
		f := r.functions
		sink := State(len(r.out))
		r.out = append(r.out, []link{{sink, 1, TrueFunction}})
		c := r.components()
		accepting := r.acceptingComponents(c)
		for s := range sink {
			var read []Function
			for i, e := range r.out[s] {
				read = append(read, e.label)
				r.out[s][i].marks = 0
				if !accepting[c.Of(s)] {
					r.out[s][i].marks = 1
				}
			}
			r.out[s] = append(r.out[s], link{sink, 1, f.Not(f.Any(read...))})
			r.merge(s)
		}
		r.sets = 1
		return f.Err()
	})
}

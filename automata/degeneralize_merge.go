package automata

import (
	"context"
	"slices"
)

// backwardEdges is the number of edges up to which states are merged backwards: where
// many edges with different labels enter each state, their disjunctions are large.
const backwardEdges = 1 << 13

// mergeStateBased merges states of a Büchi automaton whose marks are those of
// states, as long as there are any that simulate each other forwards or
// backwards. The marks of states on no cycle do not matter; they become those of
// a state with which that allows to merge them.
func (r *reducible) mergeStateBased(ctx context.Context) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		states, edges := len(r.out), r.edges()
		r.borrowMarks()
		if err := r.quotient(similar, false); err != nil {
			return err
		}
		r.pruneStateBased()
		if r.edges() <= backwardEdges {
			if err := r.mergeBackwards(); err != nil {
				return err
			}
			r.pruneStateBased()
		}
		if len(r.out) == states && r.edges() >= edges {
			return nil
		}
	}
}

// mergeBackwards merges states that simulate each other backwards: what leads to
// one leads to the other, from an initial state, with the same labels and past
// accepting states where the other is past them. It is the forward quotient of
// the automaton turned round, where a root after all initial states tells them
// from others, and a state's marks are on the edges that enter it.
func (r *reducible) mergeBackwards() error {
	root := State(len(r.out))
	back := &reducible{propositions: r.propositions, functions: r.functions, sets: r.sets, initial: []State{root}, out: make([][]link, len(r.out)+1)}
	own := func(s State) uint64 {
		if len(r.out[s]) == 0 {
			return 0
		}
		return r.out[s][0].marks
	}
	for s, out := range r.out {
		for _, e := range out {
			back.out[e.to] = append(back.out[e.to], link{State(s), own(e.to), e.label})
		}
	}
	for _, s := range r.initial {
		back.out[s] = append(back.out[s], link{root, own(s), TrueFunction})
	}
	if err := back.quotient(similar, true); err != nil {
		return err
	}
	root = back.initial[0]
	accepting := make([]uint64, len(back.out))
	out := make([][]link, len(back.out))
	r.initial = nil
	for s, edges := range back.out {
		for _, e := range edges {
			accepting[s] = e.marks
			if e.to == root {
				r.initial = append(r.initial, State(s))
			} else {
				out[e.to] = append(out[e.to], link{State(s), 0, e.label})
			}
		}
	}
	for s := range out {
		for i := range out[s] {
			out[s][i].marks = accepting[s]
		}
	}
	r.out = out
	keep := slices.Repeat([]bool{true}, len(out))
	keep[root] = false
	r.keep(keep)
	return r.functions.Err()
}

// mergeRooted sets the initial state apart from its further visits, where it has
// any, and merges backwards: states that the same edges enter become one then,
// which before differed in being initial. If that is of no use, merging forwards
// makes the initial state one again.
func (r *reducible) mergeRooted(ctx context.Context) error {
	if len(r.initial) == 1 {
		root := State(len(r.out))
		r.out = append(r.out, slices.Clone(r.out[r.initial[0]]))
		r.initial[0] = root
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		states := len(r.out)
		r.borrowMarksBackwards()
		if err := r.mergeBackwards(); err != nil {
			return err
		}
		r.pruneStateBased()
		if len(r.out) == states {
			return nil
		}
	}
}

// borrowMarksBackwards gives states on no cycle the marks of another state that
// the same edges enter.
func (r *reducible) borrowMarksBackwards() {
	c := r.components()
	before := make([][]link, len(r.out))
	cyclic := make([]bool, len(r.out))
	for s, out := range r.out {
		for _, e := range out {
			before[e.to] = append(before[e.to], link{State(s), 0, e.label})
			cyclic[s] = cyclic[s] || c.Of(e.to) == c.Of(State(s))
		}
	}
	for s, out := range r.out {
		if cyclic[s] || len(out) == 0 || slices.Contains(r.initial, State(s)) {
			continue
		}
		for t, others := range r.out {
			if t != s && len(others) > 0 && others[0].marks != 0 && slices.Equal(before[s], before[t]) {
				for i := range out {
					out[i].marks = others[0].marks
				}
				break
			}
		}
	}
}

// pruneStateBased is prune for automata whose marks are those of states: what it
// clears on single edges is put back.
func (r *reducible) pruneStateBased() {
	r.prune()
	c := r.components()
	for s := range r.out {
		union := uint64(0)
		for _, e := range r.out[s] {
			if c.Of(e.to) == c.Of(State(s)) {
				union |= e.marks
			}
		}
		for i := range r.out[s] {
			r.out[s][i].marks = union
		}
		r.merge(State(s))
	}
}

// borrowMarks gives states on no cycle the marks of another state with the same
// edges.
func (r *reducible) borrowMarks() {
	c := r.components()
	cyclic := func(s State) bool {
		return slices.ContainsFunc(r.out[s], func(e link) bool { return c.Of(e.to) == c.Of(s) })
	}
	same := func(s, t State) bool {
		return slices.EqualFunc(r.out[s], r.out[t], func(e, f link) bool { return e.to == f.to && e.label == f.label })
	}
	for s := range r.out {
		if cyclic(State(s)) || len(r.out[s]) == 0 {
			continue
		}
		for t := range r.out {
			if t != s && len(r.out[t]) > 0 && r.out[t][0].marks != 0 && same(State(s), State(t)) {
				for i := range r.out[s] {
					r.out[s][i].marks = r.out[t][0].marks
				}
				break
			}
		}
	}
}

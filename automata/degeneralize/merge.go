package degeneralize

import (
	"context"
	"encoding/binary"
	"slices"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/internal/marked"
)

// backwardEdges is the number of edges up to which states are merged backwards: where
// many edges with different labels enter each state, their disjunctions are large.
const backwardEdges = 1 << 13

// mergeStateBased merges states of a Büchi automaton whose marks are those of
// states, as long as there are any that simulate each other forwards or
// backwards. The marks of states on no cycle do not matter: a run visits them once. They become
// those of a state that it can be merged with then.
//
// For example, an initial state i on no cycle has the same edges as an accepting state s. A
// reduction that compares marks tells them apart, as s accepts and i does not. Once i has the marks
// of s, they are one state.
//
// Each round merges a state or drops an edge, or is the last.
func mergeStateBased(r *marked.Reducible, ctx context.Context) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		states, edges := len(r.Out), r.Edges()
		borrowMarks(r)
		if err := r.Quotient(marked.Similar, false); err != nil {
			return err
		}
		pruneStateBased(r)
		if r.Edges() <= backwardEdges {
			if err := mergeBackwards(r); err != nil {
				return err
			}
			pruneStateBased(r)
		}
		if len(r.Out) == states && r.Edges() >= edges {
			return nil
		}
	}
}

// mergeBackwards merges states that simulate each other backwards. That is, each way from an
// initial state to one of them is matched by a way to the other, with the same labels, which goes
// through accepting states wherever the first one does. It is the forward quotient of the
// automaton turned round. In the turned automaton, each initial state has an edge to a root, so
// that it differs from the others. A state's marks are on the edges that leave it there, which
// are those that enter it here.
func mergeBackwards(r *marked.Reducible) error {
	root := automata.State(len(r.Out))
	back := &marked.Reducible{Propositions: r.Propositions, Functions: r.Functions, Initial: []automata.State{root}, Graph: marked.Graph{Sets: r.Sets, Out: make([][]marked.Link, len(r.Out)+1)}}
	own := func(s automata.State) uint64 {
		if len(r.Out[s]) == 0 {
			return 0
		}
		return r.Out[s][0].Marks
	}
	for s, out := range r.Out {
		for _, e := range out {
			back.Out[e.To] = append(back.Out[e.To], marked.Link{To: automata.State(s), Marks: own(e.To), Label: e.Label})
		}
	}
	for _, s := range r.Initial {
		back.Out[s] = append(back.Out[s], marked.Link{To: root, Marks: own(s), Label: bdd.TrueFunction})
	}
	if err := back.Quotient(marked.Similar, true); err != nil {
		return err
	}
	root = back.Initial[0]
	accepting := make([]uint64, len(back.Out))
	out := make([][]marked.Link, len(back.Out))
	r.Initial = nil
	for s, edges := range back.Out {
		for _, e := range edges {
			accepting[s] = e.Marks
			if e.To == root {
				r.Initial = append(r.Initial, automata.State(s))
			} else {
				out[e.To] = append(out[e.To], marked.Link{To: automata.State(s), Marks: 0, Label: e.Label})
			}
		}
	}
	for s := range out {
		for i := range out[s] {
			out[s][i].Marks = accepting[s]
		}
	}
	r.Out = out
	keep := slices.Repeat([]bool{true}, len(out))
	keep[root] = false
	r.Keep(keep)
	return r.Functions.Err()
}

// mergeRooted sets the initial state apart from its further visits, where it has
// any, and merges backwards: states that the same edges enter become one then,
// which before differed in being initial. If that is of no use, merging forwards
// makes the initial state one again.
func mergeRooted(r *marked.Reducible, ctx context.Context) error {
	if len(r.Initial) == 1 {
		root := automata.State(len(r.Out))
		r.Out = append(r.Out, slices.Clone(r.Out[r.Initial[0]]))
		r.Initial[0] = root
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		states := len(r.Out)
		borrowMarksBackwards(r)
		if err := mergeBackwards(r); err != nil {
			return err
		}
		pruneStateBased(r)
		if len(r.Out) == states {
			return nil
		}
	}
}

// borrowMarksBackwards gives states on no cycle the marks of another state that
// the same edges enter.
func borrowMarksBackwards(r *marked.Reducible) {
	c := r.Components()
	before := make([][]marked.Link, len(r.Out))
	cyclic := make([]bool, len(r.Out))
	for s, out := range r.Out {
		for _, e := range out {
			before[e.To] = append(before[e.To], marked.Link{To: automata.State(s), Marks: 0, Label: e.Label})
			cyclic[s] = cyclic[s] || c.Of(e.To) == c.Of(automata.State(s))
		}
	}
	for _, s := range r.Initial {
		cyclic[s] = true // no other can stand for it
	}
	borrow(r, before, func(s automata.State) bool { return !cyclic[s] })
}

// borrow gives each state that wants them the marks of another state with the same links, the
// first one that has marks. Links are edges into a state or out of it; how they are marked does not
// count. A state has the same marks on all edges. It looks at each edge a few times: states with the
// same links are found by a map, not compared in pairs.
func borrow(r *marked.Reducible, links [][]marked.Link, wants func(automata.State) bool) {
	groups := map[string][]automata.State{}
	var text []byte
	for s, list := range links {
		if len(r.Out[s]) == 0 {
			continue
		}
		text = text[:0]
		for _, e := range list {
			text = binary.LittleEndian.AppendUint32(text, uint32(e.To))
			text = binary.LittleEndian.AppendUint32(text, uint32(e.Label))
		}
		groups[string(text)] = append(groups[string(text)], automata.State(s))
	}
	has := func(s automata.State) bool { return r.Out[s][0].Marks != 0 }
	for _, states := range groups {
		first := slices.IndexFunc(states, has)
		for i, s := range states {
			if first < 0 {
				break
			}
			from := first
			if i == first { // which it is once
				if from = slices.IndexFunc(states[i+1:], has); from >= 0 {
					from += i + 1
				}
			}
			if from < 0 || !wants(s) {
				continue
			}
			for e := range r.Out[s] {
				r.Out[s][e].Marks = r.Out[states[from]][0].Marks
			}
			first = min(first, i)
		}
	}
}

// pruneStateBased prunes an automaton whose marks are those of states. Prune clears marks on
// single edges. Here a state that keeps marks on one edge inside its component gets them back
// on all its edges.
func pruneStateBased(r *marked.Reducible) {
	r.Prune()
	c := r.Components()
	for s := range r.Out {
		union := uint64(0)
		for _, e := range r.Out[s] {
			if c.Of(e.To) == c.Of(automata.State(s)) {
				union |= e.Marks
			}
		}
		for i := range r.Out[s] {
			r.Out[s][i].Marks = union
		}
		r.Merge(automata.State(s))
	}
}

// borrowMarks gives states on no cycle the marks of another state with the same
// edges.
func borrowMarks(r *marked.Reducible) {
	c := r.Components()
	borrow(r, r.Out, func(s automata.State) bool {
		return !slices.ContainsFunc(r.Out[s], func(e marked.Link) bool { return c.Of(e.To) == c.Of(s) })
	})
}

package automata

import (
	"context"
	"errors"
	"math/bits"
	"slices"
)

// ErrNotGeneralizedBuchi tells that an algorithm for plain automata with
// generalized Büchi acceptance was given another one.
var ErrNotGeneralizedBuchi = errors.New("not a plain automaton with generalized Büchi acceptance")

// ErrTooManySets tells that an algorithm that holds marks in one word was given
// an automaton of more than 64 acceptance sets.
var ErrTooManySets = errors.New("more than 64 acceptance sets")

// reducible is a generalized Büchi automaton that reductions change. Labels are
// Boolean functions; the edges of a state differ in destination or marks, and
// their labels are not false.
type reducible struct {
	propositions []string
	functions    *Functions
	sets         int
	initial      []State
	out          [][]link
}

// link is an edge out of the state that holds it.
type link struct {
	to    State
	marks uint64
	label Function
}

// reducibleNodes limits the decision diagrams of one automaton's labels, and
// reducibleStates the states for which they have a variable each.
const (
	reducibleNodes  = 1 << 22
	reducibleStates = 1 << 24
)

// newReducible copies a, a plain generalized Büchi automaton, for operations that end with
// ctx. Variables above the propositions stand for states in a subset construction.
func newReducible(ctx context.Context, a *Automaton) (*reducible, error) {
	switch {
	case a.Kind != Plain || !a.Acceptance.IsGeneralizedBuchi():
		return nil, ErrNotGeneralizedBuchi
	case a.Acceptance.Sets > 64:
		return nil, ErrTooManySets
	}
	n := len(a.Propositions) // variables above stand for states
	f := NewFunctions(n+reducibleStates, reducibleNodes)
	f.Watch(ctx)
	return reducibleOver(f, a)
}

// reducibleOver copies a, whose acceptance is generalized Büchi of at most 64 sets and
// whose propositions are those of the functions.
func reducibleOver(f *Functions, a *Automaton) (*reducible, error) {
	r := &reducible{
		propositions: a.Propositions,
		functions:    f,
		sets:         a.Acceptance.Sets,
		initial:      slices.Clone(a.Initial()),
		out:          make([][]link, a.States()),
	}
	for s := range r.out {
		first, end := a.Out(State(s))
		for e := first; e < end; e++ {
			r.out[s] = append(r.out[s], link{a.Destination(e), a.Marks(e)[0], r.functions.OfEdge(a, e)})
		}
		r.merge(State(s))
	}
	return r, r.functions.Err()
}

// all is the set of all acceptance sets.
func (r *reducible) all() uint64 {
	if r.sets == 64 {
		return ^uint64(0)
	}
	return 1<<r.sets - 1
}

// edges is the number of edges.
func (r *reducible) edges() int {
	n := 0
	for _, out := range r.out {
		n += len(out)
	}
	return n
}

// merge makes one edge of those of s that agree in destination and marks, drops
// those never taken, and sorts the rest.
func (r *reducible) merge(s State) {
	out := r.out[s]
	slices.SortFunc(out, func(e, f link) int {
		switch {
		case e.to != f.to:
			return int(e.to) - int(f.to)
		case e.marks < f.marks:
			return -1
		case e.marks > f.marks:
			return 1
		}
		return 0
	})
	merged := out[:0]
	var labels []Function
	for i := 0; i < len(out); i += len(labels) {
		e := out[i]
		labels = labels[:0]
		for j := i; j < len(out) && out[j].to == e.to && out[j].marks == e.marks; j++ {
			labels = append(labels, out[j].label)
		}
		if e.label = r.functions.Any(labels...); e.label != FalseFunction {
			merged = append(merged, e)
		}
	}
	r.out[s] = merged
}

// components are the strongly connected components of r.
func (r *reducible) components() *Components {
	start := make([]uint32, 1, len(r.out)+1)
	var destination []State
	for _, out := range r.out {
		for _, e := range out {
			destination = append(destination, e.to)
		}
		start = append(start, uint32(len(destination)))
	}
	return ComponentsOf(start, destination)
}

// automaton is r as an immutable automaton.
func (r *reducible) automaton() (*Automaton, error) {
	b := NewBuilder(r.propositions, GeneralizedBuchi(r.sets))
	b.Within(r.functions.ctx)
	b.AddStates(len(r.out))
	for _, s := range r.initial {
		b.AddInitial(s)
	}
	for s, out := range r.out {
		for _, e := range out {
			label, err := r.functions.LabelOver(e.label, len(r.propositions))
			if err != nil {
				return nil, err
			}
			b.AddEdge(State(s), label, Marks{e.marks}, e.to)
		}
	}
	if err := r.functions.Err(); err != nil {
		return nil, err
	}
	return b.Build()
}

// keep renumbers the states that are kept, in order, and drops the others with
// their edges. The initial states that are dropped are no longer initial.
func (r *reducible) keep(kept []bool) {
	number := make([]State, len(r.out))
	n := State(0)
	for s, k := range kept {
		if k {
			number[s] = n
			n++
		}
	}
	r.renumber(kept, number, int(n))
}

// renumber moves the kept states to their numbers, below n, and drops edges to
// others.
func (r *reducible) renumber(kept []bool, number []State, n int) {
	out := make([][]link, n)
	for s, edges := range r.out {
		if !kept[s] {
			continue
		}
		rest := edges[:0]
		for _, e := range edges {
			if kept[e.to] {
				e.to = number[e.to]
				rest = append(rest, e)
			}
		}
		out[number[s]] = rest
	}
	initial := r.initial[:0]
	for _, s := range r.initial {
		if kept[s] && !slices.Contains(initial, number[s]) {
			initial = append(initial, number[s])
		}
	}
	r.out, r.initial = out, initial
	for s := range r.out {
		r.merge(State(s))
	}
}

// transform applies a change to a copy of a.
func transform(ctx context.Context, a *Automaton, change func(context.Context, *reducible) error) (*Automaton, error) {
	r, err := newReducible(ctx, a)
	if err != nil {
		return nil, err
	}
	if err := change(ctx, r); err != nil {
		return nil, err
	}
	changed, err := r.automaton()
	if err != nil {
		return nil, err
	}
	changed.Name = a.Name
	return changed, nil
}

// members lists the sets in marks.
func members(marks uint64) []int {
	var list []int
	for ; marks != 0; marks &= marks - 1 {
		list = append(list, bits.TrailingZeros64(marks))
	}
	return list
}

// move is an edge of the automaton that matches the valuation of a node.
type move struct {
	to    State
	marks uint64
}

package marked

import (
	"context"
	"errors"
	"math/bits"
	"slices"

	"pnmc/automata"
	"pnmc/automata/bdd"
)

// ErrNotGeneralizedBuchi means that an algorithm for plain automata with generalized
// Büchi acceptance was given another one.
var ErrNotGeneralizedBuchi = errors.New("not a plain automaton with generalized Büchi acceptance")

// ErrTooManySets means that an algorithm that holds marks in one word was given an
// automaton of more than 64 acceptance sets.
var ErrTooManySets = errors.New("more than 64 acceptance sets")

// Reducible is a generalized Büchi automaton that reductions change. Labels are
// Boolean functions; the edges of a state differ in destination or marks, and
// their labels are not false.
//
// Marks are bits: bit i is set if the edge is in set i, so that there are 64 sets at most. A change
// may leave edges of a state that agree in destination and marks, or are never taken, and then has
// to call Merge. The functions end with an error at their limit; whoever makes labels looks at
// Functions.Err before the result is used, and Automaton does so in any case.
type Reducible struct {
	Propositions []string
	Functions    *bdd.Functions
	Initial      []automata.State
	Graph

	most int                   // cubes of a label of the automaton that it becomes, or 0: any number
	long map[bdd.Function]bool // of functions that isLong was asked of
}

// A Graph is states and marked edges, which is all that components and accepting cycles are about.
type Graph struct {
	Sets int
	Out  [][]Link
}

// Link is an edge out of the state that holds it.
type Link struct {
	To    automata.State
	Marks uint64
	Label bdd.Function
}

// reducibleNodes limits the decision diagrams of one automaton's labels. Tests lower it.
var reducibleNodes = 1 << 22

// reducibleStates limits the states for which they have a variable each.
const reducibleStates = 1 << 24

// NewReducible copies a, a plain generalized Büchi automaton, for operations that end with
// ctx. Variables above the propositions stand for states in a subset construction.
func NewReducible(ctx context.Context, a *automata.Automaton) (*Reducible, error) {
	switch {
	case a.Kind != automata.Plain || !a.Acceptance.IsGeneralizedBuchi():
		return nil, ErrNotGeneralizedBuchi
	case a.Acceptance.Sets > 64:
		return nil, ErrTooManySets
	}
	n := len(a.Propositions) // variables above stand for states
	f := bdd.New(n+reducibleStates, reducibleNodes)
	f.Watch(ctx)
	return ReducibleOver(f, a)
}

// ReducibleOver copies a, whose acceptance is generalized Büchi of at most 64 sets and
// whose propositions are those of the functions.
func ReducibleOver(f *bdd.Functions, a *automata.Automaton) (*Reducible, error) {
	r := &Reducible{
		Propositions: a.Propositions,
		Functions:    f,
		Initial:      slices.Clone(a.Initial()),
		Graph:        Graph{a.Acceptance.Sets, make([][]Link, a.States())},
	}
	for s := range r.Out {
		first, end := a.Out(automata.State(s))
		for e := first; e < end; e++ {
			r.Out[s] = append(r.Out[s], Link{a.Destination(e), a.Marks(e)[0], r.Functions.OfEdge(a, e)})
			if err := r.Functions.Err(); err != nil {
				return nil, err
			}
		}
		r.Merge(automata.State(s))
	}
	return r, r.Functions.Err()
}

// All returns the set of all acceptance sets.
func (g *Graph) All() uint64 {
	if g.Sets == 64 {
		return ^uint64(0)
	}
	return 1<<g.Sets - 1
}

// context returns what the functions watch, or the background.
func (r *Reducible) context() context.Context {
	if r.Functions.Ctx == nil {
		return context.Background()
	}
	return r.Functions.Ctx
}

// Edges returns the number of edges.
func (g *Graph) Edges() int {
	n := 0
	for _, out := range g.Out {
		n += len(out)
	}
	return n
}

// Merge makes one edge of those of s that agree in destination and marks, drops
// those never taken, and sorts the rest.
//
// For example, of two edges to state 3 in no set, which read a and !a, it makes one that reads
// everything.
func (r *Reducible) Merge(s automata.State) {
	out := r.Out[s]
	slices.SortFunc(out, func(e, f Link) int {
		switch {
		case e.To != f.To:
			return int(e.To) - int(f.To)
		case e.Marks < f.Marks:
			return -1
		case e.Marks > f.Marks:
			return 1
		}
		return 0
	})
	merged := out[:0]
	var labels []bdd.Function
	for i := 0; i < len(out); i += len(labels) {
		e := out[i]
		labels = labels[:0]
		for j := i; j < len(out) && out[j].To == e.To && out[j].Marks == e.Marks; j++ {
			labels = append(labels, out[j].Label)
		}
		if e.Label = r.Functions.Any(labels...); e.Label != bdd.FalseFunction {
			merged = append(merged, e)
		}
	}
	r.Out[s] = merged
}

// Components returns the strongly connected components of g. Linear in states and edges.
func (g *Graph) Components() *automata.Components {
	start := make([]uint32, 1, len(g.Out)+1)
	var destination []automata.State
	for _, out := range g.Out {
		for _, e := range out {
			destination = append(destination, e.To)
		}
		start = append(start, uint32(len(destination)))
	}
	return automata.ComponentsOf(start, destination)
}

// Automaton returns r as an immutable automaton. Its labels are irredundant sums of cubes, which may
// be exponential in the propositions; the error is bdd.ErrTooLarge then, or that of the context.
func (r *Reducible) Automaton() (*automata.Automaton, error) {
	b := automata.NewBuilder(r.Propositions, automata.GeneralizedBuchi(r.Sets))
	b.Within(r.Functions.Ctx)
	b.AddStates(len(r.Out))
	for _, s := range r.Initial {
		b.AddInitial(s)
	}
	for s, out := range r.Out {
		for _, e := range out {
			label, err := r.label(e.Label)
			if err != nil {
				return nil, err
			}
			b.AddEdge(automata.State(s), label, automata.Marks{e.Marks}, e.To)
		}
	}
	if err := r.Functions.Err(); err != nil {
		return nil, err
	}
	return b.Build()
}

// label returns the label of g, or ErrTooLarge if that has too many cubes.
func (r *Reducible) label(g bdd.Function) (automata.Label, error) {
	if r.most == 0 {
		return r.Functions.LabelOver(g, len(r.Propositions))
	}
	label, err := r.Functions.LabelWithin(g, len(r.Propositions), r.most)
	if label == nil && err == nil {
		err = bdd.ErrTooLarge
	}
	return label, err
}

// isLong reports whether the label of g has many cubes.
func (r *Reducible) isLong(g bdd.Function) bool {
	long, known := r.long[g]
	if !known {
		if r.long == nil {
			r.long = map[bdd.Function]bool{}
		}
		long = r.Functions.HasManyCubes(g, len(r.Propositions))
		r.long[g] = long
	}
	return long
}

// HasLongLabels reports whether some label has many cubes.
func (r *Reducible) HasLongLabels() bool {
	return slices.ContainsFunc(r.Out, func(out []Link) bool {
		return slices.ContainsFunc(out, func(e Link) bool { return r.isLong(e.Label) })
	})
}

// LongestLabel returns the number of cubes of the label of a that has the most.
func LongestLabel(a *automata.Automaton) int {
	longest := 0
	for e := range automata.Edge(a.Edges()) {
		longest = max(longest, a.Cubes(e))
	}
	return longest
}

// withoutLongLabels applies a change to a copy of a. An error wraps bdd.ErrTooLarge if a label
// has many cubes then, and more than those of a.
func withoutLongLabels(ctx context.Context, a *automata.Automaton, change func(context.Context, *Reducible) error) (*automata.Automaton, error) {
	return Transform(ctx, a, func(ctx context.Context, r *Reducible) error {
		err := change(ctx, r)
		r.most = max(bdd.ManyCubes, LongestLabel(a))
		return err
	})
}

// Keep renumbers the states that are kept, in order, and drops the others with
// their edges. The initial states that are dropped are no longer initial.
func (r *Reducible) Keep(kept []bool) {
	number := make([]automata.State, len(r.Out))
	n := automata.State(0)
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
func (r *Reducible) renumber(kept []bool, number []automata.State, n int) {
	out := make([][]Link, n)
	for s, edges := range r.Out {
		if !kept[s] {
			continue
		}
		rest := edges[:0]
		for _, e := range edges {
			if kept[e.To] {
				e.To = number[e.To]
				rest = append(rest, e)
			}
		}
		out[number[s]] = rest
	}
	initial := r.Initial[:0]
	listed := make([]bool, n)
	for _, s := range r.Initial {
		if kept[s] && !listed[number[s]] {
			listed[number[s]] = true
			initial = append(initial, number[s])
		}
	}
	r.Out, r.Initial = out, initial
	for s := range r.Out {
		r.Merge(automata.State(s))
	}
}

// Transform applies a change to a copy of a.
func Transform(ctx context.Context, a *automata.Automaton, change func(context.Context, *Reducible) error) (*automata.Automaton, error) {
	r, err := NewReducible(ctx, a)
	if err != nil {
		return nil, err
	}
	if err := change(ctx, r); err != nil {
		return nil, err
	}
	changed, err := r.Automaton()
	if err != nil {
		return nil, err
	}
	changed.Name = a.Name
	return changed, nil
}

// Members lists the sets in marks.
func Members(marks uint64) []int {
	var list []int
	for ; marks != 0; marks &= marks - 1 {
		list = append(list, bits.TrailingZeros64(marks))
	}
	return list
}

// Move is an edge of the automaton that matches the valuation of a node.
type Move struct {
	To    automata.State
	Marks uint64
}

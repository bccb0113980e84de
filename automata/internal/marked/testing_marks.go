package marked

import (
	"context"
	"slices"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/internal/account"
)

// Meaning is what the marks mean in one component.
type Meaning uint8

const (
	MarksDecide Meaning = iota // some cycles are accepted
	NoneAccepted
	AllAccepted
)

// NormalizeMarks gives equal marks to edges that accept equally. Edges that no cycle
// takes get no marks, and so do those of components where no cycle is accepted. Edges
// of components where every cycle is accepted get all marks. It returns the components
// and what marks mean in each. Linear in edges times sets; its error is that of ctx.
//
// Edges that then agree stay apart: a Graph may have no functions to merge their labels.
func (g *Graph) NormalizeMarks(ctx context.Context) (*automata.Components, []Meaning, error) {
	c := g.Components()
	accepting := g.AcceptingComponents(c)
	meanings := make([]Meaning, c.Count())
	sinks, err := newSinkRemoval(g, c, account.Of(ctx))
	if err != nil {
		return nil, nil, err
	}
	for n := range automata.Component(c.Count()) {
		all, err := accepting[n], error(nil)
		if all {
			all, err = sinks.everyCycleAccepted(n)
		}
		switch {
		case err != nil:
			return nil, nil, err
		case !accepting[n]:
			meanings[n] = NoneAccepted
		case all:
			meanings[n] = AllAccepted
		}
		for _, s := range c.States(n) {
			for i, e := range g.Out[s] {
				switch {
				case c.Of(e.To) != n || meanings[n] == NoneAccepted:
					g.Out[s][i].Marks = 0
				case meanings[n] == AllAccepted:
					g.Out[s][i].Marks = g.All()
				}
			}
		}
	}
	return c, meanings, nil
}

// NormalizeMarks normalizes the marks of the graph, and merges edges that then agree.
func (r *Reducible) NormalizeMarks(ctx context.Context) (*automata.Components, []Meaning, error) {
	c, meanings, err := r.Graph.NormalizeMarks(ctx)
	if err != nil {
		return nil, nil, err
	}
	for s := range r.Out {
		r.Merge(automata.State(s))
	}
	return c, meanings, nil
}

// sinkRemoval looks for cycles without a mark. A graph without cycles has a sink, a state without
// edges. If sinks are removed as long as there are any, such a graph loses all its states, and one
// with a cycle keeps the cycle. It is done once for each set, on the edges that are not in it: each
// cycle is accepted if and only if every time all states go. Linear in edges times sets.
type sinkRemoval struct {
	*Graph
	components *automata.Components
	start      []uint32 // of the edges inside components into each state, in before
	before     []sourceMarks
	degree     []int32 // of each state: the edges without marks that it still has
	sinks      []automata.State
	work       *account.Account
}

// removalWork is what a state takes in one removal of sinks, with its edges, in nanoseconds.
const removalWork = 64

// sourceMarks are where an edge comes from, and its marks.
type sourceMarks struct {
	from  automata.State
	marks uint64
}

// newSinkRemoval groups the edges inside components by the state that they lead to: a state that
// loses its last edge is then taken from its predecessors. It ends with the reason of work if
// there is no memory for that.
func newSinkRemoval(g *Graph, c *automata.Components, work *account.Account) (*sinkRemoval, error) {
	x := &sinkRemoval{Graph: g, components: c, work: work, start: make([]uint32, len(g.Out)+1), degree: make([]int32, len(g.Out))}
	each := func(visit func(s automata.State, e Link)) {
		for s, out := range g.Out {
			for _, e := range out {
				if c.Of(e.To) == c.Of(automata.State(s)) {
					visit(automata.State(s), e)
				}
			}
		}
	}
	each(func(_ automata.State, e Link) { x.start[e.To+1]++ })
	for s := range g.Out {
		x.start[s+1] += x.start[s]
	}
	if err := account.Room(work, x.before, int(x.start[len(g.Out)])); err != nil {
		return nil, err
	}
	x.before = make([]sourceMarks, x.start[len(g.Out)])
	next := slices.Clone(x.start)
	each(func(s automata.State, e Link) {
		x.before[next[e.To]] = sourceMarks{s, e.Marks}
		next[e.To]++
	})
	return x, nil
}

// everyCycleAccepted reports whether each cycle of component n has all marks.
func (x *sinkRemoval) everyCycleAccepted(n automata.Component) (bool, error) {
	for set := range x.Sets {
		if err := x.work.Charge(removalWork * len(x.components.States(n))); err != nil {
			return false, err
		}
		if x.cycleWithout(n, 1<<set) {
			return false, nil
		}
	}
	return true, nil
}

// cycleWithout reports whether component n has a cycle without any of these marks.
func (x *sinkRemoval) cycleWithout(n automata.Component, marks uint64) bool {
	states := x.components.States(n)
	x.sinks = x.sinks[:0]
	for _, s := range states {
		x.degree[s] = 0
	}
	for _, s := range states {
		for _, e := range x.before[x.start[s]:x.start[s+1]] {
			if e.marks&marks == 0 {
				x.degree[e.from]++
			}
		}
	}
	for _, s := range states {
		if x.degree[s] == 0 {
			x.sinks = append(x.sinks, s)
		}
	}
	for removed := 0; removed < len(x.sinks); removed++ {
		s := x.sinks[removed]
		for _, e := range x.before[x.start[s]:x.start[s+1]] {
			if e.marks&marks != 0 {
				continue
			}
			if x.degree[e.from]--; x.degree[e.from] == 0 {
				x.sinks = append(x.sinks, e.from)
			}
		}
	}
	return len(x.sinks) < len(states)
}

// DisjointMarks makes the edges from one state to another disjoint: where two of
// them could be taken, one with the marks of both remains. A run that takes
// either infinitely often can take both in turn. For example, the edges a in set 0 and b in set 1
// become a & !b in set 0, !a & b in set 1, and a & b in both.
//
// Where the functions end with an error, edges are missing. It is quadratic in the edges between
// two states. There may be more edges than before: one for each set of edges that can be taken
// together.
func (r *Reducible) DisjointMarks(s automata.State) {
	f := r.Functions
	var result []Link
	for first, end := 0, 0; first < len(r.Out[s]); first = end {
		start := len(result)
		for end = first; end < len(r.Out[s]) && r.Out[s][end].To == r.Out[s][first].To; end++ {
			e := r.Out[s][end]
			for i := start; i < len(result) && e.Label != bdd.FalseFunction && f.Err() == nil; i++ {
				common := f.And(result[i].Label, e.Label)
				if common == bdd.FalseFunction {
					continue
				}
				marks := result[i].Marks | e.Marks
				if rest := f.And(result[i].Label, f.Not(common)); rest != bdd.FalseFunction {
					result = append(result, Link{e.To, result[i].Marks, rest})
				}
				result[i].Label, result[i].Marks = common, marks
				e.Label = f.And(e.Label, f.Not(common))
			}
			if e.Label != bdd.FalseFunction {
				result = append(result, e)
			}
		}
	}
	r.Out[s] = result
	r.Merge(s)
}

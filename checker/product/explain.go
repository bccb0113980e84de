package product

import (
	"context"
	"errors"
	"slices"

	"pnmc/automata"
	"pnmc/automata/emptiness/generic"
	"pnmc/checker/product/internal/stuttering"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/petri"
)

// This file answers: does the automaton accept this run, and by which edges? The run is a lasso, a
// prefix and a cycle, so that a position after the last is Back again. Pairs of a position and a state
// of the automaton span a small graph: the product of the automaton with a line that ends in a loop.
// The run is accepted if the graph has an accepting component that can be reached from position 0.
//
// For example, let the labels be a, b with Back 1, that is a b b b .... State 0 of the automaton
// has a loop for all labels and an edge for b to state 1. State 1 has an accepting loop for b. The
// graph has the pairs (0,0), (1,0), (1,1), and the edges (0,0)→(1,0), (1,0)→(1,0), (1,0)→(1,1) and
// (1,1)→(1,1). The pair (1,1) with its loop is an accepting component; the way there is the
// prefix.
//
// A testing automaton reads changes of labels instead of labels. Its initial edges read the first
// label, as the change from nothing. The cycle is unrolled once: at its first round it begins with the
// change from the prefix, at later ones with the change from its own end.
//
// The graph has at most positions times states pairs, and each is matched with the edges of its state.

// FiredRun is a run of a net: after the step with number len(Steps)-1 comes step Back again. Word has
// the labels of the markings in which the steps are taken.
type FiredRun struct {
	Back  int
	Word  []automata.Valuation
	Steps []witness.Step // without edges
}

// fired turns a run of the state graph of a net into firings of transitions. Firing finds the one between two
// markings, label the label of one. An error is the account's.
func fired(net *petri.Net, work *account.Account, firing func(from, to petri.StateID) (petri.Transition, bool), label func(petri.StateID) automata.Valuation, l stuttering.Lasso) (FiredRun, error) {
	states := slices.Concat(l.Prefix, l.Cycle)
	run := FiredRun{Back: len(l.Prefix)}
	for i, s := range states {
		next := l.Cycle[0]
		if i+1 < len(states) {
			next = states[i+1]
		}
		if err := work.Charge(walkWork + 16*net.Transitions() + 8*net.Places()); err != nil {
			return FiredRun{}, err
		}
		t, ok := firing(s, next)
		run.Steps = append(run.Steps, witness.Step{Transition: t, Stutter: !ok})
		run.Word = append(run.Word, slices.Clone(label(s)))
	}
	return run, nil
}

// unrolled returns the same run with one round of its cycle moved to the prefix.
func (f FiredRun) unrolled() FiredRun {
	return FiredRun{
		Back:  len(f.Steps),
		Word:  append(slices.Clone(f.Word), f.Word[f.Back:]...),
		Steps: append(slices.Clone(f.Steps), f.Steps[f.Back:]...),
	}
}

// Explain finds an accepted run of a over a run of a net, and returns both as a counterexample. A run
// that was found with one automaton for a property is shown so to violate the property by another. And
// an automaton that was built on the fly has no edges to tell; Explain finds them in one that has.
// An error is ErrNotAccepted, or that of the account.
func Explain(ctx context.Context, work *account.Account, a *automata.Automaton, run FiredRun) (*witness.Counterexample, error) {
	u := &runGraph{automaton: a, account: work, number: map[runNode]int{}}
	if a.Kind == automata.Plain {
		u.word = run.Word
	} else { // the first change of the cycle differs between the first round and the others
		run = run.unrolled()
		before := make(automata.Valuation, a.ValuationWords())
		for _, v := range run.Word {
			change := slices.Clone(v)
			for w := range change {
				change[w] ^= before[w]
			}
			u.word = append(u.word, change)
			before = v
		}
	}
	u.back = run.Back
	for _, q := range a.Initial() {
		u.visit(runNode{0, q})
	}
	for n := 0; n < len(u.nodes); n++ {
		if err := u.expand(n); err != nil {
			return nil, err
		}
	}
	prefix, cycle, err := u.accepted(ctx)
	if err != nil {
		return nil, err
	}
	tell := func(edges []uint32) []witness.Step {
		var steps []witness.Step
		for _, e := range edges {
			s := run.Steps[u.nodes[u.edges[e].from].at]
			s.Edge = u.edges[e].edge
			steps = append(steps, s)
		}
		return steps
	}
	c := &witness.Counterexample{Prefix: tell(prefix), Cycle: tell(cycle)}
	first := cycle[0]
	if len(prefix) > 0 {
		first = prefix[0]
	}
	c.Start = u.nodes[u.edges[first].from].state
	return c, nil
}

// ErrNotAccepted says that the automaton does not accept a run which a search found.
var ErrNotAccepted = errors.New("the automaton does not accept the run that the search found")

// runGraph has the pairs of a position in a word and a state of an automaton that can be reached. The
// word's last position is followed by position back.
type runGraph struct {
	automaton *automata.Automaton
	account   *account.Account
	word      []automata.Valuation
	back      int
	nodes     []runNode
	number    map[runNode]int
	edges     []runEdge // of the nodes in order
}

type runNode struct {
	at    int
	state automata.State
}

type runEdge struct {
	from, to int
	edge     automata.Edge
}

// visit returns the number of a node, which it gets at its first visit.
func (u *runGraph) visit(n runNode) int {
	i, known := u.number[n]
	if !known {
		i = len(u.nodes)
		u.number[n] = i
		u.nodes = append(u.nodes, n)
	}
	return i
}

// expand adds the edges that leave node n. An error is that of the account.
func (u *runGraph) expand(n int) error {
	from := u.nodes[n]
	next := from.at + 1
	if next == len(u.word) {
		next = u.back
	}
	first, end := u.automaton.Out(from.state)
	for e := first; e < end; e++ {
		if err := u.account.Charge(matchWork); err != nil {
			return err
		}
		if u.automaton.Matches(e, u.word[from.at]) {
			if err := account.Room(u.account, u.edges, 1); err != nil {
				return err
			}
			u.account.Add(account.StateWork)
			u.edges = append(u.edges, runEdge{n, u.visit(runNode{next, u.automaton.Destination(e)}), e})
		}
	}
	return nil
}

// accepted returns a run as numbers of edges, with a cycle that the acceptance condition accepts. An
// error is ErrNotAccepted if there is none, or that of the context or the account.
func (u *runGraph) accepted(ctx context.Context) (prefix, cycle []uint32, err error) {
	condition := generic.NewCondition(u.automaton.Acceptance)
	// The graph, and what the search has of each node.
	const nodeBytes = 64
	if err := u.account.Reserve(len(u.edges)*8*(1+condition.Words) + len(u.nodes)*nodeBytes); err != nil {
		return nil, nil, err
	}
	g := u.graph(condition)
	part, err := g.AcceptingComponent(ctx, condition.Formula())
	if err != nil {
		return nil, nil, err
	}
	if part == nil {
		return nil, nil, ErrNotAccepted
	}
	prefix, entry := u.way(g, part)
	cycle, err = g.Cycle(ctx, part, entry, condition.Formula())
	return prefix, cycle, err
}

// graph returns the graph with the marks of a condition. Edges lie in the order of their nodes.
func (u *runGraph) graph(condition *generic.Condition) *generic.Graph {
	g := &generic.Graph{Start: make([]uint32, len(u.nodes)+1), Words: condition.Words}
	g.Marks = make([]uint64, len(u.edges)*g.Words)
	g.Destination = make([]uint32, 0, len(u.edges))
	for i, e := range u.edges {
		g.Destination = append(g.Destination, uint32(e.to))
		g.Start[e.from+1]++
		condition.Translate(u.automaton.Marks(e.edge), g.EdgeMarks(uint32(i)))
	}
	for n := range u.nodes {
		g.Start[n+1] += g.Start[n]
	}
	return g
}

// way returns a shortest run from an initial state to a node of the part, and that node.
func (u *runGraph) way(g *generic.Graph, part *generic.Component) ([]uint32, uint32) {
	inside := make([]bool, len(u.nodes))
	for _, n := range part.Nodes {
		inside[n] = true
	}
	const unmet, start = -1, -2
	came := make([]int, len(u.nodes)) // the edge by which a node was met
	for n := range came {
		came[n] = unmet
	}
	var queue []uint32
	for _, q := range u.automaton.Initial() {
		if n := u.number[runNode{0, q}]; came[n] == unmet {
			came[n] = start
			queue = append(queue, uint32(n))
		}
	}
	for ; !inside[queue[0]]; queue = queue[1:] {
		for e := g.Start[queue[0]]; e < g.Start[queue[0]+1]; e++ {
			if to := g.Destination[e]; came[to] == unmet {
				came[to] = int(e)
				queue = append(queue, to)
			}
		}
	}
	var run []uint32
	for n := queue[0]; came[n] != start; n = uint32(u.edges[came[n]].from) {
		run = append(run, uint32(came[n]))
	}
	slices.Reverse(run)
	return run, queue[0]
}

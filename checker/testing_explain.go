package checker

import (
	"context"
	"errors"
	"slices"

	"pnmc/automata"
	"pnmc/petri"
)

// firedRun is a run of a net: after the step with number len(steps)-1 comes step
// back again. word has the labels of the markings in which the steps are taken.
type firedRun struct {
	back  int
	word  []automata.Valuation
	steps []Step // without edges
}

// fired tells a run of the state graph in terms of transitions.
func fired(k *petri.Kripke, labels *petri.Labelling, l graphLasso) firedRun {
	states := slices.Concat(l.prefix, l.cycle)
	run := firedRun{back: len(l.prefix)}
	for i, s := range states {
		next := l.cycle[0]
		if i+1 < len(states) {
			next = states[i+1]
		}
		t, ok := k.Firing(s, next)
		run.steps = append(run.steps, Step{Transition: t, Stutter: !ok})
		run.word = append(run.word, slices.Clone(labels.Label(labels.Of(s))))
	}
	return run
}

// firedAgain is the run of a counterexample.
func firedAgain(net *petri.Net, property Property, c *Counterexample) (firedRun, error) {
	run := firedRun{back: len(c.Prefix), steps: slices.Concat(c.Prefix, c.Cycle)}
	r := newReplay(net, property.Automaton, property.Predicates)
	for _, s := range run.steps {
		run.word = append(run.word, r.valuation())
		if !s.Stutter && !net.Fire(r.marking, s.Transition) {
			return run, errors.New("a transition of the counterexample is not enabled")
		}
	}
	return run, nil
}

// unrolled is the run with its cycle once more in front.
func (f firedRun) unrolled() firedRun {
	return firedRun{
		back:  len(f.steps),
		word:  append(slices.Clone(f.word), f.word[f.back:]...),
		steps: append(slices.Clone(f.steps), f.steps[f.back:]...),
	}
}

// explain finds an accepted run of an automaton over a run of a net, and tells
// both as a counterexample. It is how a run that was found with one automaton for
// a property is shown to violate the property by another, and how the edges are
// found that states of an automaton built on the fly don't have.
func explain(ctx context.Context, k *petri.Kripke, a *automata.Automaton, run firedRun) (*Counterexample, error) {
	return explainPolling(func() error { return k.Poll(ctx) }, a, run)
}

// errNotAccepted tells that a search found something wrong.
var errNotAccepted = errors.New("the automaton does not accept the run that the search found")

// explainPolling is explain with another way to learn that it should give up.
func explainPolling(poll func() error, a *automata.Automaton, run firedRun) (*Counterexample, error) {
	u := &runGraph{automaton: a, number: map[runNode]int{}}
	if a.Kind == automata.Plain {
		u.word = run.word
	} else { // the first change of the cycle is another one when it repeats
		run = run.unrolled()
		before := make(automata.Valuation, a.ValuationWords())
		for _, v := range run.word {
			change := slices.Clone(v)
			for w := range change {
				change[w] ^= before[w]
			}
			u.word = append(u.word, change)
			before = v
		}
	}
	u.back = run.back
	for _, q := range a.Initial() {
		u.visit(runNode{0, q})
	}
	for n := 0; n < len(u.nodes); n++ {
		if n&pollMask == pollMask {
			if err := poll(); err != nil {
				return nil, err
			}
		}
		u.expand(n)
	}
	prefix, cycle := u.accepted()
	if cycle == nil {
		return nil, errNotAccepted
	}
	tell := func(edges []int) []Step {
		var steps []Step
		for _, e := range edges {
			s := run.steps[u.nodes[u.edges[e].from].at]
			s.Edge = u.edges[e].edge
			steps = append(steps, s)
		}
		return steps
	}
	c := &Counterexample{Prefix: tell(prefix), Cycle: tell(cycle)}
	first := cycle[0]
	if len(prefix) > 0 {
		first = prefix[0]
	}
	c.Start = u.nodes[u.edges[first].from].state
	return c, nil
}

// runGraph has the pairs of a position in a word and a state of an automaton that
// runs reach. The word's last position is followed by position back.
type runGraph struct {
	automaton *automata.Automaton
	word      []automata.Valuation
	back      int
	nodes     []runNode
	number    map[runNode]int
	edges     []runEdge
}

type runNode struct {
	at    int
	state automata.State
}

type runEdge struct {
	from, to int
	edge     automata.Edge
}

func (u *runGraph) visit(n runNode) int {
	i, known := u.number[n]
	if !known {
		i = len(u.nodes)
		u.number[n] = i
		u.nodes = append(u.nodes, n)
	}
	return i
}

func (u *runGraph) expand(n int) {
	from := u.nodes[n]
	next := from.at + 1
	if next == len(u.word) {
		next = u.back
	}
	first, end := u.automaton.Out(from.state)
	for e := first; e < end; e++ {
		if u.automaton.Matches(e, u.word[from.at]) {
			u.edges = append(u.edges, runEdge{n, u.visit(runNode{next, u.automaton.Destination(e)}), e})
		}
	}
}

// accepted is a run as edges, with a cycle that the acceptance condition accepts;
// nil if there is none.
func (u *runGraph) accepted() (prefix, cycle []int) {
	for _, literals := range disjuncts(u.automaton.Acceptance.Condition) {
		var allowed []int
		for e := range u.edges {
			if !slices.ContainsFunc(literals, func(c *automata.Condition) bool { return c.Operator == automata.Fin && u.has(e, c) }) {
				allowed = append(allowed, e)
			}
		}
		of := u.components(allowed)
		inside := make([][]int, len(u.nodes)) // of each component
		for _, e := range allowed {
			if c := of[u.edges[e].from]; c == of[u.edges[e].to] {
				inside[c] = append(inside[c], e)
			}
		}
		for _, edges := range inside {
			if len(edges) == 0 {
				continue
			}
			if cycle := u.cycleOf(edges, literals); cycle != nil {
				all := make([]int, len(u.edges))
				for e := range all {
					all[e] = e
				}
				start := u.edges[cycle[0]].from
				return u.way(all, u.starts(), func(e int) bool { return u.edges[e].to == start }, start), cycle
			}
		}
	}
	return nil, nil
}

// has tells whether edge e has the mark that a literal names.
func (u *runGraph) has(e int, c *automata.Condition) bool {
	return u.automaton.Marks(u.edges[e].edge).Has(c.Set) != c.Negated
}

func (u *runGraph) starts() []int {
	var starts []int
	for _, q := range u.automaton.Initial() {
		starts = append(starts, u.number[runNode{0, q}])
	}
	return starts
}

// components numbers the strongly connected components of the graph with these
// edges, for each node.
func (u *runGraph) components(edges []int) []automata.Component {
	b := automata.NewBuilder(nil, automata.GeneralizedBuchi(0))
	b.AddStates(len(u.nodes))
	for _, e := range edges {
		b.AddEdge(automata.State(u.edges[e].from), automata.Label{automata.NewCube(0)}, automata.NewMarks(0), automata.State(u.edges[e].to))
	}
	of := make([]automata.Component, len(u.nodes))
	if a, err := b.Build(); err == nil {
		c := automata.FindComponents(a)
		for n := range of {
			of[n] = c.Of(automata.State(n))
		}
	}
	return of
}

// cycleOf is a cycle of these strongly connected edges with all marks that the
// literals ask for; nil if some are on none of them.
func (u *runGraph) cycleOf(edges []int, literals []*automata.Condition) []int {
	start := u.edges[edges[0]].from
	cycle, at := []int(nil), start
	for _, c := range literals {
		if c.Operator != automata.Inf || slices.ContainsFunc(cycle, func(e int) bool { return u.has(e, c) }) {
			continue
		}
		if !slices.ContainsFunc(edges, func(e int) bool { return u.has(e, c) }) {
			return nil
		}
		cycle = append(cycle, u.way(edges, []int{at}, func(e int) bool { return u.has(e, c) }, -1)...)
		at = u.edges[cycle[len(cycle)-1]].to
	}
	if at != start || len(cycle) == 0 {
		cycle = append(cycle, u.way(edges, []int{at}, func(e int) bool { return u.edges[e].to == start }, -1)...)
	}
	return cycle
}

// way is a shortest run over these edges whose last one is a goal; empty if a
// start is there already.
func (u *runGraph) way(edges []int, starts []int, goal func(e int) bool, there int) []int {
	out := map[int][]int{}
	for _, e := range edges {
		out[u.edges[e].from] = append(out[u.edges[e].from], e)
	}
	came := map[int]int{} // edge by which a node was met, -1 for starts
	for _, n := range starts {
		came[n] = -1
	}
	if _, is := came[there]; is {
		return nil
	}
	for queue := slices.Clone(starts); len(queue) > 0; queue = queue[1:] {
		for _, e := range out[queue[0]] {
			if goal(e) {
				run := []int{e}
				for at := came[queue[0]]; at >= 0; at = came[u.edges[at].from] {
					run = append(run, at)
				}
				slices.Reverse(run)
				return run
			}
			if _, met := came[u.edges[e].to]; !met {
				came[u.edges[e].to] = e
				queue = append(queue, u.edges[e].to)
			}
		}
	}
	return nil
}

// disjuncts are the conjunctions of Inf and Fin of which a condition is the
// disjunction; exponential in the condition at worst.
func disjuncts(c *automata.Condition) [][]*automata.Condition {
	switch c.Operator {
	case automata.ConditionFalse:
		return nil
	case automata.ConditionTrue:
		return [][]*automata.Condition{nil}
	case automata.ConditionOr:
		var list [][]*automata.Condition
		for _, o := range c.Operands {
			list = append(list, disjuncts(o)...)
		}
		return list
	case automata.ConditionAnd:
		list := [][]*automata.Condition{nil}
		for _, o := range c.Operands {
			var product [][]*automata.Condition
			for _, left := range list {
				for _, right := range disjuncts(o) {
					product = append(product, slices.Concat(left, right))
				}
			}
			list = product
		}
		return list
	}
	return [][]*automata.Condition{{c}}
}

package symbolic

import (
	"context"
	"slices"

	"pnmc/automata"
)

// Self-loop aggregation keeps the automaton explicit and the system symbolic
// (Duret-Lutz, Klai, Poitrenaud, Thierry-Mieg, "Self-loop aggregation product: a
// new hybrid approach to on-the-fly LTL model checking", 2011). A node is a state
// q of the automaton with a set of states of the system, its aggregate. Runs enter q
// in some states of the system; the aggregate has these, and all that runs reach from them
// while the automaton takes self-loops of q. Edges lead along the automaton's other edges to
// aggregates of its other states.
//
// For example, let the automaton have states 0 and 1, with loops for ¬p at 0 and for q at 1, and an
// edge for p from 0 to 1. A run begins in 0 and stays there while p fails. All states that it may
// visit meanwhile are one aggregate, however many steps that takes. From those with p the edge
// leads to one aggregate of 1. So the graph has two nodes.
//
// No relation of the system mentions the automaton, so that aggregates are closed by
// saturation as the reachable states are. While a run stays in q, only the labels of
// the self-loops of q matter. Events that can't make their disjunction false need no
// condition, though they may change other propositions. In T∅ of testing automata those
// events are not.
//
// The paper aggregates by self-loops without marks only, so that marks are not lost,
// and looks for accepted cycles in its graph, node by node. Then a state whose
// self-loops have marks aggregates nothing, and the graph has a node for each step of
// runs that stay there. Here all self-loops are aggregated, and accepted cycles are
// looked for by fixpoints on the sets of one component of the automaton, as the paper's
// tool does on demand in single states (its SLAP-FSA). So nodes with the same state of
// the automaton are united before edges to other components are followed. There are no
// more nodes than states of the automaton. docs/experiments.md compares the two.
//
// Correctness. The union of all aggregates of q is exactly the set of system states s
// such that (s, q) is reachable in the product. An aggregate is closed under the edges
// of the product from q to q, and images are taken along all other edges. From some
// point on, a run of the product stays in one component of the automaton. So it is
// accepted if and only if it ends with an accepted run within the nodes of some
// component. hull decides that.

// An aggregation is a check under way.
type aggregation struct {
	*product
	ctx        context.Context
	saturate   bool
	shortcut   bool // an accepted run is not asked for
	automaton  *automata.Automaton
	components *automata.Components
	strengths  []automata.Strength // by component

	deadlocked Node // reachable states without successors; kept
	reachable  Node // kept; Empty until needed
	initial    []uint32
	states     []stateLoops // by state of the automaton
	loops      map[condition]*selfLoops
	only       map[condition]guardedRule
	rounds     int
}

// stateLoops are the edges of a state of the automaton.
type stateLoops struct {
	stay   condition   // the disjunction of the labels of its self-loops
	inSets []condition // by acceptance set: the labels of self-loops in it
	exits  []exit
}

// An exit is the edges of the automaton between two different states with the
// same marks, with the disjunction of their labels.
type exit struct {
	to    automata.State
	marks automata.Marks
	label condition
}

// selfLoops has the events that may occur while a run stays in a state of the automaton: they start
// where its self-loops may be taken.
type selfLoops struct {
	staying []guardedStep
	inside  *Relation // events after which the loops may be taken again
	leaving *Relation // events after which they may not
}

// newAggregation prepares the check; it may stop.
func newAggregation(ctx context.Context, p *product, a *automata.Automaton) *aggregation {
	g := &aggregation{
		product: p, ctx: ctx, automaton: a, components: automata.FindComponents(a),
		states: make([]stateLoops, a.States()), loops: map[condition]*selfLoops{}, only: map[condition]guardedRule{},
	}
	g.strengths = automata.Strengths(ctx, a, g.components)
	dead, err := p.space.deadlocks()
	if err != nil {
		panic(stop{err})
	}
	g.deadlocked = p.forest.copied(p.space.Forest, dead)
	g.initial = p.initialVector()
	labels := make([]condition, a.Edges())
	for e := range labels {
		labels[e] = p.label(a, automata.Edge(e))
	}
	for q := range g.states {
		g.prepare(automata.State(q), labels)
	}
	return g
}

// prepare finds the loops and exits of q.
func (g *aggregation) prepare(q automata.State, labels []condition) {
	t, n := g.conditions, &g.states[q]
	n.stay = never
	n.inSets = make([]condition, g.sets)
	first, end := g.automaton.Out(q)
	for e := first; e < end; e++ {
		to, marks := g.automaton.Destination(e), g.automaton.Marks(e)
		if labels[e] == never { // nor do components know of it
			continue
		}
		if to != q {
			n.addExit(t, exit{to, marks, labels[e]})
			continue
		}
		n.stay = t.or(n.stay, labels[e])
		for set := range n.inSets {
			if marks.Has(set) {
				n.inSets[set] = t.or(n.inSets[set], labels[e])
			}
		}
	}
}

// addExit joins the exit with one that differs in its label only: each is an image to take.
func (n *stateLoops) addExit(t *conditions, x exit) {
	for i := range n.exits {
		if y := &n.exits[i]; y.to == x.to && slices.Equal(y.marks, x.marks) {
			y.label = t.or(y.label, x.label)
			return
		}
	}
	n.exits = append(n.exits, x)
}

// loopsOf returns the self-loops with that disjunction of labels. Relations over which
// sets are closed have rules of their own, since results of saturation are remembered
// by rule.
func (g *aggregation) loopsOf(stay condition) *selfLoops {
	if l := g.loops[stay]; l != nil {
		return l
	}
	l := &selfLoops{}
	g.loops[stay] = l
	no := g.conditions.not(stay)
	l.leaving = g.forest.NewRelation()
	for event := range g.space.System.Events {
		steps, after := g.steps(event), always
		if g.touches(steps, stay) {
			leaving := newGuardedEvent(l.leaving, g.conditions, steps)
			if leaving.rule(0, stay, no).possible {
				// The loops may be taken before the event: only what follows needs a guard.
				l.leaving.addRule(leaving.rule(0, always, no).rule)
				after = stay
			}
		}
		l.staying = append(l.staying, guardedStep{event, always, after})
	}
	l.leaving.merge()
	l.inside = g.related(l.staying)
	return l
}

// The operations below run within guarded. Their operands are roots, their results
// are not.

// keep replaces a kept set.
func (g *aggregation) keep(at *Node, n Node) {
	g.forest.Keep(n)
	g.forest.Release(*at)
	*at = n
}

// unite adds to a kept set.
func (g *aggregation) unite(at *Node, n Node) {
	g.forest.push(n)
	g.keep(at, g.forest.union(*at, n))
	g.forest.pop()
}

// restrict returns the part of n that fulfils c.
func (g *aggregation) restrict(n Node, c condition) Node {
	if c == always || n == Empty {
		return n
	}
	only, ok := g.only[c]
	if !ok {
		only = newGuardedEvent(g.pieces, g.conditions, nil).rule(0, c, always)
		g.only[c] = only
	}
	if !only.possible {
		return Empty
	}
	return g.forest.fire(nil, only.rule, n, anything)
}

// after returns the successors of the states of n that fulfil c; deadlocked ones repeat
// themselves.
func (g *aggregation) after(n Node, c condition) Node {
	from := g.restrict(n, c)
	if from == Empty {
		return Empty
	}
	g.forest.push(from)
	next := g.afterBy(g.loopsOf(always).inside, from)
	g.forest.pop()
	return next
}

// afterBy returns the successors by r of the states of from.
func (g *aggregation) afterBy(r *Relation, from Node) Node {
	f := g.forest
	next := f.image(r, from)
	f.push(next)
	dead := f.combine(operationIntersection, from, g.deadlocked)
	f.push(dead)
	next = f.union(next, dead)
	f.pop()
	f.pop()
	return next
}

// close returns the set of states that r reaches from n.
func (g *aggregation) close(r *Relation, n Node) Node {
	if !g.saturate {
		closed, err := r.chain(g.ctx, n)
		if err != nil {
			panic(stop{err})
		}
		return closed
	}
	return r.saturate(n, anything)
}

// aggregated returns the states that self-loops lead to from n, n included: the FReach
// of the paper.
func (g *aggregation) aggregated(stay condition, n Node) Node {
	f := g.forest
	if stay == always && f.Contains(n, g.initial) {
		if g.reachable == Empty {
			g.reachable = f.copied(g.space.Forest, g.space.Reachable)
		}
		return g.reachable
	}
	staying := g.restrict(n, stay)
	if staying == Empty {
		return n
	}
	l := g.loopsOf(stay)
	f.push(staying)
	staying = g.close(l.inside, staying)
	f.push(staying)
	all := f.image(l.leaving, staying)
	f.push(all)
	all = f.union(all, staying)
	f.push(all)
	all = f.union(all, n)
	for range 4 {
		f.pop()
	}
	return all
}

// copied returns the set n of another forest, whose variables are at the same levels; it
// is kept.
func (f *Forest) copied(from *Forest, n Node) Node {
	if n <= Unit {
		return n
	}
	l := from.reachable(n)
	copies := make([]Node, len(l.nodes))
	for i, m := range l.nodes {
		if m == Unit {
			copies[i] = Unit
			continue
		}
		base := len(f.scratch)
		for _, e := range from.Edges(m) {
			f.begin(Edge{e.Value, copies[l.of(e.Child)]})
		}
		copies[i] = f.Keep(f.makeNode(from.Level(m), base))
	}
	for _, c := range copies[:len(copies)-1] { // the last is n
		f.Release(c)
	}
	return copies[len(copies)-1]
}

package symbolic

import (
	"context"
	"errors"

	"pnmc/automata"
	"pnmc/automata/stutter"
)

// A state of a testing automaton made of a TGBA is one of the TGBA together with
// the valuation that it reads next (Ben Salem, Duret-Lutz, Kordon, "Model
// Checking using Generalized Testing Automata", 2012, Property 4). In a product
// that valuation is the one of the system's state, where it need not be stored a
// second time: the product below has the TGBA's states only, and observes the
// rest. No valuation is enumerated, no automaton is built and reduced, and T∅ is
// still free of the automaton's state.
//
// T∅ are the events that can't change a proposition, in whatever state: they need no
// condition, and saturation has them at the levels of the variables that they touch. T*
// are the others, with the edges of the TGBA whose labels allow the state before. The
// steps of T* read the run's word without some letters that the next one repeats. So
// both words are accepted, or neither is. A run with infinitely many such steps is
// accepted if those steps are. A run with finitely many is accepted if the TGBA
// accepts, from the last state, its last valuation for ever. Both directions need that
// the language is stutter-invariant, nothing else; so T* may well have steps that
// change nothing although they could have.

// maximalCells bounds the valuations that are told apart by the TGBA's labels.
const maximalCells = 1 << 14

// ErrCells says that the labels of an automaton make too many cells.
var ErrCells = errors.New("the labels of the automaton are too many for a testing automaton")

// buildObserved builds the relations for a plain automaton.
//
// Where the language depends on stuttering, states come twice, as in "Extending Testing
// Automata to All LTL" (Ben Salem, 2015), Property 3. The copies, numbered from
// a.States() on, read step by step what the TGBA reads. A run visits copies until it
// has been in a state whose language does not depend on stuttering. Those are the first
// phase of the product; no step leads back to it.
func (p *product) buildObserved(a *automata.Automaton, v stutter.Invariance) {
	exact := func(q automata.State) bool { return !v.Whole && !v.States[q] }
	copies := automata.State(a.States())
	observed := p.addPhase()
	observed.stuttering = &eventGroup{}
	var visible []int
	for event := range p.space.System.Events {
		if p.visible(event) {
			visible = append(visible, event)
		} else {
			observed.stuttering.events = append(observed.stuttering.events, guardedStep{event, always, always})
		}
	}
	observed.loops = make([]*stutteringLoop, a.States())
	for q := range observed.loops {
		observed.loops[q] = &stutteringLoop{marks: make([]bool, p.sets)}
	}
	observed.endings = func() []condition { return p.lastValuations(a) }
	before := p.addPhase()
	some, all := map[condition]*eventGroup{}, map[condition]*eventGroup{}
	for e := range automata.Edge(a.Edges()) {
		from, to, label := a.Source(e), a.Destination(e), p.label(a, e)
		if some[label] == nil {
			some[label] = &eventGroup{}
			for _, event := range visible {
				some[label].events = append(some[label].events, guardedStep{event, label, always})
			}
		}
		observed.transfers = append(observed.transfers, transfer{from, to, a.Marks(e), some[label]})
		if !exact(from) {
			continue
		}
		if all[label] == nil {
			all[label] = p.group(label)
		}
		t := transfer{from + copies, to, a.Marks(e), all[label]}
		if exact(to) {
			t.to += copies
			before.transfers = append(before.transfers, t)
		} else {
			p.crossing = append(p.crossing, t)
		}
	}
	for _, q := range a.Initial() {
		if exact(q) {
			p.addStart(before, q+copies)
		} else {
			p.addStart(observed, q)
		}
	}
	p.phases = []*phase{before, observed}
	if before.start == Empty {
		p.phases = p.phases[1:]
	}
}

// lastValuations returns for each state the valuations that are accepted from there if they repeat
// for ever.
func (p *product) lastValuations(a *automata.Automaton) []condition {
	last := make([]condition, a.States())
	for _, c := range p.cells(a) {
		for q, accepted := range acceptsForEver(p.context(), a, c.edges) {
			if accepted {
				last[q] = p.conditions.or(last[q], c.valuations)
			}
		}
	}
	return last
}

// context returns the one that ends what the product is made for.
func (p *product) context() context.Context {
	if p.forest.ctx == nil {
		return context.Background()
	}
	return p.forest.ctx
}

// acceptsForEver reports for each state whether a run of these edges from there is
// accepted.
func acceptsForEver(ctx context.Context, a *automata.Automaton, edges []automata.Edge) []bool {
	b := automata.NewBuilder(nil, a.Acceptance)
	b.AddStates(a.States())
	for _, e := range edges {
		b.AddEdge(a.Source(e), automata.Label{automata.NewCube(0)}, a.Marks(e), a.Destination(e))
	}
	graph, err := b.Build()
	if err != nil {
		panic(stop{err})
	}
	components := automata.FindComponents(graph)
	accepting, err := automata.AcceptingComponents(ctx, graph, components)
	if err != nil {
		panic(stop{err})
	}
	accepted := make([]bool, a.States())
	for n := range automata.Component(components.Count()) { // no edge leads to a higher number
		for _, q := range components.States(n) {
			first, end := graph.Out(q)
			for e := first; e < end; e++ {
				accepting[n] = accepting[n] || accepted[graph.Destination(e)]
			}
		}
		for _, q := range components.States(n) {
			accepted[q] = accepting[n]
		}
	}
	return accepted
}

// A cell is a set of valuations that the same edges match.
type cell struct {
	valuations condition
	edges      []automata.Edge
}

// cells splits the valuations by the labels of a: two valuations are in one cell if the same edges
// match them. The labels p and q make the cells p ∧ q, p ∧ ¬q, ¬p ∧ q and ¬p ∧ ¬q. Cells that no
// state satisfies are left out.
func (p *product) cells(a *automata.Automaton) []cell {
	edges := map[condition][]automata.Edge{}
	var labels []condition
	for e := range automata.Edge(a.Edges()) {
		c := p.label(a, e)
		if edges[c] == nil {
			labels = append(labels, c)
		}
		edges[c] = append(edges[c], e)
	}
	cells := []cell{{valuations: always}}
	for _, label := range labels {
		no := p.conditions.not(label)
		var finer []cell
		for _, c := range cells {
			if in := p.conditions.and(c.valuations, label); in != never {
				finer = append(finer, cell{in, append(c.edges[:len(c.edges):len(c.edges)], edges[label]...)})
			}
			if out := p.conditions.and(c.valuations, no); out != never {
				finer = append(finer, cell{out, c.edges})
			}
		}
		if cells = finer; len(cells) > maximalCells {
			panic(stop{ErrCells})
		}
	}
	return cells
}

// visible reports whether the event can change a proposition.
func (p *product) visible(event int) bool {
	steps := p.steps(event)
	possible := newGuardedEvent(p.pieces, p.conditions, steps)
	for _, yes := range p.propositions {
		no := p.conditions.not(yes)
		if p.touches(steps, yes) && (possible.rule(0, yes, no).possible || possible.rule(0, no, yes).possible) {
			return true
		}
	}
	return false
}

package symbolic

import (
	"errors"

	"pnmc/automata"
)

// A state of a testing automaton made of a TGBA is one of the TGBA together with
// the valuation that it reads next (Ben Salem, Duret-Lutz, Kordon, "Model
// Checking using Generalized Testing Automata", 2012, Property 4). In a product
// that valuation is the one of the system's state, where it need not be stored a
// second time: the product below has the TGBA's states only, and observes the
// rest. No valuation is enumerated, no automaton is built and reduced, and T∅ is
// still free of the automaton's state.
//
// Stuttering steps are left out as Property 5 has it. Let the stuttering graph
// for a valuation be that of the TGBA's edges that match it. A state loops on
// the empty changeset, in all acceptance sets if it lies in a component of that
// graph with an accepted cycle, and otherwise in none. An edge of the TGBA that
// leads to a state while something changes leads also to each state of a
// component with an accepted cycle that the graph for the valuation afterwards
// can enter from there.

// maximalCells bounds the valuations that are told apart by the TGBA's labels.
const maximalCells = 1 << 14

// ErrCells tells that the labels of an automaton tell too many valuations apart.
var ErrCells = errors.New("the labels of the automaton are too many for a testing automaton")

// buildObserved builds the relations for a plain automaton of which every state
// is visited by some accepted run.
//
// Where the language depends on stuttering, states come twice, as in "Extending
// Testing Automata to All LTL" (Ben Salem, 2015), Property 3: until a run has
// been in a state whose language does not, it visits copies, numbered from
// a.States() on, that read step by step what the TGBA reads.
func (p *product) buildObserved(a *automata.Automaton, v automata.Invariance) {
	t := p.conditions
	exact := func(q automata.State) bool { return !v.Whole && !v.States[q] }
	s := p.stutterings(a)
	p.stuttering = &eventGroup{}
	var changing []guardedStep
	p.split(func(step guardedStep, changed uint64) {
		if changed == 0 {
			p.stuttering.events = append(p.stuttering.events, step)
		} else {
			changing = append(changing, step)
		}
	})
	p.stuttering.events = append(p.stuttering.events, guardedStep{Stutter, p.dead, always})
	p.lasts = make([][]condition, a.States(), 2*a.States())
	for q := range p.lasts {
		p.lasts[q] = make([]condition, p.sets)
		for f := range p.lasts[q] {
			p.lasts[q][f] = s.lasts[q]
		}
	}
	shift := automata.State(0)
	if !v.Whole {
		p.lasts = p.lasts[:cap(p.lasts)] // nil: no loops
		shift = automata.State(a.States())
	}
	groups := map[[3]condition]*eventGroup{}
	among := func(before, after condition, all bool) *eventGroup {
		key := [3]condition{before, after, never}
		if all {
			key[2] = always
		}
		if groups[key] == nil {
			if all {
				groups[key] = p.group(before, after)
			} else {
				groups[key] = &eventGroup{}
				for _, step := range changing {
					step.before, step.after = t.and(step.before, before), t.and(step.after, after)
					groups[key].events = append(groups[key].events, step)
				}
			}
		}
		return groups[key]
	}
	var transfers []transfer
	for e := range automata.Edge(a.Edges()) {
		from, to, label := a.Source(e), a.Destination(e), p.label(a, e)
		for q := range automata.State(a.States()) {
			if c := s.enters[to][q]; c != never {
				transfers = append(transfers, transfer{from, q, a.Marks(e), among(label, c, false)})
				if exact(from) && !exact(to) {
					transfers = append(transfers, transfer{from + shift, q, a.Marks(e), among(label, c, true)})
				}
			}
		}
		if exact(from) && exact(to) {
			transfers = append(transfers, transfer{from + shift, to + shift, a.Marks(e), among(label, s.alive[to], true)})
		}
	}
	initial := p.initialVector()
	for _, q := range a.Initial() {
		if exact(q) {
			p.addStart(q + shift)
			continue
		}
		for d := range automata.State(a.States()) {
			if t.holds(s.enters[q][d], initial) {
				p.addStart(d)
			}
		}
	}
	p.relate(transfers)
	p.relateStuttering(func(q automata.State) bool { return shift == 0 || q >= shift && !exact(q-shift) })
}

// stutterings are what the stuttering graphs for all valuations have in common
// with conditions on the valuation.
type stutterings struct {
	alive  []condition   // by state: some edge matches
	lasts  []condition   // by state: it lies in a component with an accepted cycle
	enters [][]condition // by state: when each other state is where an edge into it leads
}

// A cell is a set of valuations that the same edges match.
type cell struct {
	valuations condition
	edges      []automata.Edge
}

// stutterings goes through the stuttering graphs, one for each cell.
func (p *product) stutterings(a *automata.Automaton) *stutterings {
	n := a.States()
	s := &stutterings{alive: make([]condition, n), lasts: make([]condition, n), enters: make([][]condition, n)}
	for q := range s.enters {
		s.enters[q] = make([]condition, n)
	}
	t := p.conditions
	for _, c := range p.cells(a) {
		g := newStutterGraph(a, c.edges)
		for q := range automata.State(n) {
			if len(g.out[q]) == 0 {
				continue // no run goes on with these valuations
			}
			s.alive[q] = t.or(s.alive[q], c.valuations)
			if g.lasts(q) {
				s.lasts[q] = t.or(s.lasts[q], c.valuations)
			}
			for _, d := range g.entries(q) {
				s.enters[q][d] = t.or(s.enters[q][d], c.valuations)
			}
		}
	}
	return s
}

// cells splits the valuations by the labels of a.
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

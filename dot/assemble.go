package dot

import (
	"pnmc/automata"
)

// functionNodes bounds the decision diagrams of initial valuations.
const functionNodes = 1 << 20

// automaton puts the parts together: state 0 is the artificial initial state,
// which the drawing has or which stands for its labelled arrows, and the other
// states follow in the order of their nodes.
func (d *drawn) automaton() (*automata.Automaton, error) {
	root, entries, err := d.entries()
	if err != nil {
		return nil, err
	}
	labels := make([]*formula, len(entries))
	for i, e := range entries {
		if labels[i], err = d.valuations(e); err != nil {
			return nil, err
		}
	}
	inside := make([]drawnEdge, 0, len(d.edges))
	cubes := make([]automata.Cube, 0, len(d.edges))
	for _, e := range d.edges {
		if e.from == root {
			continue
		}
		cube, empty, err := d.changeset(e)
		if err != nil {
			return nil, err
		}
		if empty && e.from != e.to {
			return nil, problem(e.at, "an edge to another state for the empty changeset")
		}
		d.states[e.from].loops = d.states[e.from].loops || empty
		inside, cubes = append(inside, e), append(cubes, cube)
	}
	number := d.numbering(root)
	b := automata.NewBuilder(d.names, d.acceptance(root))
	if b.Kind = automata.TGTA; d.hasLivelock(root) {
		b.Kind = automata.TA
	}
	b.AddState("init")
	b.AddInitial(0)
	for i, s := range d.states {
		if i != root {
			b.AddState(s.name)
		}
	}
	sets := d.acceptance(root).Sets
	functions := automata.NewFunctions(len(d.names), functionNodes)
	for i, e := range entries {
		label, err := functions.Label(d.function(functions, labels[i]))
		if err != nil {
			return nil, problem(e.at, "%v", err)
		}
		b.AddEdge(0, label, automata.NewMarks(sets, e.marks...), number[e.to])
	}
	if b.Kind == automata.TGTA {
		for i, e := range inside {
			b.AddEdge(number[e.from], automata.Label{cubes[i]}, automata.NewMarks(sets, e.marks...), number[e.to])
		}
		return b.Build()
	}
	d.addLivelock(b, root, number, inside, cubes)
	return b.Build()
}

// entries are the edges that read the first valuation: those of the artificial
// initial state, whose index is root, or the labelled arrows, root being -1.
func (d *drawn) entries() (root int, entries []drawnEdge, err error) {
	root = -1
	for _, arrow := range d.arrows {
		if arrow.label != "" {
			entries = append(entries, arrow)
			continue
		}
		if root >= 0 {
			return 0, nil, problem(arrow.at, "a second initial arrow without a valuation")
		}
		root = arrow.to
	}
	if root < 0 {
		if len(d.states) > 0 && len(entries) == 0 {
			return 0, nil, problem(d.states[0].at, "the graph has no initial arrow from an invisible node")
		}
		return root, entries, nil
	}
	if len(entries) > 0 {
		return 0, nil, problem(entries[0].at, "initial arrows with and without valuations")
	}
	for _, e := range d.edges {
		switch {
		case e.to == root:
			return 0, nil, problem(e.at, "an edge to the initial state, which only reads the first valuation")
		case e.from == root:
			entries = append(entries, e)
		}
	}
	return root, entries, nil
}

// numbering gives each node's state its number.
func (d *drawn) numbering(root int) []automata.State {
	number := make([]automata.State, len(d.states))
	next := automata.State(1)
	for i := range d.states {
		if i != root {
			number[i] = next
			next++
		}
	}
	return number
}

// hasLivelock tells whether the drawing is one of a TA rather than of a TGTA.
func (d *drawn) hasLivelock(root int) bool {
	for i, s := range d.states {
		if i != root && (s.buchi || s.livelock || !s.loops) {
			return true
		}
	}
	return false
}

// acceptance is that of a TGTA with the sets mentioned, or that of a TA: those
// sets, or in the end only the loops of a livelock-accepting state.
func (d *drawn) acceptance(root int) automata.Acceptance {
	if !d.hasLivelock(root) {
		return automata.GeneralizedBuchi(d.sets)
	}
	n := max(d.sets, 1)
	livelock := &automata.Condition{Operator: automata.ConditionAnd, Operands: []*automata.Condition{
		{Operator: automata.Fin, Set: n + 1}, {Operator: automata.Inf, Set: n},
	}}
	return automata.Acceptance{Sets: n + 2, Condition: &automata.Condition{Operator: automata.ConditionOr,
		Operands: []*automata.Condition{automata.GeneralizedBuchi(n).Condition, livelock}}}
}

// addLivelock adds the edges of a TA. A Büchi-accepting state is so when it is
// left by a change, hence its marks are on those edges.
func (d *drawn) addLivelock(b *automata.Builder, root int, number []automata.State, edges []drawnEdge, cubes []automata.Cube) {
	n := max(d.sets, 1)
	nothing := automata.NewCube(len(d.names))
	for p := range d.names {
		nothing[p/64] |= 1 << (p % 64)
	}
	for i, s := range d.states {
		if i == root {
			continue
		}
		marks := automata.NewMarks(n + 2)
		if s.livelock {
			marks = automata.NewMarks(n+2, n)
		}
		b.AddEdge(number[i], automata.Label{nothing}, marks, number[i])
	}
	for i, e := range edges {
		if cubes[i].Matches(make(automata.Valuation, automata.WordsFor(len(d.names)))) {
			continue // the loop is there
		}
		marks := automata.NewMarks(n+2, append([]int{n + 1}, e.marks...)...)
		if d.states[e.from].buchi {
			for set := range n {
				marks[set/64] |= 1 << (set % 64)
			}
		}
		b.AddEdge(number[e.from], automata.Label{cubes[i]}, marks, number[e.to])
	}
}

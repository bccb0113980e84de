package dot

import (
	"pnmc/automata"
	"pnmc/internal/account"
)

// builderBytes is what an account charges between two looks at its context.
const builderBytes = 1 << 20

// automaton puts the parts together: state 0 is the artificial initial state, which
// the drawing has or which stands for its labelled arrows, and the other states
// follow in the order of their nodes.
//
// Let a TA have n sets in the drawing. Each drawn state but the initial one gets a loop for the
// empty changeset. If the state is a box, the loop is in set n: a run that stays there is
// accepted. Each drawn edge changes something, and is in set n+1. That set distinguishes a run
// that changes for ever from one that stays. It is in all sets of the drawing if its source has
// a double border, else in those of its label.
func (d *drawn) automaton(f form) (*automata.Automaton, error) {
	b := automata.NewBuilder(d.labels.names, f.acceptance())
	b.Kind = f.kind
	if d.limit != nil {
		b.Within(account.Asking(d.ask, builderBytes))
	}
	number := d.addStates(b)
	total := f.acceptance().Sets
	for _, e := range d.starts {
		m := &d.starting[e.label]
		b.AddEdge(0, m.letters, automata.NewMarks(total, m.sets...), number[e.to])
	}
	if f.kind == automata.TGTA {
		for _, e := range d.edges {
			m := &d.changing[e.label]
			b.AddEdge(number[e.from], m.letters, automata.NewMarks(total, m.sets...), number[e.to])
		}
		return b.Build()
	}
	stutter := automata.Label{exactly(len(d.labels.names), nil)}
	for i, s := range d.states {
		marks := automata.NewMarks(total)
		if s.livelock {
			marks = automata.NewMarks(total, f.livelocks())
		}
		if i != d.root {
			b.AddEdge(number[i], stutter, marks, number[i])
		}
	}
	every := make([]int, f.sets) // what a Büchi-accepting state gives the edges that leave it
	for set := range every {
		every[set] = set
	}
	for _, e := range d.edges {
		m := &d.changing[e.label]
		sets := m.sets
		if d.states[e.from].buchi || f.everyChange {
			sets = every
		}
		if err := d.ask(wordBytes * len(sets)); err != nil {
			return nil, err
		}
		marks := automata.NewMarks(total, append([]int{f.changes()}, sets...)...)
		b.AddEdge(number[e.from], m.letters, marks, number[e.to])
	}
	return b.Build()
}

// addStates adds the initial state and the drawn ones, and returns the number of each
// of these. Names that are their numbers are none.
func (d *drawn) addStates(b *automata.Builder) []automata.State {
	number := make([]automata.State, len(d.states))
	next := automata.State(1)
	named := false
	for i, s := range d.states {
		if i == d.root {
			named = named || s.name != initialName
			continue
		}
		number[i] = next
		named = named || s.name != stateName(nil, next)
		next++
	}
	b.AddStates(int(next))
	b.AddInitial(0)
	if !named {
		return number
	}
	b.SetStateName(0, initialName)
	for i, s := range d.states {
		b.SetStateName(number[i], s.name)
	}
	return number
}

package degeneralize

import (
	"context"

	"pnmc/automata"
	"pnmc/automata/internal/marked"
	"pnmc/internal/account"
)

// degeneralize makes copies for levels in a pruned automaton, without merging.
// Its error is that of the context or of the memory that the copies would take.
func degeneralize(r *marked.Reducible, ctx context.Context, how levels) error {
	return copyLevels(ctx, account.Of(ctx), r, how)
}

// copyLevels does what degeneralize does, and charges the copies to an account.
func copyLevels(ctx context.Context, work *account.Account, r *marked.Reducible, how levels) error {
	c, meanings, err := r.NormalizeMarks(ctx)
	if err != nil {
		return err
	}
	m := &copying{r: r, components: c, meanings: meanings, work: work,
		levellings: make([]levelling, c.Count()), entered: make([]automata.State, len(r.Out)), member: members(c)}
	for n := range automata.Component(c.Count()) {
		if err := m.work.Charge(componentWork + 8*len(c.States(n))); err != nil {
			return err
		}
		if err := m.number(ctx, n, how); err != nil {
			return err
		}
	}
	return m.build()
}

// componentWork is what a component takes beside its states, in nanoseconds.
const componentWork = 256

// copying makes the copies of all components, in two passes: number decides which copies each
// component has, and build makes their edges. An edge inside a component goes to the level that
// levelling.next computes from its marks. An edge into a component goes to the copy at which it is
// entered. A component in which every cycle is accepted, or none, has one copy of each state.
type copying struct {
	r          *marked.Reducible
	components *automata.Components
	meanings   []marked.Meaning
	work       *account.Account
	levellings []levelling      // of the components where marks decide
	member     []uint32         // the place of each state in its component
	entered    []automata.State // the copy of each state where its component is entered
	copies     []stateCopy
}

// stateCopy is a state at a level: a state of the result.
type stateCopy struct {
	state automata.State
	level int
}

// add makes a copy, and gives its number.
func (m *copying) add(s automata.State, level int) (automata.State, error) {
	n := automata.State(len(m.copies))
	err := account.Room(m.work, m.copies, 1)
	m.copies = append(m.copies, stateCopy{s, level})
	return n, err
}

// number finds which copies component n has, and numbers them. A component is entered at
// the lowest level of which there is a copy.
func (m *copying) number(ctx context.Context, n automata.Component, how levels) error {
	states := m.components.States(n)
	if m.meanings[n] != marked.MarksDecide {
		for _, s := range states {
			var err error
			if m.entered[s], err = m.add(s, 0); err != nil {
				return err
			}
		}
		return nil
	}
	l, err := bestLevelling(ctx, account.Of(ctx), newPart(m.r, m.components, n, m.member), m.r.NeededSets(m.components, n), how)
	if err != nil {
		return err
	}
	levels := l.sets() + 1
	if err := m.work.Reserve(4 * len(l.used)); err != nil {
		return err
	}
	l.number = make([]automata.State, len(l.used))
	for i, s := range states {
		m.entered[s] = automata.State(len(m.copies))
		for level := range levels {
			if at := i*levels + level; l.used[at] {
				if l.number[at], err = m.add(s, level); err != nil {
					return err
				}
			}
		}
	}
	m.levellings[n] = l
	return nil
}

// build makes the edges of all copies.
func (m *copying) build() error {
	r := m.r
	if err := m.work.Reserve(24 * len(m.copies)); err != nil {
		return err
	}
	out := make([][]marked.Link, len(m.copies))
	for i, k := range m.copies {
		n := m.components.Of(k.state)
		l, decide := &m.levellings[n], m.meanings[n] == marked.MarksDecide
		marks := uint64(0)
		if m.meanings[n] == marked.AllAccepted || decide && k.level == l.sets() {
			marks = 1
		}
		if err := account.Room(m.work, out[i], len(r.Out[k.state])); err != nil {
			return err
		}
		out[i] = make([]marked.Link, 0, len(r.Out[k.state]))
		for j, e := range r.Out[k.state] {
			to := m.entered[e.To]
			if decide && m.components.Of(e.To) == n {
				own := l.marks[l.of.start[m.member[k.state]]+uint32(j)]
				to = l.number[int(m.member[e.To])*(l.sets()+1)+l.next(k.level, own)]
			}
			out[i] = append(out[i], marked.Link{To: to, Marks: marks, Label: e.Label})
		}
	}
	for i, s := range r.Initial {
		r.Initial[i] = m.entered[s]
	}
	r.Out, r.Sets = out, 1
	for s := range r.Out {
		r.Merge(automata.State(s))
	}
	return r.Functions.Err()
}

// levelling says how one component counts its acceptance sets.
type levelling struct {
	of     *part
	order  []int            // the sets, in the order in which they are waited for
	marks  []uint64         // of the component's edges, where they count
	used   []bool           // the copies that there are, by member × levels + level
	copies int              // how many
	number []automata.State // of the copies
}

// sets returns how many acceptance sets the component waits for.
func (l *levelling) sets() int { return len(l.order) }

// next returns the level after an edge with these marks. One edge may climb several levels, if it
// is in several sets that are waited for one after the other. Level sets() is level 0 that accepts.
//
// For example, with the order 0, 1, 2 an edge in the sets 0 and 1 leads from level 0 to level 2:
// both sets that are waited for are seen at once. An edge in set 2 then leads to level 3, which
// accepts, and one in set 0 from there to level 1.
func (l *levelling) next(level int, marks uint64) int {
	if level == l.sets() {
		level = 0
	}
	for level < l.sets() && marks>>l.order[level]&1 == 1 {
		level++
	}
	return level
}

// useCopies chooses which copies of the component there are: those of a smallest
// set of copies that has one of each state and is closed under edges inside.
//
// All copies with their edges are a graph of states × (sets + 1) nodes. Any strongly connected
// component of it that no edge leaves will do: as the states themselves are strongly connected, it
// has a copy of each. It takes the smallest of these. So levels that are passed on the way in only
// are not there. Linear in the copies and their edges.
func (l *levelling) useCopies(work *account.Account) error {
	p, size := l.of, l.sets()+1
	nodes := size * len(p.states)
	if err := work.Reserve(nodes*bytesPerNode + 4*size*p.inside()); err != nil {
		return err
	}
	start, destination := make([]uint32, 1, nodes+1), make([]automata.State, 0, size*p.inside())
	for s := range p.states {
		for level := range size {
			for e := p.start[s]; e < p.start[s+1]; e++ {
				if p.to[e] != outside {
					destination = append(destination, automata.State(int(p.to[e])*size+l.next(level, l.marks[e])))
				}
			}
			start = append(start, uint32(len(destination)))
		}
	}
	parts := automata.ComponentsOf(start, destination)
	best := automata.Component(0) // has no edge to another one
	for q := range automata.Component(parts.Count()) {
		if len(parts.States(q)) < len(parts.States(best)) && isClosed(parts, q, start, destination) {
			best = q
		}
	}
	l.used, l.copies = make([]bool, nodes), len(parts.States(best))
	for _, k := range parts.States(best) {
		l.used[k] = true
	}
	return nil
}

// bytesPerNode is what a copy takes while components of copies are found.
const bytesPerNode = 24

// isClosed reports whether no edge leaves component q.
func isClosed(parts *automata.Components, q automata.Component, start []uint32, destination []automata.State) bool {
	for _, k := range parts.States(q) {
		for _, to := range destination[start[k]:start[k+1]] {
			if parts.Of(to) != q {
				return false
			}
		}
	}
	return true
}

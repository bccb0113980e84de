package testingautomata

import (
	"context"
	"encoding/binary"
	"slices"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/internal/marked"
	"pnmc/internal/account"
)

// Marks of testing automata with livelock acceptance and one acceptance set beside. With
// n of them, they come first, and the others move (see reducible.livelockMarkOf).
const (
	// buchiMark is on the edges that change something and leave an accepting state.
	buchiMark = 1 << iota
	// livelockMark is on the stuttering loop of a livelock-accepting state.
	livelockMark
	// changeMark is on all edges that change something, once the automaton is built.
	changeMark
)

// livelock makes the testing automaton of an expanded automaton (2012, Properties 2 and 3). A node
// accepts livelock if stuttering reaches a component from it that accepts by stuttering. Edges that
// stutter are left out. The loop that stands for implicit stuttering is explicit, so that each node
// has one. State 0 is the root.
//
// There are two ways to be accepted. A run that changes something again and again is accepted by
// the sets of its changes, as in a Büchi automaton. A run that stutters for ever from some point on
// is accepted if it does so in a node that accepts livelock. A TGTA has one way only, at the price
// of more edges. There, an edge leads to every component in which a run may stutter for ever. Here,
// the node before it is marked instead.
//
// For example, F a, whose nodes are listed at expansion. Node (0, a) stutters to (1, -), which
// accepts by stuttering. So both accept livelock. The change of a leads from (0, !a) to (0, a)
// only. The step from (0, a) to (1, -), which is for stuttering, is gone.
func (x *expansion) livelock() (*marked.Reducible, error) {
	s := x.stutter()
	accepts := s.livelocks()
	t := &marked.Reducible{Propositions: x.Propositions, Functions: x.Functions, Initial: []automata.State{0}, Graph: marked.Graph{Sets: x.Sets + 1, Out: make([][]marked.Link, len(x.nodes)+1)}}
	for _, n := range x.starts {
		t.Out[0] = append(t.Out[0], marked.Link{To: automata.State(n + 1), Marks: 0, Label: x.startLabel(n)})
	}
	for n := range x.nodes {
		loop := marked.Link{To: automata.State(n + 1), Marks: 0, Label: x.changes(x.relevant(uint32(n)), 0)}
		if accepts[n] {
			loop.Marks = livelockMarkOf(t)
		}
		t.Out[n+1] = append(t.Out[n+1], loop)
		err := s.changing(uint32(n), func(to uint32, marks uint64, label bdd.Function) error {
			if err := account.Room(s.account, t.Out[n+1], 1); err != nil {
				return err
			}
			t.Out[n+1] = append(t.Out[n+1], marked.Link{To: automata.State(to + 1), Marks: marks, Label: label})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for n := range t.Out {
		t.Merge(automata.State(n))
	}
	return t, t.Functions.Err()
}

// livelockMarkOf and changeMarkOf are those of an automaton whose last set is that of
// livelocks, while it is made; buchiMarksOf are the sets before.
func livelockMarkOf(r *marked.Reducible) uint64 { return 1 << (r.Sets - 1) }
func changeMarkOf(r *marked.Reducible) uint64   { return 1 << r.Sets }
func buchiMarksOf(r *marked.Reducible) uint64   { return livelockMarkOf(r) - 1 }

// livelocks returns for each node whether a run that stutters for ever from there
// can be accepted: whether its component accepts by stuttering, or stuttering leads to one that does.
func (s *stuttering) livelocks() []bool {
	accepts := make([]bool, len(s.nodes))
	for c := range s.parts.Count() { // successors have lower numbers
		part := s.parts.States(automata.Component(c))
		accepting := s.accepted[c] || slices.ContainsFunc(part, func(n automata.State) bool {
			return slices.ContainsFunc(s.graph.Out[n], func(e marked.Link) bool { return accepts[e.To] })
		})
		for _, n := range part {
			accepts[n] = accepting
		}
	}
	return accepts
}

// isLoop reports whether e, out of s, is the edge that stands for stuttering.
func isLoop(r *marked.Reducible, s automata.State, e marked.Link) bool {
	return e.To == s && r.Functions.Holds(e.Label, 0)
}

// pruneLivelock drops the states that no run reaches or from which no run is accepted. It gives
// equal marks to changes that accept equally. In a component where no cycle of changes is
// accepted they get no sets. In one where every such cycle is accepted they get all sets. So
// more states are bisimilar. Its error is that of ctx.
func pruneLivelock(ctx context.Context, r *marked.Reducible) error {
	root := r.Initial[0]
	// Cycles are those of edges that change something: the graph without loops
	// that stutter, but with those of edges with changes.
	graph := marked.Graph{Sets: r.Sets - 1, Out: make([][]marked.Link, len(r.Out))}
	livelock := make([]bool, len(r.Out))
	work := account.Of(ctx)
	for s, out := range r.Out {
		if err := account.Room(work, graph.Out[s], len(out)); err != nil {
			return err
		}
		graph.Out[s] = make([]marked.Link, 0, len(out))
		for _, e := range out {
			switch {
			case e.Marks&livelockMarkOf(r) != 0:
				livelock[s] = true
			case automata.State(s) != root && isLoop(r, automata.State(s), e):
			default:
				graph.Out[s] = append(graph.Out[s], marked.Link{To: e.To, Marks: e.Marks & buchiMarksOf(r)})
			}
		}
	}
	c, meanings, err := graph.NormalizeMarks(ctx)
	if err != nil {
		return err
	}
	useful := make([]bool, c.Count())
	for n := range useful {
		useful[n] = meanings[n] != marked.NoneAccepted
		for _, s := range c.States(automata.Component(n)) {
			useful[n] = useful[n] || livelock[s]
			for _, e := range graph.Out[s] {
				useful[n] = useful[n] || useful[c.Of(e.To)]
			}
		}
	}
	keep := r.Reachable()
	for s := range keep {
		n := c.Of(automata.State(s))
		keep[s] = keep[s] && useful[n] || automata.State(s) == root
		for i, e := range r.Out[s] {
			if automata.State(s) == root || e.Marks&livelockMarkOf(r) != 0 || isLoop(r, automata.State(s), e) {
				continue
			}
			switch meanings[n] {
			case marked.NoneAccepted:
				r.Out[s][i].Marks = 0
			case marked.AllAccepted:
				r.Out[s][i].Marks = buchiMarksOf(r)
			}
		}
	}
	r.Keep(keep)
	return nil
}

// doing is what a state of a livelock automaton does, but for the marks of its changes.
type doing struct {
	loop  uint64 // marks of the loop that stutters
	label bdd.Function
	rest  string // destinations and labels of the other edges
}

// doingOf returns what s does, and the marks of its first edge that changes something; false if
// it has none.
func doingOf(r *marked.Reducible, s automata.State) (d doing, marks uint64, changes bool) {
	var rest []byte
	for _, e := range r.Out[s] {
		if isLoop(r, s, e) {
			d.loop, d.label = e.Marks, e.Label
			continue
		}
		if !changes {
			marks, changes = e.Marks, true
		}
		rest = binary.LittleEndian.AppendUint32(rest, uint32(e.To))
		rest = binary.LittleEndian.AppendUint32(rest, uint32(e.Label))
	}
	d.rest = string(rest)
	return d, marks, changes
}

// alike are states that do the same but for marks, which are those of each, and become
// equal in time.
type alike struct {
	states []automata.State
	marks  []uint64
	equal  bool // all have the same marks
}

// borrowPerLook is how many states are compared between two looks at the context.
const borrowPerLook = 1 << 14

// borrowLivelockMarks gives states on no cycle of changes the Büchi marks of another state that
// does the same otherwise, so that the two can be merged. A run takes changes out of such a state
// finitely often, so that their marks do not matter.
func borrowLivelockMarks(ctx context.Context, r *marked.Reducible) error {
	c := r.Components()
	root := r.Initial[0]
	groups := map[doing]*alike{}
	group, place := make([]*alike, len(r.Out)), make([]int, len(r.Out))
	for i := range r.Out {
		s := automata.State(i)
		if i%borrowPerLook == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		d, marks, changes := doingOf(r, s)
		if s == root || !changes {
			continue
		}
		g := groups[d]
		if g == nil {
			g = &alike{}
			groups[d] = g
		}
		group[s], place[s] = g, len(g.states)
		g.states, g.marks = append(g.states, s), append(g.marks, marks)
	}
	work := 0
	for i, g := range group {
		s := automata.State(i)
		if g == nil || g.equal || len(g.states) == 1 {
			continue
		}
		if work += len(r.Out[s]) + len(g.states); work > borrowPerLook {
			work = 0
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if slices.ContainsFunc(r.Out[s], func(e marked.Link) bool { return !isLoop(r, s, e) && c.Of(e.To) == c.Of(s) }) {
			continue
		}
		own := g.marks[place[s]]
		other := slices.IndexFunc(g.marks, func(m uint64) bool { return m != own })
		if other < 0 {
			g.equal = true // and stays so, as marks are borrowed within a group alone
			continue
		}
		g.marks[place[s]] = g.marks[other]
		for j, e := range r.Out[s] {
			if !isLoop(r, s, e) {
				r.Out[s][j].Marks = g.marks[other]
			}
		}
	}
	return nil
}

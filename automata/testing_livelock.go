package automata

import "slices"

// Marks of testing automata with livelock acceptance and one acceptance set beside. With
// n of them, they come first, and the others move (see reducible.livelockMark).
const (
	// buchiMark is on the edges that change something and leave an accepting state.
	buchiMark = 1 << iota
	// livelockMark is on the stuttering loop of a livelock-accepting state.
	livelockMark
	// changeMark is on all edges that change something, once the automaton is built.
	changeMark
)

// livelock makes the testing automaton of an expanded automaton (2012, Properties 2 and 3): nodes from which
// stuttering reaches a component that accepts by stuttering accept livelock, and
// edges that stutter are left out. The loop that stands for implicit stuttering
// is explicit, so that each node has one. State 0 is the root.
func (x *expansion) livelock() (*reducible, error) {
	s := x.stutter()
	accepts := s.livelocks()
	t := &reducible{propositions: x.propositions, functions: x.functions, sets: x.sets + 1, initial: []State{0}, out: make([][]link, len(x.nodes)+1)}
	for _, n := range x.starts {
		t.out[0] = append(t.out[0], link{State(n + 1), 0, x.startLabel(n)})
	}
	for n := range x.nodes {
		loop := link{State(n + 1), 0, x.changes(x.relevant(uint32(n)), 0)}
		if accepts[n] {
			loop.marks = t.livelockMark()
		}
		t.out[n+1] = append(t.out[n+1], loop)
		err := s.changing(uint32(n), func(to uint32, marks uint64, label Function) {
			t.out[n+1] = append(t.out[n+1], link{State(to + 1), marks, label})
		})
		if err != nil {
			return nil, err
		}
	}
	for n := range t.out {
		t.merge(State(n))
	}
	return t, t.functions.Err()
}

// livelockMark and changeMark are those of an automaton whose last set is that of
// livelocks, while it is made; buchiMarks are the sets before.
func (r *reducible) livelockMark() uint64 { return 1 << (r.sets - 1) }
func (r *reducible) changeMark() uint64   { return 1 << r.sets }
func (r *reducible) buchiMarks() uint64   { return r.livelockMark() - 1 }

// livelocks tells of each node whether a run that stutters for ever from there
// can be accepted.
func (s *stuttering) livelocks() []bool {
	accepts := make([]bool, len(s.nodes))
	for c := range s.parts.Count() { // successors have lower numbers
		part := s.parts.States(Component(c))
		accepting := s.accepted[c] || slices.ContainsFunc(part, func(n State) bool {
			return slices.ContainsFunc(s.graph.out[n], func(e link) bool { return accepts[e.to] })
		})
		for _, n := range part {
			accepts[n] = accepting
		}
	}
	return accepts
}

// isLoop tells whether e, out of s, is the edge that stands for stuttering.
func (r *reducible) isLoop(s State, e link) bool {
	return e.to == s && r.functions.Holds(e.label, 0)
}

// pruneLivelock drops the states that no run reaches or from which no run is
// accepted, and makes accepting exactly the states of components without cycle
// of changes that avoids accepting states, or those on such cycles.
func (r *reducible) pruneLivelock() {
	root := r.initial[0]
	// Cycles are those of edges that change something: the graph without loops
	// that stutter, but with those of edges with changes.
	graph := &reducible{sets: r.sets - 1, out: make([][]link, len(r.out))}
	livelock := make([]bool, len(r.out))
	for s, out := range r.out {
		for _, e := range out {
			switch {
			case e.marks&r.livelockMark() != 0:
				livelock[s] = true
			case State(s) != root && r.isLoop(State(s), e):
			default:
				graph.out[s] = append(graph.out[s], link{e.to, e.marks & r.buchiMarks(), TrueFunction})
			}
		}
	}
	c, meanings := graph.normalizeMarks()
	useful := make([]bool, c.Count())
	for n := range useful {
		useful[n] = meanings[n] != noneAccepted
		for _, s := range c.States(Component(n)) {
			useful[n] = useful[n] || livelock[s]
			for _, e := range graph.out[s] {
				useful[n] = useful[n] || useful[c.Of(e.to)]
			}
		}
	}
	keep := r.reachable()
	for s := range keep {
		n := c.Of(State(s))
		keep[s] = keep[s] && useful[n] || State(s) == root
		for i, e := range r.out[s] {
			if State(s) == root || e.marks&r.livelockMark() != 0 || r.isLoop(State(s), e) {
				continue
			}
			switch meanings[n] {
			case noneAccepted:
				r.out[s][i].marks = 0
			case allAccepted:
				r.out[s][i].marks = r.buchiMarks()
			}
		}
	}
	r.keep(keep)
}

// borrowLivelockMarks gives states on no cycle of changes the Büchi mark of
// another state that does the same otherwise.
func (r *reducible) borrowLivelockMarks() {
	c := r.components()
	root := r.initial[0]
	kind := func(s State) (loop uint64, label Function, rest []link) {
		for _, e := range r.out[s] {
			if r.isLoop(s, e) {
				loop, label = e.marks, e.label
			} else {
				rest = append(rest, e)
			}
		}
		return loop, label, rest
	}
	for s := range r.out {
		loop, label, rest := kind(State(s))
		if State(s) == root || len(rest) == 0 || slices.ContainsFunc(rest, func(e link) bool { return c.Of(e.to) == c.Of(State(s)) }) {
			continue
		}
		for t := range r.out {
			if t == s || State(t) == root {
				continue
			}
			otherLoop, otherLabel, other := kind(State(t))
			if loop == otherLoop && label == otherLabel && len(other) > 0 && other[0].marks != rest[0].marks &&
				slices.EqualFunc(rest, other, func(e, f link) bool { return e.to == f.to && e.label == f.label }) {
				for i, e := range r.out[s] {
					if !r.isLoop(State(s), e) {
						r.out[s][i].marks = other[0].marks
					}
				}
				break
			}
		}
	}
}

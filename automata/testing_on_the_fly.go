package automata

import (
	"cmp"
	"context"
	"encoding/binary"
	"math/bits"
	"pnmc/internal/bitset"
	"slices"
)

// TestingOnTheFly is a TGTA or TA that is built as a product asks for it: only
// what a run of the system can synchronize with comes into being, however many
// propositions there are.
//
// Valuations come in as letters: those that take the same edges of the automaton
// are one. A state is what is left of a pair of an automaton state and a letter
// once the letter has been read: the edges that were taken, called moves. Pairs
// with the same moves are one state. A change of letter that no label reachable
// by the moves sees is stuttering, if the languages of all states of the
// automaton are known to be stutter-invariant; otherwise only a change that no
// label of the automaton sees. Not safe for concurrent use.
type TestingOnTheFly struct {
	kind     Kind
	of       *reducible
	v        Invariance
	labels   map[Function]int // number of each distinct label
	seen     [][]uint64       // of each automaton state: the labels reachable from it
	whole    []uint64         // all labels
	terminal []bool           // automaton states that accept every word
	letters  []letterView
	letterOf map[string]uint32
	states   []testingState
	stateOf  map[string]uint32
}

// testingState is what is left once a letter was read.
type testingState struct {
	moves []move
	// exact: stuttering is kept step by step.
	exact bool
	// loop are the marks of stuttering for ever.
	loop uint64
	// change are the marks added to each other step.
	change uint64
	// sees are the labels whose change is not stuttering.
	sees []uint64
}

// letterView is what a letter makes of the automaton.
type letterView struct {
	holds   []uint64 // labels
	moves   [][]move // of each automaton state
	loop    []uint64 // of each automaton state: marks of stuttering for ever
	entries [][]State
}

// TestingStep is a step of a testing automaton.
type TestingStep struct {
	To    uint32
	Marks uint64
}

// The acceptance sets of TA, as bits of TestingStep.Marks.
const (
	// BuchiMark: a change out of a Büchi-accepting state.
	BuchiMark = buchiMark
	// LivelockMark: stuttering in a livelock-accepting state.
	LivelockMark = livelockMark
	// ChangeMark: a step that is not stuttering.
	ChangeMark = changeMark
)

// NewTestingOnTheFly prepares a TGTA or TA of a, which has generalized Büchi
// acceptance, no state that no accepted run visits (see NewTGTA), and is degeneralized
// first for a TA. An error for a TA is ErrNotStutterInvariant or ErrStutterUnknown.
func NewTestingOnTheFly(ctx context.Context, kind Kind, a *Automaton, v Invariance) (*TestingOnTheFly, error) {
	if kind == TA {
		var err error
		if a, v, err = degeneralizeInvariant(ctx, a, v); err != nil {
			return nil, err
		}
	}
	r, err := newReducible(ctx, a)
	if err != nil {
		return nil, err
	}
	t := &TestingOnTheFly{kind: kind, of: r, v: v, labels: map[Function]int{}, letterOf: map[string]uint32{}, stateOf: map[string]uint32{}}
	for _, out := range r.out {
		for _, e := range out {
			if _, known := t.labels[e.label]; !known {
				t.labels[e.label] = len(t.labels)
			}
		}
	}
	t.findSeen()
	components := FindComponents(a)
	strengths := Strengths(ctx, a, components)
	for s := range State(a.States()) {
		t.terminal = append(t.terminal, strengths[components.Of(s)] == Terminal)
	}
	return t, r.functions.Err()
}

// findSeen collects the labels reachable from each state.
func (t *TestingOnTheFly) findSeen() {
	words := WordsFor(len(t.labels))
	t.seen = make([][]uint64, len(t.of.out))
	t.whole = make([]uint64, words)
	for i := range len(t.labels) {
		t.whole[i/64] |= 1 << (i % 64)
	}
	c := t.of.components()
	for n := range c.Count() { // successors have lower numbers
		seen := make([]uint64, words)
		for _, s := range c.States(Component(n)) {
			for _, e := range t.of.out[s] {
				i := t.labels[e.label]
				seen[i/64] |= 1 << (i % 64)
				for w, m := range t.seen[e.to] {
					seen[w] |= m
				}
			}
		}
		for _, s := range c.States(Component(n)) {
			t.seen[s] = seen
		}
	}
}

// Kind is TGTA or TA.
func (t *TestingOnTheFly) Kind() Kind { return t.kind }

// Sets is the number of acceptance sets of a TGTA.
func (t *TestingOnTheFly) Sets() int { return t.of.sets }

// States is the number of states that were met.
func (t *TestingOnTheFly) States() int { return len(t.states) }

// Universal tells, if it is true, that state n accepts whatever follows, which does
// not depend on the letter it has read.
func (t *TestingOnTheFly) Universal(n, _ uint32) bool {
	return slices.ContainsFunc(t.states[n].moves, func(m move) bool { return t.terminal[m.to] })
}

// Letter is the letter of a valuation. It takes time linear in the distinct
// labels, and for a new letter in the edges.
func (t *TestingOnTheFly) Letter(v Valuation) uint32 {
	holds := make([]uint64, len(t.whole))
	for g, i := range t.labels {
		if t.of.functions.HoldsFor(g, v) {
			holds[i/64] |= 1 << (i % 64)
		}
	}
	key := bitset.Key(holds)
	l, known := t.letterOf[string(key)]
	if !known {
		l = uint32(len(t.letters))
		t.letterOf[string(key)] = l
		t.letters = append(t.letters, t.view(holds))
	}
	return l
}

// view finds the moves for a letter and where they stutter for ever.
func (t *TestingOnTheFly) view(holds []uint64) letterView {
	r := t.of
	l := letterView{holds: holds, moves: make([][]move, len(r.out)), loop: make([]uint64, len(r.out)), entries: make([][]State, len(r.out))}
	graph := &reducible{sets: r.sets, out: make([][]link, len(r.out))}
	for s, out := range r.out {
		for _, e := range out {
			if i := t.labels[e.label]; holds[i/64]>>(i%64)&1 == 1 {
				// The edges of a state are sorted by destination. Those to the same
				// state count as one with the marks of all: see disjointMarks.
				if n := len(l.moves[s]); n > 0 && l.moves[s][n-1].to == e.to {
					l.moves[s][n-1].marks |= e.marks
				} else {
					l.moves[s] = append(l.moves[s], move{e.to, e.marks})
				}
				graph.out[s] = append(graph.out[s], e)
			}
		}
	}
	c := graph.components()
	accepting := graph.acceptingComponents(c)
	lasts := func(s State) bool { return accepting[c.Of(s)] }
	for n := range c.Count() {
		for _, s := range c.States(Component(n)) {
			switch {
			case lasts(s) && t.kind == TGTA:
				l.loop[s] = r.all()
			case lasts(s) || t.kind == TA && slices.ContainsFunc(graph.out[s], func(e link) bool { return l.loop[e.to] != 0 }):
				l.loop[s] = livelockMark
			}
		}
		if t.kind == TA { // what one state of a component reaches the others reach
			for _, s := range c.States(Component(n)) {
				for _, u := range c.States(Component(n)) {
					l.loop[s] |= l.loop[u]
				}
			}
		}
	}
	for s := range r.out {
		l.entries[s] = t.entriesOf(graph, c, lasts, State(s))
	}
	return l
}

// entriesOf are the automaton states where an edge to s leads when steps that
// stutter are left out, as stuttering.entries has it.
func (t *TestingOnTheFly) entriesOf(graph *reducible, c *Components, lasts func(State) bool, s State) []State {
	if len(graph.out[s]) == 0 {
		return nil
	}
	list := []State{s}
	if t.kind == TA {
		return list
	}
	seen := map[State]bool{s: true}
	for reached := []State{s}; len(reached) > 0; reached = reached[1:] {
		from := reached[0]
		for _, e := range graph.out[from] {
			if seen[e.to] || lasts(from) && c.Of(from) == c.Of(e.to) {
				continue
			}
			seen[e.to] = true
			reached = append(reached, e.to)
			if lasts(e.to) {
				list = append(list, e.to)
			}
		}
	}
	return list
}

// state numbers the state after automaton state s has read letter l.
func (t *TestingOnTheFly) state(s State, l uint32, exact bool) uint32 {
	view := &t.letters[l]
	moves := view.moves[s]
	x := testingState{moves: moves, exact: exact, loop: view.loop[s]}
	if exact {
		x.loop = 0
	}
	if t.kind == TA {
		x.change = changeMark
		if moves[0].marks != 0 {
			x.change |= buchiMark
		}
	}
	key := append(binary.LittleEndian.AppendUint64(nil, x.loop), 0)
	if exact {
		key[len(key)-1] = 1
	}
	for _, m := range moves {
		key = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(key, uint64(m.to)), m.marks)
	}
	n, known := t.stateOf[string(key)]
	if !known {
		x.sees = t.whole
		if t.v.all() {
			x.sees = make([]uint64, len(t.whole))
			for _, m := range moves {
				for w, seen := range t.seen[m.to] {
					x.sees[w] |= seen
				}
			}
		}
		n = uint32(len(t.states))
		t.stateOf[string(key)] = n
		t.states = append(t.states, x)
	}
	return n
}

// Initial are the states where a run starts whose first letter is l.
func (t *TestingOnTheFly) Initial(l uint32) []uint32 {
	var list []uint32
	for _, s := range t.of.initial {
		t.enter(s, l, true, func(n uint32) {
			if !slices.Contains(list, n) {
				list = append(list, n)
			}
		})
	}
	slices.SortStableFunc(list, t.compare)
	return list
}

// enter calls f with the states that an edge to automaton state s leads to where
// l is the next letter.
func (t *TestingOnTheFly) enter(s State, l uint32, fromExact bool, f func(uint32)) {
	exact := fromExact && !t.v.Whole && !t.v.States[s]
	if len(t.letters[l].moves[s]) == 0 {
		return
	}
	if exact {
		f(t.state(s, l, true))
		return
	}
	for _, e := range t.letters[l].entries[s] {
		f(t.state(e, l, false))
	}
}

// stutters tells whether in state n the change from one letter to another is
// stuttering: the one step there is then is the loop of n.
func (t *TestingOnTheFly) stutters(n, from, to uint32) bool {
	x := &t.states[n]
	if x.exact {
		return false
	}
	if from == to {
		return true
	}
	for w, mask := range x.sees {
		if (t.letters[from].holds[w]^t.letters[to].holds[w])&mask != 0 {
			return false
		}
	}
	return true
}

// Steps are the steps out of state n when one letter follows another. Of two that
// lead to the same state, and of two of which one simulates the other, one is
// left.
func (t *TestingOnTheFly) Steps(n, from, to uint32) []TestingStep {
	if t.stutters(n, from, to) {
		return []TestingStep{{n, t.states[n].loop}}
	}
	x := t.states[n]
	var steps []TestingStep
	for _, m := range x.moves {
		marks := m.marks
		if t.kind == TA {
			marks = x.change
		}
		t.enter(m.to, to, x.exact, func(d uint32) {
			for i := range steps {
				if steps[i].To == d {
					steps[i].Marks |= marks
					return
				}
			}
			steps = append(steps, TestingStep{d, marks})
		})
	}
	kept := steps[:0]
	for i, s := range steps {
		dominated := slices.ContainsFunc(steps[i+1:], func(o TestingStep) bool { return t.simulates(o, s) }) ||
			slices.ContainsFunc(kept, func(o TestingStep) bool { return t.simulates(o, s) })
		if !dominated {
			kept = append(kept, s)
		}
	}
	slices.SortStableFunc(kept, func(x, y TestingStep) int {
		return cmp.Or(t.compare(x.To, y.To), cmp.Compare(bits.OnesCount64(y.Marks), bits.OnesCount64(x.Marks)))
	})
	return kept
}

// compare orders states by what a search does best to try first: those where
// stuttering is closest to acceptance.
func (t *TestingOnTheFly) compare(m, n uint32) int {
	return cmp.Compare(bits.OnesCount64(t.states[n].loop), bits.OnesCount64(t.states[m].loop))
}

// simulates tells whether o does all that s does, at least as well: it has the
// moves of s, or such with more marks.
func (t *TestingOnTheFly) simulates(o, s TestingStep) bool {
	x, y := &t.states[o.To], &t.states[s.To]
	if o.Marks&s.Marks != s.Marks || x.loop&y.loop != y.loop || x.change&y.change != y.change ||
		x.exact != y.exact || !slices.Equal(x.sees, y.sees) {
		return false
	}
	for _, m := range y.moves {
		if !slices.ContainsFunc(x.moves, func(k move) bool { return k.to == m.to && k.marks&m.marks == m.marks }) {
			return false
		}
	}
	return true
}

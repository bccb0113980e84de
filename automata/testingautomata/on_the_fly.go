package testingautomata

import (
	"cmp"
	"context"
	"encoding/binary"
	"math/bits"
	"slices"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/internal/marked"
	"pnmc/automata/stutter"
	"pnmc/internal/bitset"
)

// OnTheFly is a TGTA or TA that is built as a product asks for it: only
// what a run of the system can synchronize with comes into being, however many
// propositions there are.
//
// The problem: a testing automaton has a state for each pair of a state of the automaton and a
// valuation. There are 2^n valuations for n propositions, and a system meets few of them.
//
// Valuations come in as letters: those that take the same edges of the automaton are one. A state
// is what is left of a pair of an automaton state and a letter once the letter has been read: the
// edges that were taken, called moves. Pairs with the same moves are one state. If the languages
// of all states of the automaton are known to be stutter-invariant, a change of letter is
// stuttering if no label that the moves can reach sees it. Otherwise it is only if no label of
// the automaton sees it. Not safe for concurrent use.
//
// For example, take a U b, with an edge labelled b to the state true, and one labelled a & !b
// back. In the initial state the letter {a} leaves one move, back; so does {a, c} for another
// proposition c: the two letters are one. A system that stays in {a} stutters, which is the loop of
// that state, without marks. The change to {b} takes the move back, and reads b there: its step
// leads to the state whose one move is to true, from where no label sees any change.
//
// Why it is right. Pairs with the same moves have the same future: which edges were possible
// under the letter is all that a run remembers of it. That a system stutters is answered by the
// loop. In a stutter-invariant language, repeating a letter changes nothing, so the state may
// stay. But that alone would lose runs that stutter for ever through edges that are accepted
// again and again. For these the loop has all marks if such edges are there (view). A run may
// also move by stuttering, and then stutter for ever elsewhere. So a step leads to the state that
// it reaches itself, and to all states that stuttering reaches from there and in which it can be
// accepted for ever (entries). Other stuttering moves are left out, as the word without these
// repetitions is accepted, too. Where that is not known of a state, it is exact, and takes each
// step as the automaton does. Of two steps one is left out if the other has its moves and its
// marks (simulates): each run by the one is then also a run by the other.
//
// What it costs: a letter takes time in the edges of the automaton, once, and again for each state
// that an edge leads to before that letter; a step in the moves of the states. There are as many
// states as the system meets sets of moves. The constructions are those
// of package comment; that moves stand for letters is ours.
type OnTheFly struct {
	kind     automata.Kind
	of       *marked.Reducible
	v        stutter.Invariance
	labels   map[bdd.Function]int // number of each distinct label
	seen     [][]uint64           // of each automaton state: the labels reachable from it
	whole    []uint64             // all labels
	terminal []bool               // automaton states that accept every word
	letters  []letterView
	letterOf bitset.Numbers
	states   []testingState
	stateOf  map[string]uint32
	walk     entryWalk
}

// testingState is what is left once a letter was read.
type testingState struct {
	moves []marked.Move
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
	holds   []uint64        // labels
	moves   [][]marked.Move // of each automaton state
	loop    []uint64        // of each automaton state: marks of stuttering for ever
	lasts   []bool          // of each automaton state: stuttering for ever in its component is accepted
	parts   *automata.Components
	entries [][]automata.State // of each automaton state: where edges to it lead, once they were asked for
}

// Step is a step of a testing automaton.
type Step struct {
	To    uint32
	Marks uint64
}

// The acceptance sets of TA, as bits of Step.Marks.
const (
	// BuchiMark: a change out of a Büchi-accepting state.
	BuchiMark = buchiMark
	// LivelockMark: stuttering in a livelock-accepting state.
	LivelockMark = livelockMark
	// ChangeMark: a step that is not stuttering.
	ChangeMark = changeMark
)

// NewOnTheFly prepares a TGTA or TA of a, which has generalized Büchi
// acceptance, no state that no accepted run visits (see NewTGTA), and is degeneralized
// first for a TA. An error for a TA is ErrNotStutterInvariant or ErrStutterUnknown.
func NewOnTheFly(ctx context.Context, kind automata.Kind, a *automata.Automaton, v stutter.Invariance) (*OnTheFly, error) {
	if kind == automata.TA {
		var err error
		if a, v, err = degeneralizeInvariant(ctx, a, v); err != nil {
			return nil, err
		}
	}
	r, err := marked.NewReducible(ctx, a)
	if err != nil {
		return nil, err
	}
	t := &OnTheFly{kind: kind, of: r, v: v, labels: map[bdd.Function]int{}, stateOf: map[string]uint32{}}
	for _, out := range r.Out {
		for _, e := range out {
			if _, known := t.labels[e.Label]; !known {
				t.labels[e.Label] = len(t.labels)
			}
		}
	}
	t.findSeen()
	t.terminal = automata.TerminalStates(ctx, a)
	return t, r.Functions.Err()
}

// findSeen collects the labels reachable from each state.
func (t *OnTheFly) findSeen() {
	words := automata.WordsFor(len(t.labels))
	t.seen = make([][]uint64, len(t.of.Out))
	t.whole = make([]uint64, words)
	for i := range len(t.labels) {
		bitset.Add(t.whole, i)
	}
	c := t.of.Components()
	for n := range c.Count() { // successors have lower numbers
		seen := make([]uint64, words)
		for _, s := range c.States(automata.Component(n)) {
			for _, e := range t.of.Out[s] {
				i := t.labels[e.Label]
				bitset.Add(seen, i)
				for w, m := range t.seen[e.To] {
					seen[w] |= m
				}
			}
		}
		for _, s := range c.States(automata.Component(n)) {
			t.seen[s] = seen
		}
	}
}

// Kind returns TGTA or TA.
func (t *OnTheFly) Kind() automata.Kind { return t.kind }

// Sets returns the number of acceptance sets of a TGTA.
func (t *OnTheFly) Sets() int { return t.of.Sets }

// States returns the number of states that were met.
func (t *OnTheFly) States() int { return len(t.states) }

// Universal reports whether state n is known to accept whatever follows; false means
// unknown. It does not depend on the letter that n has read.
func (t *OnTheFly) Universal(n, _ uint32) bool {
	return slices.ContainsFunc(t.states[n].moves, func(m marked.Move) bool { return t.terminal[m.To] })
}

// Letter returns the letter of a valuation. It takes time linear in the distinct
// labels, and for a new letter in the edges.
func (t *OnTheFly) Letter(v automata.Valuation) uint32 {
	holds := make([]uint64, len(t.whole))
	for g, i := range t.labels {
		if t.of.Functions.HoldsFor(g, v) {
			bitset.Add(holds, i)
		}
	}
	l, fresh := t.letterOf.Of(holds)
	if fresh {
		t.letters = append(t.letters, t.view(holds))
	}
	return l
}

// view finds the moves for a letter and where they stutter for ever.
func (t *OnTheFly) view(holds []uint64) letterView {
	r := t.of
	l := letterView{holds: holds, moves: make([][]marked.Move, len(r.Out)), loop: make([]uint64, len(r.Out)), entries: make([][]automata.State, len(r.Out))}
	graph := &marked.Graph{Sets: r.Sets, Out: make([][]marked.Link, len(r.Out))}
	for s, out := range r.Out {
		for _, e := range out {
			if i := t.labels[e.Label]; bitset.Has(holds, i) {
				// The edges of a state are sorted by destination. Those to the same
				// state count as one with the marks of all: see DisjointMarks.
				if n := len(l.moves[s]); n > 0 && l.moves[s][n-1].To == e.To {
					l.moves[s][n-1].Marks |= e.Marks
				} else {
					l.moves[s] = append(l.moves[s], marked.Move{To: e.To, Marks: e.Marks})
				}
				graph.Out[s] = append(graph.Out[s], e)
			}
		}
	}
	c := graph.Components()
	accepting := graph.AcceptingComponents(c)
	lasts := func(s automata.State) bool { return accepting[c.Of(s)] }
	for n := range c.Count() {
		for _, s := range c.States(automata.Component(n)) {
			switch {
			case lasts(s) && t.kind == automata.TGTA:
				l.loop[s] = r.All()
			case lasts(s) || t.kind == automata.TA && slices.ContainsFunc(graph.Out[s], func(e marked.Link) bool { return l.loop[e.To] != 0 }):
				l.loop[s] = livelockMark
			}
		}
		if t.kind == automata.TA { // what one state of a component reaches the others reach
			union := uint64(0)
			for _, s := range c.States(automata.Component(n)) {
				union |= l.loop[s]
			}
			for _, s := range c.States(automata.Component(n)) {
				l.loop[s] = union
			}
		}
	}
	l.parts, l.lasts = c, make([]bool, len(r.Out))
	for s := range l.lasts {
		l.lasts[s] = lasts(automata.State(s))
	}
	return l
}

// entriesOf returns the automaton states where an edge to s leads before letter l, as stuttering.entries
// has it. They are found when they are first asked for: to find those of all states takes the square of
// the automaton.
func (t *OnTheFly) entriesOf(s automata.State, l uint32) []automata.State {
	view := &t.letters[l]
	if view.entries[s] == nil {
		if t.kind == automata.TA {
			view.entries[s] = []automata.State{s}
		} else {
			view.entries[s] = t.walk.from(s, view)
		}
	}
	return view.entries[s]
}

// entryWalk finds where edges lead when steps that stutter are left out.
type entryWalk struct {
	seen    []uint32 // of each state: the last walk that met it
	walks   uint32
	reached []automata.State // room
}

// from walks from s by the moves for a letter.
func (w *entryWalk) from(s automata.State, l *letterView) []automata.State {
	if w.walks++; w.walks == 0 || w.seen == nil { // numbers of walks are used up
		w.seen, w.walks = make([]uint32, len(l.moves)), 1
	}
	list := []automata.State{s}
	w.seen[s] = w.walks
	w.reached = append(w.reached[:0], s)
	for i := 0; i < len(w.reached); i++ {
		from := w.reached[i]
		for _, m := range l.moves[from] {
			if w.seen[m.To] == w.walks || l.lasts[from] && l.parts.Of(from) == l.parts.Of(m.To) {
				continue
			}
			w.seen[m.To] = w.walks
			w.reached = append(w.reached, m.To)
			if l.lasts[m.To] {
				list = append(list, m.To)
			}
		}
	}
	return list
}

// state numbers the state after automaton state s has read letter l.
func (t *OnTheFly) state(s automata.State, l uint32, exact bool) uint32 {
	view := &t.letters[l]
	moves := view.moves[s]
	x := testingState{moves: moves, exact: exact, loop: view.loop[s]}
	if exact {
		x.loop = 0
	}
	if t.kind == automata.TA {
		x.change = changeMark
		if moves[0].Marks != 0 {
			x.change |= buchiMark
		}
	}
	key := append(binary.LittleEndian.AppendUint64(nil, x.loop), 0)
	if exact {
		key[len(key)-1] = 1
	}
	for _, m := range moves {
		key = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(key, uint64(m.To)), m.Marks)
	}
	n, known := t.stateOf[string(key)]
	if !known {
		x.sees = t.whole
		if t.v.All() {
			x.sees = make([]uint64, len(t.whole))
			for _, m := range moves {
				for w, seen := range t.seen[m.To] {
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

// Initial returns the states where a run starts whose first letter is l.
func (t *OnTheFly) Initial(l uint32) []uint32 {
	var list []uint32
	for _, s := range t.of.Initial {
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
func (t *OnTheFly) enter(s automata.State, l uint32, fromExact bool, f func(uint32)) {
	exact := fromExact && !t.v.Whole && !t.v.States[s]
	if len(t.letters[l].moves[s]) == 0 {
		return
	}
	if exact {
		f(t.state(s, l, true))
		return
	}
	for _, e := range t.entriesOf(s, l) {
		f(t.state(e, l, false))
	}
}

// stutters reports whether in state n the change from one letter to another is
// stuttering: the one step there is then is the loop of n.
func (t *OnTheFly) stutters(n, from, to uint32) bool {
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

// Steps returns the steps out of state n when one letter follows another. If two lead
// to the same state, or one simulates the other, one of the two is left.
func (t *OnTheFly) Steps(n, from, to uint32) []Step {
	if t.stutters(n, from, to) {
		return []Step{{n, t.states[n].loop}}
	}
	x := t.states[n]
	var steps []Step
	for _, m := range x.moves {
		marks := m.Marks
		if t.kind == automata.TA {
			marks = x.change
		}
		t.enter(m.To, to, x.exact, func(d uint32) {
			for i := range steps {
				if steps[i].To == d {
					steps[i].Marks |= marks
					return
				}
			}
			steps = append(steps, Step{d, marks})
		})
	}
	kept := steps[:0]
	for i, s := range steps {
		dominated := slices.ContainsFunc(steps[i+1:], func(o Step) bool { return t.simulates(o, s) }) ||
			slices.ContainsFunc(kept, func(o Step) bool { return t.simulates(o, s) })
		if !dominated {
			kept = append(kept, s)
		}
	}
	slices.SortStableFunc(kept, func(x, y Step) int {
		return cmp.Or(t.compare(x.To, y.To), cmp.Compare(bits.OnesCount64(y.Marks), bits.OnesCount64(x.Marks)))
	})
	return kept
}

// compare orders states by what a search does best to try first: those where
// stuttering is closest to acceptance.
func (t *OnTheFly) compare(m, n uint32) int {
	return cmp.Compare(bits.OnesCount64(t.states[n].loop), bits.OnesCount64(t.states[m].loop))
}

// simulates reports whether o does all that s does, at least as well: it has the
// moves of s, or such with more marks.
func (t *OnTheFly) simulates(o, s Step) bool {
	x, y := &t.states[o.To], &t.states[s.To]
	if o.Marks&s.Marks != s.Marks || x.loop&y.loop != y.loop || x.change&y.change != y.change ||
		x.exact != y.exact || !slices.Equal(x.sees, y.sees) {
		return false
	}
	for _, m := range y.moves {
		if !slices.ContainsFunc(x.moves, func(k marked.Move) bool { return k.To == m.To && k.Marks&m.Marks == m.Marks }) {
			return false
		}
	}
	return true
}

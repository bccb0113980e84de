package automatatest

import (
	"encoding/binary"
	"errors"
	"slices"

	"pnmc/automata"
)

// SliceComplement is the complement of a nondeterministic automaton, computed as
// its states are asked for, and numbered as they are met; state 0 is the only
// initial one. It is a Büchi automaton with acceptance on edges.
//
// The construction is that of Kähler and Wilke ("Complementation, disambiguation,
// and determinization of Büchi automata unified", ICALP 2008), on edges. The runs
// of a over a word form a tree, in which of the runs to one state only the one
// that took accepting edges earliest is kept. A level of it is a list of disjoint
// sets of states, the successors of each by accepting edges coming before those by
// others ("left" and "right"). The word is rejected if and only if from some level
// on no infinite branch goes left. The complement guesses that level: from then on,
// what goes left is an obligation, a set of states whose runs must all end. It
// accepts when all pending obligations have ended again and again.
//
// A Büchi automaton with n states has a complement with at most 4·(3n)^n states.
//
// It is the twin of complement.Complementation, which does this for single components only, and for
// others something simpler: the two must accept the same words. It shares no code with it.
type SliceComplement struct {
	buchi  *automata.Automaton
	limit  int
	number map[string]uint32
	states [][]stateSet
	seen   []uint32 // of each state of buchi: the step in which it was last met
	step   uint32
}

// ErrTooManySlices means that a SliceComplement has more states than its limit.
var ErrTooManySlices = errors.New("the complement has too many states")

// NewSliceComplement returns the complement of an automaton with one acceptance set, Büchi's,
// of which at most limit states may be asked for.
func NewSliceComplement(buchi *automata.Automaton, limit int) (*SliceComplement, error) {
	c := &SliceComplement{buchi: buchi, limit: limit, number: map[string]uint32{}, seen: make([]uint32, buchi.States())}
	first := stateSet{states: slices.Clone(buchi.Initial())}
	slices.Sort(first.states)
	var level []stateSet
	if len(first.states) > 0 {
		level = append(level, first)
	}
	_, err := c.intern(level)
	return c, err
}

// Known returns the number of states that have a number.
func (c *SliceComplement) Known() int { return len(c.states) }

// Out calls add for each edge that leaves s. The labels are disjoint but for the
// guess, by which there are two edges for a valuation.
func (c *SliceComplement) Out(s uint32, add func(l automata.Label, accepting bool, to uint32)) error {
	level := c.states[s]
	var edges []automata.Edge
	for _, x := range level {
		for _, t := range x.states {
			for e, end := c.buchi.Out(t); e < end; e++ {
				edges = append(edges, e)
			}
		}
	}
	type target struct {
		to        uint32
		accepting bool
	}
	var targets []target
	labels := map[target]automata.Label{}
	reach := func(next []stateSet, accepting bool, path automata.Cube) error {
		to, err := c.intern(next)
		x := target{to, accepting}
		if _, known := labels[x]; !known {
			targets = append(targets, x)
		}
		labels[x] = append(labels[x], path)
		return err
	}
	undecidedLabels := make([]automata.Label, len(edges))
	for i, e := range edges {
		undecidedLabels[i] = c.buchi.Label(e)
	}
	err := c.forEachLetter(edges, undecidedLabels, map[automata.Edge]bool{}, automata.NewCube(len(c.buchi.Propositions)), func(taken map[automata.Edge]bool, path automata.Cube) error {
		if len(level) > 0 && level[0].role != openEnd || len(level) == 0 {
			next, accepting := c.decidedSuccessor(level, taken)
			return reach(next, accepting, path)
		}
		if err := reach(c.undecidedSuccessor(level, taken), false, path); err != nil {
			return err
		}
		guess := slices.Clone(level)
		for i := range guess {
			guess[i].role = rightBranch
		}
		next, accepting := c.decidedSuccessor(guess, taken)
		return reach(next, accepting, path)
	})
	for _, x := range targets {
		add(labels[x], x.accepting, x.to)
	}
	return err
}

// forEachLetter calls visit for sets of valuations, given as disjoint cubes, that
// match the same edges.
func (c *SliceComplement) forEachLetter(edges []automata.Edge, labels []automata.Label, taken map[automata.Edge]bool, path automata.Cube, visit func(map[automata.Edge]bool, automata.Cube) error) error {
	for i, e := range edges {
		taken[e] = false
		for _, cube := range labels[i] {
			if cube.Literals() == 0 {
				taken[e] = true
			}
		}
	}
	for i, e := range edges {
		if taken[e] || len(labels[i]) == 0 {
			continue
		}
		p, _ := labels[i].FirstProposition()
		for _, value := range [2]bool{false, true} {
			narrowed := make([]automata.Label, len(labels))
			for j, l := range labels {
				narrowed[j] = l.Where(p, value)
			}
			if err := c.forEachLetter(edges, narrowed, taken, path.With(p, value), visit); err != nil {
				return err
			}
		}
		return nil
	}
	return visit(taken, path)
}

// successors returns the states that edges with or without a mark lead to from x, but
// for those met in this step before.
func (c *SliceComplement) successors(x stateSet, taken map[automata.Edge]bool, marked, unmarked bool) []automata.State {
	var states []automata.State
	for _, s := range x.states {
		for e, end := c.buchi.Out(s); e < end; e++ {
			isMarked := c.buchi.Marks(e).Has(0)
			d := c.buchi.Destination(e)
			if taken[e] && (isMarked && marked || !isMarked && unmarked) && c.seen[d] != c.step {
				c.seen[d] = c.step
				states = append(states, d)
			}
		}
	}
	slices.Sort(states)
	return states
}

// undecidedSuccessor returns the next level of the tree.
func (c *SliceComplement) undecidedSuccessor(level []stateSet, taken map[automata.Edge]bool) []stateSet {
	c.step++
	var next []stateSet
	for _, x := range level {
		for _, marked := range [2]bool{true, false} {
			if states := c.successors(x, taken, marked, !marked); len(states) > 0 {
				next = append(next, stateSet{openEnd, states})
			}
		}
	}
	return next
}

// decidedSuccessor returns the next level after the guess, and whether no obligation is
// left of those pending, so that those made later take their turn.
func (c *SliceComplement) decidedSuccessor(level []stateSet, taken map[automata.Edge]bool) ([]stateSet, bool) {
	c.step++
	var next []stateSet
	accepting := true
	// Neighbours of one role other than branch are one: how their runs compare
	// does not matter any more.
	put := func(role standing, states []automata.State) {
		if len(states) == 0 {
			return
		}
		accepting = accepting && role != pending
		if last := len(next) - 1; last >= 0 && next[last].role == role && role != rightBranch {
			next[last].states = append(next[last].states, states...)
			return
		}
		next = append(next, stateSet{role, states})
	}
	for _, x := range level {
		if x.role != rightBranch {
			put(x.role, c.successors(x, taken, true, true))
			continue
		}
		put(deferred, c.successors(x, taken, true, false))
		put(rightBranch, c.successors(x, taken, false, true))
	}
	for i := range next {
		if accepting && next[i].role == deferred {
			next[i].role = pending
		}
		slices.Sort(next[i].states)
	}
	return next, accepting
}

// intern returns the number of a level.
func (c *SliceComplement) intern(level []stateSet) (uint32, error) {
	var key []byte
	for _, x := range level {
		key = append(key, byte(x.role))
		key = binary.AppendUvarint(key, uint64(len(x.states)))
		for _, s := range x.states {
			key = binary.AppendUvarint(key, uint64(s))
		}
	}
	n, known := c.number[string(key)]
	if !known {
		if len(c.states) >= c.limit {
			return 0, ErrTooManySlices
		}
		n = uint32(len(c.states))
		c.number[string(key)] = n
		c.states = append(c.states, level)
	}
	return n, nil
}

// ExplicitSlices returns the part of a SliceComplement that is reachable.
func ExplicitSlices(a *automata.Automaton, limit int) (*automata.Automaton, error) {
	s, err := NewSliceComplement(a, limit)
	if err != nil {
		return nil, err
	}
	b := automata.NewBuilder(a.Propositions, automata.GeneralizedBuchi(1))
	b.AddInitial(0)
	for n := uint32(0); int(n) < s.Known(); n++ {
		err := s.Out(n, func(l automata.Label, accepting bool, to uint32) {
			marks := automata.NewMarks(1)
			if accepting {
				marks = automata.NewMarks(1, 0)
			}
			b.AddEdge(automata.State(n), l, marks, automata.State(to))
		})
		if err != nil {
			return nil, err
		}
	}
	b.AddStates(s.Known())
	return b.Build()
}

// stateSet is one set of a level, the states ascending.
type stateSet struct {
	role   standing
	states []automata.State
}

// standing is what became of the states since the level that was guessed.
type standing uint8

const (
	openEnd     standing = iota // no level was guessed yet
	rightBranch                 // went right only
	pending                     // went left: must end before the next accepting edge
	deferred                    // went left since the last accepting edge
)

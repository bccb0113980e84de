package complement

import (
	"slices"

	"pnmc/automata"
	"pnmc/internal/bitset"
)

// breakpoint fills in the obligations of weak components: runs that were there at the
// last breakpoint and have not left. It reports whether none is left; that is the next
// breakpoint, at which all runs that are there now become obligations.
func (c *Complementation) breakpoint(from *macrostate, taken []automata.Edge, next *macrostate) bool {
	c.step++
	if len(from.obliged) > 0 {
		for _, e := range taken {
			d := c.buchi.Destination(e)
			if _, obliged := slices.BinarySearch(from.obliged, c.buchi.Source(e)); obliged && c.kind[d] == weakPart {
				next.obliged = c.put(next.obliged, d)
			}
		}
	}
	if len(next.obliged) > 0 {
		slices.Sort(next.obliged)
		return false
	}
	next.obliged = c.ofKind(next.reached, weakPart)
	return true
}

// forEachGuessOfRuns calls visit with each guess. A guess says which runs in
// unbranching components take no accepting edge any more.
//
// A run there that is not accepted takes a last accepting edge. Only finitely many runs are
// pending since the same breakpoint. So there is a step by which all of them are done. Only the
// guess at that step is needed, for all at once. It is the step at which the last of them took
// its last one, or the breakpoint itself. When none is pending, that is the next breakpoint.
//
// For example, one state q with an accepting loop labelled a and another loop labelled !a: a holds
// again and again. The state of the complement is one of three.
//
//	start            any letter: to pending {q} or to safe {q}, both in the set
//	pending {q}      !a: to itself    a: to itself, or to safe {q} in the set
//	safe {q}         !a: to itself, in the set    a: no successor
//
// A word with finitely many a is accepted: the guess is made at its last a, and nothing but !a
// follows. In a word with infinitely many, safe {q} is a dead end sooner or later, and no edge from
// pending {q} to itself is in the set. If any step could be the guess, !a would have a second edge
// too: more edges for the same words.
func (c *Complementation) forEachGuessOfRuns(from *macrostate, taken []automata.Edge, next *macrostate, marks automata.Marks, visit func() error) error {
	if c.runSet < 0 {
		return visit()
	}
	c.step++
	var safe, pending []automata.State
	marked := false
	for _, e := range taken {
		if _, isSafe := slices.BinarySearch(from.safe, c.buchi.Source(e)); isSafe && c.components.Inside(c.buchi, e) {
			if c.buchi.Marks(e).Has(0) {
				return nil
			}
			safe = c.put(safe, c.buchi.Destination(e))
		}
	}
	for _, e := range taken {
		if _, isPending := slices.BinarySearch(from.pending, c.buchi.Source(e)); isPending && c.components.Inside(c.buchi, e) {
			marked = marked || c.buchi.Marks(e).Has(0)
			pending = c.put(pending, c.buchi.Destination(e))
		}
	}
	slices.Sort(safe)
	slices.Sort(pending)
	if len(pending) > 0 {
		next.safe, next.pending = safe, pending
		if err := visit(); err != nil || !marked {
			return err
		}
		safe = mergeStates(safe, pending)
	}
	bitset.Add(marks, c.runSet)
	defer func() { bitset.Remove(marks, c.runSet) }()
	all := c.ofKind(next.reached, unbranchingPart)
	next.safe, next.pending = safe, nil
	for _, s := range all {
		if _, isSafe := slices.BinarySearch(safe, s); !isSafe {
			next.pending = append(next.pending, s)
		}
	}
	if err := visit(); err != nil || len(next.pending) == 0 {
		return err
	}
	next.safe, next.pending = all, nil
	return visit()
}

// mergeStates returns the union of two ascending lists without common elements.
func mergeStates(a, b []automata.State) []automata.State {
	union := slices.Concat(a, b)
	slices.Sort(union)
	return union
}

// slicedLevel is a level of the tree of runs that are in a component in which runs branch and not
// all cycles are accepting. Of the runs to one state only the one that took accepting edges
// earliest is kept. It is a list of disjoint sets. In the next level the successors of each by
// accepting edges ("left") come before those by other edges ("right"). The last set is rest, for
// the runs that took no accepting edge since they came in. No run is accepted if and only if from
// some level on no infinite branch goes left. That level is guessed: from then on, what goes left
// is an obligation, a set of states whose runs must all end. When all pending obligations have
// ended, those made later take their turn.
//
// The construction is that of Kähler and Wilke ("Complementation, disambiguation, and
// determinization of Büchi automata unified", ICALP 2008), on edges, where runs
// outside the component count as the right-most branch.
//
// For example, one state q with two loops: a, which is accepting, and one for every letter, which
// is not. On a the run may take either, so that runs branch. The level starts undecided, with rest
// {q}. On a, q goes left by the accepting loop, and is not kept on the right as well: an undecided
// slice {q}, and an empty rest. On !a it goes right and stays where it is. Once the level is
// guessed, {q} is a branch. On !a it remains one, and as nothing is obliged the step is accepting.
// On a it goes left and becomes an obligation, which must end. But q has a loop for every letter,
// so the obligation never ends, and nothing is accepted any more. So exactly the words with
// finitely many a are accepted: the level to guess is the one after the last a.
//
// Why it suffices to keep one run to a state: let a run be accepted. Where it loses its state to a
// set further left, take the ancestors of that set from then on. At each level the ancestor moves
// to the left only, and so finitely often: the ancestors settle on one infinite branch. Should that
// go right only from some level on, it would be the right-most one there, and the run would be in
// its sets. But the next accepting edge of the run leads out of them to the left. So the branch
// goes left again and again, and is seen.
type slicedLevel struct {
	decided bool
	slices  []slice
	rest    []automata.State // before the guess undecided, and then a branch
}

// slice is one set of a level.
type slice struct {
	role   sliceRole
	states []automata.State // ascending
}

// sliceRole is what became of the states since the level that was guessed.
type sliceRole uint8

const (
	undecided  sliceRole = iota // no level was guessed yet
	branch                      // went right only
	obligation                  // went left: must end before the next accepting edge
	later                       // went left since the last accepting edge
)

// forEachGuessOfLevels calls visit with each guess, for the general components from
// the i-th on, of whether this level is the one.
func (c *Complementation) forEachGuessOfLevels(from *macrostate, taken []automata.Edge, next *macrostate, marks automata.Marks, i int, visit func() error) error {
	if i == len(c.general) {
		return visit()
	}
	level := from.levels[i]
	if !level.decided {
		next.levels[i] = c.undecidedLevel(level, taken, c.general[i])
		if err := c.forEachGuessOfLevels(from, taken, next, marks, i+1, visit); err != nil {
			return err
		}
		branches := slicedLevel{decided: true, slices: slices.Clone(level.slices), rest: level.rest}
		for j := range branches.slices {
			branches.slices[j].role = branch
		}
		level = branches
	}
	var accepting bool
	if next.levels[i], accepting = c.decidedLevel(level, taken, c.general[i]); accepting {
		bitset.Add(marks, i)
		defer func() { bitset.Remove(marks, i) }()
	}
	return c.forEachGuessOfLevels(from, taken, next, marks, i+1, visit)
}

// follow returns the states that edges within component n lead to from states, which are
// ascending. It takes the edges with a mark if marked is true, and those without if unmarked is. It
// leaves out the states that were met in this step before.
func (c *Complementation) follow(states []automata.State, taken []automata.Edge, n automata.Component, marked, unmarked bool) []automata.State {
	var next []automata.State
	for _, e := range taken {
		d := c.buchi.Destination(e)
		if c.components.Of(d) != n || c.components.Of(c.buchi.Source(e)) != n {
			continue
		}
		isMarked := c.buchi.Marks(e).Has(0)
		if !(isMarked && marked || !isMarked && unmarked) {
			continue
		}
		if _, from := slices.BinarySearch(states, c.buchi.Source(e)); from {
			next = c.put(next, d)
		}
	}
	slices.Sort(next)
	return next
}

// enter appends the states of component n that are entered from outside.
func (c *Complementation) enter(next []automata.State, taken []automata.Edge, n automata.Component) []automata.State {
	for _, e := range taken {
		d := c.buchi.Destination(e)
		if c.components.Of(d) == n && c.components.Of(c.buchi.Source(e)) != n {
			next = c.put(next, d)
		}
	}
	slices.Sort(next)
	return next
}

// undecidedLevel returns the next level of the tree before the guess: of each set, first what goes
// left and then what goes right.
func (c *Complementation) undecidedLevel(level slicedLevel, taken []automata.Edge, n automata.Component) slicedLevel {
	c.step++
	var next slicedLevel
	put := func(states []automata.State) {
		if len(states) > 0 {
			next.slices = append(next.slices, slice{undecided, states})
		}
	}
	for _, x := range level.slices {
		put(c.follow(x.states, taken, n, true, false))
		put(c.follow(x.states, taken, n, false, true))
	}
	put(c.follow(level.rest, taken, n, true, false))
	next.rest = c.enter(c.follow(level.rest, taken, n, false, true), taken, n)
	return next
}

// decidedLevel returns the next level after the guess, and reports whether no obligation is left of
// those pending. If so, those made later are the obligations of the next level.
func (c *Complementation) decidedLevel(level slicedLevel, taken []automata.Edge, n automata.Component) (slicedLevel, bool) {
	c.step++
	next := slicedLevel{decided: true}
	accepting := true
	// Neighbours of one role other than branch are one: how their runs compare does not
	// matter any more.
	put := func(role sliceRole, states []automata.State) {
		if len(states) == 0 {
			return
		}
		accepting = accepting && role != obligation
		if last := len(next.slices) - 1; last >= 0 && next.slices[last].role == role && role != branch {
			next.slices[last].states = append(next.slices[last].states, states...)
			return
		}
		next.slices = append(next.slices, slice{role, states})
	}
	for _, x := range level.slices {
		if x.role != branch {
			put(x.role, c.follow(x.states, taken, n, true, true))
			continue
		}
		put(later, c.follow(x.states, taken, n, true, false))
		put(branch, c.follow(x.states, taken, n, false, true))
	}
	put(later, c.follow(level.rest, taken, n, true, false))
	next.rest = c.enter(c.follow(level.rest, taken, n, false, true), taken, n)
	for i := range next.slices {
		if accepting && next.slices[i].role == later {
			next.slices[i].role = obligation
		}
		slices.Sort(next.slices[i].states)
	}
	return next, accepting
}

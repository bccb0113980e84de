package stuttering

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"pnmc/automata"
	"pnmc/automata/testingautomata"
	"pnmc/checker/properties"
	"pnmc/internal/bitset"
)

// mostSets is the number of acceptance sets that fit into the marks of a step.
const mostSets = 64

// Built reads a testing automaton that was made as a whole.
type Built struct {
	Automaton *automata.Automaton
	buchi     int // of a TA: the number of Büchi sets, 0 if its condition is another
	terminal  []bool
	loop      []int // of each state: the acceptance sets of its stuttering loops
	letters   []automata.Valuation
	letterOf  bitset.Numbers
	change    automata.Valuation
}

// NewBuilt prepares the reading of a: it finds out which states accept everything, and which loops
// stutter. The error is a *properties.UnsupportedError if there are more than 64 acceptance sets.
func NewBuilt(ctx context.Context, a *automata.Automaton) (*Built, error) {
	if a.Acceptance.Sets > mostSets {
		return nil, &properties.UnsupportedError{Reason: fmt.Sprintf("a testing automaton with %d acceptance sets: at most %d are decided", a.Acceptance.Sets, mostSets)}
	}
	t := &Built{Automaton: a, change: make(automata.Valuation, a.ValuationWords())}
	if a.Kind == automata.TA {
		t.buchi, _ = a.Acceptance.LivelockSets()
	}
	t.terminal, t.loop = make([]bool, a.States()), make([]int, a.States())
	for s := range t.loop {
		for _, step := range matchingSteps(a, uint32(s), t.change) { // no change
			if step.To == uint32(s) && a.Kind != automata.Plain {
				t.loop[s] = max(t.loop[s], automata.Marks{step.Marks}.Count())
			}
		}
	}
	if !a.Acceptance.Condition.UsesFin() {
		t.terminal = automata.TerminalStates(ctx, a)
	}
	return t, nil
}

// States returns the number of the automaton's states.
func (t *Built) States() int { return t.Automaton.States() }

// Universal reports whether state n is known to accept every word.
func (t *Built) Universal(n, _ uint32) bool { return t.terminal[n] }

// Letter returns the number of a valuation, which it gets when it is first asked for.
func (t *Built) Letter(v automata.Valuation) uint32 {
	l, fresh := t.letterOf.Of(v)
	if fresh {
		t.letters = append(t.letters, slices.Clone(v))
	}
	return l
}

// Initial returns the destinations of those edges out of initial states that read letter l. Labels of
// these edges are valuations, those of all others are changes.
func (t *Built) Initial(l uint32) []uint32 {
	var list []uint32
	listed := make([]bool, t.States())
	for _, s := range t.Automaton.Initial() {
		for _, step := range t.matching(uint32(s), t.letters[l]) {
			if !listed[step.To] {
				listed[step.To] = true
				list = append(list, step.To)
			}
		}
	}
	slices.SortStableFunc(list, func(m, n uint32) int { return t.loop[n] - t.loop[m] })
	return list
}

// Steps returns the steps of n for the change between two letters, that is the propositions that
// differ.
func (t *Built) Steps(n, from, to uint32) []testingautomata.Step {
	for w := range t.change {
		t.change[w] = t.letters[from][w] ^ t.letters[to][w]
	}
	return t.matching(n, t.change)
}

// matching returns the steps of n for a valuation or changeset. Those come first that lead to where
// stuttering is closest to acceptance, then those in more acceptance sets.
func (t *Built) matching(n uint32, v automata.Valuation) []testingautomata.Step {
	steps := matchingSteps(t.Automaton, n, v)
	if t.buchi > 0 {
		for i := range steps {
			steps[i].Marks = livelockMarks(steps[i].Marks, t.buchi)
		}
	}
	slices.SortStableFunc(steps, func(x, y testingautomata.Step) int { return t.loop[y.To] - t.loop[x.To] })
	return steps
}

// matchingSteps returns the edges of n for v, those in more acceptance sets first.
func matchingSteps(a *automata.Automaton, n uint32, v automata.Valuation) []testingautomata.Step {
	var steps []testingautomata.Step
	first, end := a.Out(automata.State(n))
	for e := first; e < end; e++ {
		if a.Matches(e, v) {
			steps = append(steps, testingautomata.Step{To: uint32(a.Destination(e)), Marks: a.Marks(e)[0]})
		}
	}
	slices.SortStableFunc(steps, func(x, y testingautomata.Step) int {
		return cmp.Compare(automata.Marks{y.Marks}.Count(), automata.Marks{x.Marks}.Count())
	})
	return steps
}

// Plain reads a plain automaton as if it were a testing one. Its steps depend on the first of the two
// letters only. So the same search measures all kinds of automata.
type Plain struct {
	*Built
	universal map[[2]uint32]bool // known answers of Universal
	promises  map[[2]uint32]int  // known answers of promise
}

// NewPlain prepares the reading of a plain automaton. The error is that of NewBuilt.
func NewPlain(ctx context.Context, a *automata.Automaton) (Reader, error) {
	built, err := NewBuilt(ctx, a)
	if err != nil {
		return nil, err
	}
	return Plain{Built: built, universal: map[[2]uint32]bool{}, promises: map[[2]uint32]int{}}, nil
}

// Universal reports whether n is known to accept every word that begins with l: n itself does, or
// an edge for l leads to a state that accepts every word. A testing automaton has taken that edge
// before.
func (t Plain) Universal(n, l uint32) bool {
	key := [2]uint32{n, l}
	universal, known := t.universal[key]
	if !known {
		universal = t.terminal[n] || slices.ContainsFunc(t.matching(n, t.letters[l]), func(s testingautomata.Step) bool { return t.terminal[s.To] })
		t.universal[key] = universal
	}
	return universal
}

// Initial returns the initial states, whatever the letter.
func (t Plain) Initial(uint32) []uint32 {
	var list []uint32
	for _, s := range t.Automaton.Initial() {
		list = append(list, uint32(s))
	}
	return list
}

// Steps returns the edges for the first letter, the most promising first.
func (t Plain) Steps(n, from, _ uint32) []testingautomata.Step {
	steps := t.matching(n, t.letters[from])
	slices.SortStableFunc(steps, func(x, y testingautomata.Step) int { return t.promise(y.To, from) - t.promise(x.To, from) })
	return steps
}

// promise estimates how close state n is to acceptance if the letter stays the same. It is the
// number of sets on its best loop for the letter. For a state that accepts every word it is one
// more than the number of all sets. It goes through the edges of n once for each letter: who sorts edges
// to n asks for each comparison.
func (t Plain) promise(n, l uint32) int {
	if t.terminal[n] {
		return t.Automaton.Acceptance.Sets + 1
	}
	key := [2]uint32{n, l}
	most, known := t.promises[key]
	if known {
		return most
	}
	for _, s := range t.matching(n, t.letters[l]) {
		if s.To == n {
			most = max(most, automata.Marks{s.Marks}.Count())
		}
	}
	t.promises[key] = most
	return most
}

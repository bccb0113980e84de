package dot

import (
	"math/bits"

	"pnmc/automata"
)

// form is what kind of automaton a drawing is one of.
type form struct {
	kind automata.Kind
	sets int // acceptance sets of the drawing
	// everyChange: all edges with a change are in all sets. A GTA without acceptance
	// sets accepts whatever changes for ever. It is one with a single set that has all
	// these edges.
	everyChange bool
	// unsure: the drawing may be meant with the other value of everyChange.
	unsure bool
}

// livelocks and changes are the sets of an automaton with livelock acceptance that
// the drawing doesn't have.
func (f form) livelocks() int { return f.sets }
func (f form) changes() int   { return f.sets + 1 }

// acceptance returns that of a TGTA with the sets, or that of a TA: those sets, or in the
// end only the loops of a livelock-accepting state.
func (f form) acceptance() automata.Acceptance {
	if f.kind == automata.TGTA {
		return automata.GeneralizedBuchi(f.sets)
	}
	livelock := &automata.Condition{Operator: automata.ConditionAnd, Operands: []*automata.Condition{
		{Operator: automata.Fin, Set: f.changes()}, {Operator: automata.Inf, Set: f.livelocks()},
	}}
	return automata.Acceptance{Sets: f.sets + 2, Condition: &automata.Condition{Operator: automata.ConditionOr,
		Operands: []*automata.Condition{automata.GeneralizedBuchi(f.sets).Condition, livelock}}}
}

// form finds out what is drawn. assumed are the acceptance sets that there are where
// the drawing doesn't say, or -1.
func (d *drawn) form(assumed int) (form, error) {
	f := form{kind: d.kind(), sets: len(d.mentioned)}
	if d.hint != nil {
		f.kind, assumed = d.hint.kind, d.hint.sets
	}
	for set, at := range d.mentioned {
		if at == (position{}) && assumed < 0 {
			return f, problem(d.mentioned[len(d.mentioned)-1], "acceptance set %d is drawn, but no set %d", len(d.mentioned)-1, set)
		}
	}
	f.sets = max(f.sets, assumed)
	if err := d.checkSize(f); err != nil || f.kind == automata.TGTA {
		return f, err
	}
	for _, e := range d.edges {
		if d.changing[e.label].empty {
			return f, problem(e.at(), "an edge for the empty changeset in a testing automaton with livelock acceptance, whose states have such loops implicitly")
		}
	}
	drawn := len(d.mentioned) > 0 || d.hint != nil || d.hasBuchiStates()
	if f.sets == 0 {
		f.sets = 1
		switch {
		case drawn:
		case assumed == 0:
			f.everyChange = true
		default:
			var err error
			if f.everyChange, f.unsure, err = d.guessNoSets(); err != nil {
				return f, err
			}
		}
	}
	return f, nil
}

// kind returns the kind that the shapes of the states and the changesets tell.
func (d *drawn) kind() automata.Kind {
	for i, s := range d.states {
		if i != d.root && (s.buchi || s.livelock) {
			return automata.TA
		}
	}
	for _, e := range d.edges {
		if d.changing[e.label].empty {
			return automata.TGTA
		}
	}
	if len(d.edges) == 0 && len(d.starts) == 0 {
		return automata.TGTA // of the empty language, which is drawn in the same way as others
	}
	return automata.TA
}

// hasBuchiStates reports whether some state but the root is drawn as Büchi-accepting.
func (d *drawn) hasBuchiStates() bool {
	for i, s := range d.states {
		if i != d.root && s.buchi {
			return true
		}
	}
	return false
}

// checkSize refuses what would take too much memory.
func (d *drawn) checkSize(f form) error {
	words := 0
	each := len(automata.NewCube(len(d.labels.names))) + automata.MarkWordsFor(f.sets+2)
	for _, e := range d.starts {
		if words += each * max(1, len(d.starting[e.label].letters)); words > wordsBound {
			return d.tooManyLetters(e)
		}
	}
	if n := len(d.edges) + len(d.states); n > (wordsBound-words)/each {
		at := d.states[len(d.states)-1].at
		if len(d.edges) > 0 {
			at = d.edges[len(d.edges)-1].at()
		}
		return problem(at, "too large: %d states and edges over %d propositions need more than %d words of memory", n, len(d.labels.names), wordsBound)
	}
	return nil
}

// guessNoSets reports whether a drawing of a TA or GTA that mentions no acceptance set means
// everyChange, and whether that is unsure. Either there is none: then all words are accepted
// that change for ever and can be read. Or there are some, in which no edge is: then none of
// these words is accepted.
//
// Without sets an automaton accepts a word where it accepts all its beginnings, and if
// stuttering doesn't matter, then each beginning with its last letter repeated for
// ever. So if one can be read after which no state accepts livelocks, there are sets.
// Otherwise both may be meant, unless no word changes for ever. Spot's drawings without
// sets are mostly of safety properties. But one with a single proposition that would
// accept all words is not, since Spot writes 1 for that formula.
func (d *drawn) guessNoSets() (everyChange, unsure bool, err error) {
	if err := d.ask(cycleBytes * (len(d.edges) + len(d.states))); err != nil || !d.changesForEver() {
		return false, false, err
	}
	s := newSubsets(d)
	livelocks, all, err := s.explore()
	if !livelocks || err != nil {
		return false, false, err
	}
	return !all || len(d.labels.names) != 1, true, nil
}

// changesForEver reports whether there is a cycle of edges. Repeated removal of
// states without successors leaves those that reach one.
func (d *drawn) changesForEver() bool {
	successors := make([]int, len(d.states))
	before := make([][]int32, len(d.states))
	for _, e := range d.edges {
		successors[e.from]++
		before[e.to] = append(before[e.to], e.from)
	}
	var ends []int32
	for s, n := range successors {
		if n == 0 {
			ends = append(ends, int32(s))
		}
	}
	removed := 0
	for ; len(ends) > 0; removed++ {
		s := ends[len(ends)-1]
		ends = ends[:len(ends)-1]
		for _, p := range before[s] {
			if successors[p]--; successors[p] == 0 {
				ends = append(ends, p)
			}
		}
	}
	return removed < len(d.states)
}

// cycleBytes is what an edge or state takes while cycles and sets of states are looked for.
const cycleBytes = 100

// tooManyLetters is the error of an edge up to which first valuations take too much memory.
func (d *drawn) tooManyLetters(e drawnEdge) error {
	return problem(e.at(), "too large: first valuations of %d propositions need more than %d words of memory", len(d.labels.names), wordsBound)
}

// letterCount returns the number of valuations of propositions, at most 2^62.
func letterCount(propositions int) int { return 1 << min(propositions, bits.UintSize-2) }

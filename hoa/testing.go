package hoa

import "pnmc/automata"

// checkTesting reports a testing automaton that isn't in the form of one: an
// initial state is left by valuations and never entered, and those with livelock
// acceptance have more rules.
func (r *Reader) checkTesting(a *automata.Automaton, end Position) {
	if a.Kind == automata.Plain {
		return
	}
	initial := make([]bool, a.States())
	for _, s := range a.Initial() {
		initial[s] = true
	}
	for e := range automata.Edge(a.Edges()) {
		if s, d := a.Source(e), a.Destination(e); initial[d] {
			r.report(end, "a testing automaton's initial state %d is entered by an edge of state %d", d, s)
			return
		}
	}
	if a.Kind == automata.TA {
		r.checkLivelock(a, initial, end)
	}
}

// checkLivelock reports a testing automaton with livelock acceptance that is not in the form of
// one. Each state other than initial ones must have one loop for the empty changeset. The sets of
// livelocks and of changes must be on the edges that they are for. The search relies on that.
func (r *Reader) checkLivelock(a *automata.Automaton, initial []bool, end Position) {
	empty := make(automata.Valuation, a.ValuationWords())
	sets, known := a.Acceptance.LivelockSets()
	loops := make([]bool, a.States())
	for e := range automata.Edge(a.Edges()) {
		s, d := a.Source(e), a.Destination(e)
		stutters := a.Matches(e, empty)
		switch {
		case initial[s]:
			continue
		case stutters && s != d:
			r.report(end, "state %d of a testing automaton with livelock acceptance has an edge for the empty changeset to state %d", s, d)
		case stutters && loops[s]:
			r.report(end, "state %d of a testing automaton with livelock acceptance has two loops for the empty changeset", s)
		case !known:
		case stutters && !onlySet(a.Marks(e), sets):
			r.report(end, "the loop for the empty changeset of state %d is in another acceptance set than %d, that of livelocks", s, sets)
		case !stutters && !a.Marks(e).Has(sets+1):
			r.report(end, "an edge of state %d with a change is not in acceptance set %d, that of changes", s, sets+1)
		case !stutters && a.Marks(e).Has(sets):
			r.report(end, "an edge of state %d with a change is in acceptance set %d, that of livelocks", s, sets)
		}
		if len(r.errors) > 0 {
			return
		}
		loops[s] = loops[s] || stutters
	}
	for s := range loops {
		if !loops[s] && !initial[s] {
			r.report(end, "state %d of a testing automaton with livelock acceptance has no loop for the empty changeset", s)
			return
		}
	}
}

// onlySet reports whether no set but this one is in marks.
func onlySet(marks automata.Marks, set int) bool {
	return marks.Count() == 0 || marks.Count() == 1 && marks.Has(set)
}

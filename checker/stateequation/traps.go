package stateequation

import (
	"context"
	"slices"

	"pnmc/logic"
	"pnmc/petri"
)

// A trap is a set of places such that each transition that takes from it, or resets one of its places,
// also puts a token into it. Once marked it stays so. So a solution of the state equation in which a trap
// is empty that has tokens initially is no reachable marking.
//
// The largest trap among the empty places of a solution is easy to find, and if any trap there is marked
// initially, it is. But its constraint says little: "one of these 100 places has a token". A small trap in it
// says more. For Peterson's algorithm with 4 processes, 742 constraints of largest traps were needed to
// prove that there is no deadlock, and 10 of small ones.

// traps finds traps of a net, and counts those whose constraints were added.
type traps struct {
	net    *petri.Net
	count  int
	inside []bool  // by place; all false between calls, as gives is all 0
	gives  []int32 // by transition: how many places inside it puts tokens into
	// resetting has the transitions that reset a place. It is nil in nets without resets.
	resetting [][]petri.Transition
}

// newTraps costs the places, transitions and reset arcs of net.
func newTraps(net *petri.Net) *traps {
	f := &traps{net: net, inside: make([]bool, net.Places()), gives: make([]int32, net.Transitions())}
	if net.HasResets() {
		f.resetting = make([][]petri.Transition, net.Places())
		for t := range petri.Transition(net.Transitions()) {
			for _, p := range net.Resets(t) {
				f.resetting[p] = append(f.resetting[p], t)
			}
		}
	}
	return f
}

// maxTraps bounds the trap constraints of a net.
const maxTraps = 200

// addTrap looks for a trap that has tokens initially and none in the present solution. That it
// has one becomes a constraint for good. Places are empty that have less than half a token, as values
// are not exact.
func (e *Equation) addTrap(ctx context.Context) bool {
	if e.traps.count >= maxTraps {
		return false
	}
	var empty []petri.Place
	for p := range e.initial {
		if e.estimate(uint32(p)) < 0.5 {
			empty = append(empty, petri.Place(p))
		}
	}
	trap := e.largestTrap(empty)
	if !e.marked(trap) {
		return false
	}
	trap = e.smallTrap(ctx, trap)
	terms := make([]logic.Term, len(trap))
	for i, p := range trap {
		terms[i] = logic.Term{Place: uint32(p), Coefficient: 1}
	}
	f, initial, ok := e.sumForm(ctx, terms)
	if !ok {
		return false
	}
	e.traps.count++
	e.simplex.boundForever(f, 1-initial)
	return true
}

// marked reports whether one of the places has tokens initially.
func (e *Equation) marked(places []petri.Place) bool {
	return slices.ContainsFunc(places, func(p petri.Place) bool { return e.initial[p] > 0 })
}

// smallTrap returns a marked trap in a marked trap. It drops one place, and what is then no part of a
// trap any more, as long as what is left is marked. A place that cannot be dropped stays for good: a marked
// trap without it, found later, would have been found when it was tried. So the first i places of trap are those that
// were tried. When ctx ends, the trap is not as small as it could be.
func (e *Equation) smallTrap(ctx context.Context, trap []petri.Place) []petri.Place {
	for i := 0; i < len(trap) && !e.simplex.isOver(ctx); {
		without := e.largestTrap(append(slices.Clone(trap[:i]), trap[i+1:]...))
		if e.marked(without) {
			trap = without
		} else {
			i++
		}
	}
	return trap
}

// largestTrap returns the largest trap among places, in their order. Again and again it drops those that a
// transition takes from, or resets, without putting a token into what is left. It costs the arcs at the
// places.
func (e *Equation) largestTrap(places []petri.Place) []petri.Place {
	f := e.traps
	for _, p := range places {
		f.inside[p] = true
		e.simplex.work += entryWork * (1 + len(f.net.Producers(p)) + len(f.net.Consumers(p)))
		for _, t := range f.net.Producers(p) {
			f.gives[t]++
		}
	}
	var useless []petri.Transition // they put no token into what is left
	for _, p := range places {
		f.eachTaker(p, func(t petri.Transition) {
			if f.gives[t] == 0 {
				useless = append(useless, t)
			}
		})
	}
	drop := func(p petri.Place) {
		if !f.inside[p] {
			return
		}
		f.inside[p] = false
		for _, t := range f.net.Producers(p) {
			if f.gives[t]--; f.gives[t] == 0 {
				useless = append(useless, t)
			}
		}
	}
	for len(useless) > 0 {
		t := useless[len(useless)-1]
		useless = useless[:len(useless)-1]
		for _, a := range f.net.Pre(t) {
			drop(a.Place)
		}
		for _, p := range f.net.Resets(t) {
			drop(p)
		}
	}
	var left []petri.Place
	for _, p := range places {
		if f.inside[p] {
			left = append(left, p)
			f.inside[p] = false
			for _, t := range f.net.Producers(p) {
				f.gives[t]--
			}
		}
	}
	return left
}

// eachTaker calls take with each transition that takes from p, or resets it.
func (f *traps) eachTaker(p petri.Place, take func(petri.Transition)) {
	for _, t := range f.net.Consumers(p) {
		take(t)
	}
	if f.resetting != nil {
		for _, t := range f.resetting[p] {
			take(t)
		}
	}
}

// boundForever sets a lower bound that no undo takes back.
func (s *simplex) boundForever(f int32, lower int64) {
	for i := range s.trail {
		if s.trail[i].form == f {
			s.trail[i].lower = max(s.trail[i].lower, lower)
		}
	}
	s.setBounds(f, max(lower, s.forms[f].lower), s.forms[f].upper)
}

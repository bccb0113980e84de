package checker

import (
	"pnmc/automata"
)

// automatonOf says an automaton's propositions over the nodes of the net. Its claims are
// left out: what engines rely on they find out.
func (r *task) automatonOf(asked Automaton) *linear {
	l := &linear{}
	for _, p := range asked.Predicates {
		l.predicates = append(l.predicates, r.predicate(p))
	}
	a := *asked.Automaton
	a.Claims = 0
	l.automaton = &a
	if plain, err := automata.ReadingValuations(&a); err == nil { // else it stays a testing automaton
		l.automaton = plain
	}
	return l
}

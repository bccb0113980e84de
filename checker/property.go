package checker

import (
	"errors"
	"fmt"

	"pnmc/automata"
	"pnmc/logic"
)

// Property is what a net is checked against: an automaton that accepts the runs
// that violate it, and what the automaton's propositions mean.
type Property struct {
	Automaton *automata.Automaton
	// Predicates has one for each of the automaton's propositions.
	Predicates []*logic.Predicate
}

// Bind gives the automaton's propositions their meaning: what defined says of a
// name, otherwise what the name itself says, read as a predicate. The error has
// all that could not be read.
func Bind(a *automata.Automaton, v logic.Vocabulary, defined map[string]*logic.Predicate) (Property, error) {
	property := Property{Automaton: a, Predicates: make([]*logic.Predicate, len(a.Propositions))}
	var failures []error
	for i, name := range a.Propositions {
		p, ok := defined[name]
		if !ok {
			var err error
			if p, err = logic.ParsePredicate(name, v); err != nil {
				failures = append(failures, fmt.Errorf("proposition %d, %q: %w", i, name, err))
			}
		}
		property.Predicates[i] = p
	}
	return property, errors.Join(failures...)
}

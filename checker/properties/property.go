package properties

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"pnmc/automata"
	"pnmc/logic"
)

// Property is what a net is checked against. It has an automaton that accepts the runs
// that violate it, and the meaning of the automaton's propositions.
type Property struct {
	Automaton *automata.Automaton
	// Predicates has one for each of the automaton's propositions.
	Predicates []*logic.Predicate
}

// PropositionError says why a proposition of an automaton can't be read.
type PropositionError struct {
	Number int // of the proposition in the automaton
	Name   string
	Err    error // what logic.ParsePredicate says of the name
}

// longestNameShown is how much of a proposition's name a message has.
const longestNameShown = 120

// Error names the proposition, shortened, and what is wrong with it.
func (e *PropositionError) Error() string {
	name := e.Name
	if len(name) > longestNameShown {
		end := longestNameShown
		for end > 0 && !utf8.RuneStart(name[end]) {
			end--
		}
		name = name[:end] + "…"
	}
	return fmt.Sprintf("proposition %q: %v", name, e.Err)
}

// Unwrap returns e.Err.
func (e *PropositionError) Unwrap() error { return e.Err }

// Bind returns a property in which the automaton's propositions have their meaning. That is what
// defined says of a name, or otherwise the name itself, read as a predicate. The error joins a
// *PropositionError for each that could not be read; after twenty, those that follow are not looked
// at.
func Bind(a *automata.Automaton, v logic.Vocabulary, defined map[string]*logic.Predicate) (Property, error) {
	return BindWithin(a, v, defined, nil)
}

// Limits of names that are read.
const (
	namesBetweenLooks = 1 << 8
	nameBytes         = 4 << 10 // what is made of one, at most, as a rule
	mostFailures      = 20
)

// BindWithin binds as Bind does, and ends with a *logic.LimitError if limit, unless that is nil, has one.
func BindWithin(a *automata.Automaton, v logic.Vocabulary, defined map[string]*logic.Predicate, limit logic.Limit) (Property, error) {
	property := Property{Automaton: a, Predicates: make([]*logic.Predicate, len(a.Propositions))}
	var failures []error
	for i, name := range a.Propositions {
		if i%namesBetweenLooks == 0 {
			if err := limit.Charge(namesBetweenLooks * nameBytes); err != nil {
				return property, err
			}
		}
		if len(failures) == mostFailures {
			failures = append(failures, fmt.Errorf("the other propositions were not looked at, %d of %d", len(a.Propositions)-i, len(a.Propositions)))
			break
		}
		p, ok := defined[name]
		if !ok {
			var err error
			if p, err = (logic.PredicateParser{Vocabulary: v, Limit: limit}).Parse(name); err != nil {
				failures = append(failures, &PropositionError{i, name, err})
			}
		}
		property.Predicates[i] = p
	}
	return property, errors.Join(failures...)
}

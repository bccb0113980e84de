package translate

import (
	"errors"

	"pnmc/automata/bdd"
)

// ErrLimit means that a translation reached a limit on states, edges, formulas or nodes
// of decision diagrams.
var ErrLimit = errors.New("translation too large")

// functionLimit is ErrLimit reached in decision diagrams, with what that means.
type functionLimit string

// Error names the limit, and what reached it.
func (l functionLimit) Error() string { return ErrLimit.Error() + ": " + string(l) }

// Unwrap has errors.Is find both ErrLimit and the error of the diagrams.
func (l functionLimit) Unwrap() []error { return []error{ErrLimit, bdd.ErrTooLarge} }

// limit returns bdd.ErrTooLarge as ErrLimit with its meaning, and any other error as it is.
func limit(err error, meaning string) error {
	if errors.Is(err, bdd.ErrTooLarge) {
		return functionLimit(meaning)
	}
	return err
}

// These are meanings of a limit of decision diagrams.
const (
	longLabel = "the label of an edge is a sum of too many cubes, each a conjunction of literals"
	manyEdges = "a state of the automaton has too many edges, or one of them too many cubes, each a conjunction of literals"
)

// errTooManySets is ErrLimit reached by acceptance sets.
var errTooManySets = error(tooManySets{})

type tooManySets struct{}

// Error returns what was too large.
func (tooManySets) Error() string { return ErrLimit.Error() + ": more than 64 acceptance sets" }

// Unwrap returns ErrLimit.
func (tooManySets) Unwrap() error { return ErrLimit }

package states

import "errors"

// PollMask selects the steps at which progress is reported.
const PollMask = 1<<12 - 1

// ErrTooMany says that states of a product have no more numbers.
var ErrTooMany = errors.New("more than 2^32-3 product states")

// ErrTooManySteps says that there are no more numbers for the steps of an automaton, with the labels that
// they are for.
var ErrTooManySteps = errors.New("more than 2^32 steps of the automaton for labels")

// ErrMore says that a product has more states than a search was to enter.
var ErrMore = errors.New("the product has more states")

// ErrEndless says that no way was found to show a run that goes on for ever.
var ErrEndless = errors.New("a run is accepted that never comes back to a marking, and none was found that does")

// MaxWalk bounds the steps of the walk that looks for a cycle in a terminal
// component.
const MaxWalk = 1 << 22

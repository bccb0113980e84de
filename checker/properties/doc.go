// Package properties gives automata their meaning on a net. In come an automaton and what
// its propositions stand for. Out goes a Property with predicates compiled for a net's
// markings. Packages product and diagram check it, and a Result says what came of it.
package properties

// Package properties gives automata their meaning on a net. In come an automaton and what
// its propositions stand for; out goes a Property with predicates compiled for a net's
// markings, which packages product and diagram check, and whose Result says what came of it.
package properties

// Package complement builds automata for the words that an automaton does not accept. In
// comes an automaton with any acceptance condition, out goes its complement, whole or as a
// search asks for its states; package inclusion and the decisions of package stutter use it.
//
// A deterministic automaton has its condition negated (complement.go). Of another one a
// Büchi automaton is made (buchi.go, disjunctive_form.go), each component of which is
// complemented in the way that its kind permits (complementation.go,
// parts.go), letter by letter (letters.go). Simulation games between two automata (fair_simulation.go) tell where
// a state of the second accepts all that a state of the first does: there package inclusion needs
// no complement.
//
// Sources: Kähler, Wilke, "Complementation, disambiguation, and determinization of Büchi
// automata unified" (ICALP 2008); Etessami, Wilke, Schuller, "Fair simulation relations,
// parity games, and state space reduction for Büchi automata" (ICALP 2001).
package complement

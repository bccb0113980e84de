// Package complement builds automata for the words that an automaton does not accept. In
// comes an automaton with any acceptance condition, out goes its complement, whole or as a
// search asks for its states; package inclusion and the decisions of package stutter use it.
//
// A deterministic automaton has its condition negated (complement.go). Any other one is
// first made a Büchi automaton (buchi.go, disjunctive_form.go). Each component of that
// is complemented in the way that its kind permits (complementation.go,
// complementation_parts.go). Simulation games between two automata (fair_simulation.go)
// tell what need not be complemented at all.
//
// Sources: Kähler, Wilke, "Complementation, disambiguation, and determinization of Büchi
// automata unified" (ICALP 2008); Etessami, Wilke, Schuller, "Fair simulation relations,
// parity games, and state space reduction for Büchi automata" (ICALP 2001).
package complement

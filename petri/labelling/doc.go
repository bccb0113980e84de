// Package labelling finds out which propositions hold in the states of a Kripke
// structure.
//
// In come state predicates, which package checker/properties compiles to postfix programs, and a
// petri.Kripke; out go labels with numbers, for products with automata and for branching time.
package labelling

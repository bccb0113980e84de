// Package translate turns formulas of linear temporal logic into generalized
// Büchi automata.
//
// In comes a formula of package logic/ltl, out goes an automata.Automaton, which
// package checker/product multiplies with a Kripke structure. On the way the formula is
// rewritten (logic/ltl/rewrite), a tableau is built after "On-the-fly verification of linear
// temporal logic" (Couvreur, FM 1999), and the automaton is reduced (automata/reduce). Unless the
// first tableau is large, others are built, which ask a disjunction of the next position in parts,
// or gather subformulas by what they have in common. The smallest automaton is kept.
//
// The tableau is in tableau.go, what a formula says of the present and the next position in
// meaning.go, and the strategy, with its variants and limits, in translate.go.
package translate

// Package translate turns formulas of linear temporal logic into generalized
// Büchi automata.
//
// In comes a formula of package logic, out goes an automata.Automaton, which
// package checker multiplies with a Kripke structure. On the way the formula is
// rewritten, a tableau is built after "On-the-fly verification of linear temporal
// logic" (Couvreur, FM 1999), and the automaton is reduced by what package
// automata offers, the smallest of several results being kept.
package translate

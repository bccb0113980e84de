// Package etf reads and writes LTSmin's enumerated table format.
//
// In comes the text of a model whose states are vectors of integers and whose
// transitions are rows of a table: for each variable a value before and after,
// or a star where the row says nothing. Out goes a Model, which package symbolic
// explores as a System, or a net with a place for each value; a net whose state space is
// known becomes a Model too.
// The format is the one that "Symbolic Model Checking of Stutter-Invariant
// Properties Using Generalized Testing Automata" (Ben Salem, Duret-Lutz, Kordon,
// Thierry-Mieg, 2014), section 4.2, starts from.
package etf

// Package degeneralize makes Büchi automata of automata with generalized Büchi acceptance,
// with few states. In comes an automaton with any number of acceptance sets, out goes one with a
// single set. Package checker/product asks for it for the approach BA, package testingautomata for
// TA.
//
// Levels count which sets a run has visited; each component counts what it needs
// (degeneralize.go). Parts whose languages are obligations are determinized first
// (obligation_suffix.go), and states that simulate each other are merged after
// (merge.go). The source is Babiak, Badie, Duret-Lutz, Křetínský, Strejček, "Compositional
// approach to suspension and other improvements to LTL translation" (SPIN 2013), section 5.
package degeneralize

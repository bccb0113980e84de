// Package degeneralize makes Büchi automata of automata with generalized Büchi acceptance,
// with few states. Approaches that need one acceptance set use it: BA, and testing automata.
//
// Levels count which sets a run has visited; each component counts what it needs
// (degeneralize.go). Parts whose languages are obligations are determinized first
// (obligation_suffix.go), and states that simulate each other are merged after
// (merge.go). The source is Babiak, Badie, Duret-Lutz, Křetínský, Strejček, "Compositional
// approach to suspension and other improvements to LTL translation" (SPIN 2013), section 5.
package degeneralize

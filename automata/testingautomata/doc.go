// Package testingautomata makes testing automata: TA and GTA with livelock acceptance, and
// transition-based generalized testing automata (TGTA). In comes a plain automaton with
// generalized Büchi acceptance, and what is known of its stutter invariance. Out goes an
// automaton whose labels are changesets. It is built whole for files and for reading
// (testing.go), or step by step as a product asks for it (on_the_fly.go).
//
// The construction expands states by valuations and replaces stuttering cycles by marks
// (construction.go, stuttering.go, livelock.go). The definitions are those of "Model
// Checking using Generalized Testing Automata" (Ben Salem, Duret-Lutz, Kordon, ToPNoC VI,
// 2012). Where a language is not stutter-invariant, states remember the valuation, as in
// "Extending testing automata to all LTL" (Ben Salem, 2015).
//
// The name is the one that the papers have for these automata. Just "testing" would be the name of
// the standard library's package, which the tests here import.
package testingautomata

// Package stutter decides whether the language of an automaton, or of each of its states,
// is closed under stuttering: whether a letter may be repeated, or repetitions dropped,
// without a word being accepted or not. In comes an automaton, out goes an Invariance, on
// which testing automata and reductions of nets rely.
//
// A game shows it where simulation suffices (game.go). Otherwise a word that differs from
// an accepted one by stuttering and is rejected is looked for, in the product with a
// complement that is built as far as is asked for (search.go, rejected.go). What is not
// found out within the work allowed is "unknown", and nothing relies on it. Closure is the
// naive twin. The ideas are those of Michaud, Duret-Lutz, "Practical stutter-invariance
// checks for ω-regular languages" (SPIN 2015).
package stutter

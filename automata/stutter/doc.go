// Package stutter decides whether the language of an automaton, or of each of its states,
// is closed under stuttering. It is if repeating letters, or dropping repetitions, never
// changes whether a word is accepted. In comes an automaton, out goes an Invariance, on
// which testing automata and reductions of nets rely.
//
// A game decides where simulation suffices (game.go). Otherwise a search looks for a word that
// is rejected, though an accepted one differs from it by stuttering only. It goes through the
// product with the complement, and makes only the part of it that it needs (search.go,
// rejected.go). If the allowed work is not enough, the result is "unknown", and nothing relies
// on that. Closure is the naive twin. The ideas are those of Michaud, Duret-Lutz, "Practical
// stutter-invariance checks for ω-regular languages" (SPIN 2015).
package stutter

// Package draw draws hostile and random input for pnmc's readers.
//
// In comes a source of randomness, which a seed and the number of a run determine;
// out go nets, automata, formulas, property files, tables and drawings as texts, and
// what package twin needs to decide about those that are small. Each kind of input
// is meant to hurt in one way; Damage hurts any text.
//
// The files:
//
//	source, kinds, format, damage randomness; kinds of input; other formats; harm to any text
//	net, claims, coloured         nets, their units, nets with colours
//	crowds, runs, names           nets with very many nodes around few; of long runs; with long names, and lists of such
//	terms                         coloured nets with long terms
//	wide, long                    nodes with very many arcs, labels with very many terms; very long tokens
//	formula, alternating, bounded formulas, those whose operators take turns or have bounds
//	property                      property files
//	automaton, automaton_hostile,
//	aliases, drawing              automata in HOA, and drawings
//	table                         LTSmin's ETF
package draw

import (
	"math"
	"math/rand/v2"
)

// Source draws.
type Source struct{ *rand.Rand }

// New returns the source of run number of the chamber with this seed.
func New(seed, number uint64) Source { return Source{rand.New(rand.NewPCG(seed, number))} }

// Between draws a number from a to b, both included.
func (s Source) Between(a, b int) int { return a + s.IntN(b-a+1) }

// Magnitude draws a number from a to b, both positive, such that small ones are as likely
// as large ones.
//
// For example, of numbers from 1 to 1000 a third is below 10, and a third above 100. Mistakes are
// found by small inputs, which can be looked at, and by large ones, which take too long: an even
// choice would draw hardly any small ones.
func (s Source) Magnitude(a, b int) int {
	return int(math.Round(float64(a) * math.Pow(float64(b)/float64(a), s.Float64())))
}

// Chance reports true with this probability.
func (s Source) Chance(p float64) bool { return s.Float64() < p }

// Pick draws one of the list.
func Pick[T any](s Source, list ...T) T { return list[s.IntN(len(list))] }

// Package reduce makes automata smaller without changing the words that they accept. It drops what
// no accepted run needs, merges states that are bisimilar or simulate each other, and minimizes
// obligations. An automaton comes in, a smaller one goes out, to products and testing automata:
// package translate asks for it, and the commands do for automata that they read. The work is done
// in package marked, on a form with Boolean functions as labels and acceptance sets as bits, which
// the other constructions on automata share.
//
// Simulation is from Etessami, Holzmann, "Optimizing Büchi automata" (CONCUR 2000).
// Obligations are minimized as in Dax, Eisinger, Klaedtke, "Mechanizing the powerset
// construction for restricted classes of ω-automata" (ATVA 2007). Suspension is from
// Babiak, Badie, Duret-Lutz, Křetínský, Strejček, "Compositional approach to suspension and
// other improvements to LTL translation" (SPIN 2013).
package reduce

import (
	"context"

	"pnmc/automata"
	"pnmc/automata/internal/marked"
)

// ErrTooManySets means that an automaton has more acceptance sets than can be reduced.
var ErrTooManySets = marked.ErrTooManySets

// Prune drops the states and edges that no accepted run takes.
func Prune(ctx context.Context, a *automata.Automaton) (*automata.Automaton, error) {
	return marked.Prune(ctx, a)
}

// BySimulation prunes a and merges states that simulate each other.
func BySimulation(ctx context.Context, a *automata.Automaton) (*automata.Automaton, error) {
	return marked.ReduceBySimulation(ctx, a)
}

// MinimizeObligation returns the minimal deterministic weak automaton of the language of a where
// that is an obligation and has at most limit states; nil where that isn't known.
func MinimizeObligation(ctx context.Context, a *automata.Automaton, limit int) (*automata.Automaton, error) {
	return marked.MinimizeObligation(ctx, a, limit)
}

// ComplementWeak returns the complement of a deterministic weak automaton.
func ComplementWeak(ctx context.Context, a *automata.Automaton) (*automata.Automaton, error) {
	return marked.ComplementWeak(ctx, a)
}

// SimplifyAcceptance drops acceptance sets that others imply.
func SimplifyAcceptance(ctx context.Context, a *automata.Automaton) (*automata.Automaton, error) {
	return marked.SimplifyAcceptance(ctx, a)
}

// Suspend lets a wait for conditions until it is in a component that can accept.
func Suspend(ctx context.Context, a *automata.Automaton, conditions []*automata.Automaton) (*automata.Automaton, error) {
	return marked.Suspend(ctx, a, conditions)
}

// SpreadMarks puts marks of sets numbered above onto edges where they change nothing.
func SpreadMarks(ctx context.Context, a *automata.Automaton, above int) (*automata.Automaton, error) {
	return marked.SpreadMarks(ctx, a, above)
}

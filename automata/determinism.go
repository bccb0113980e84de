package automata

import (
	"context"
	"math"

	"pnmc/automata/internal/effort"
)

// IsDeterministic reports whether a has at most one run for each word: at most one
// initial state, and no valuation that two edges of a state share. Quadratic in
// the cubes of a state; where ctx ends before it is known, the answer is no, which is
// right to build on.
func IsDeterministic(ctx context.Context, a *Automaton) bool {
	return IsDeterministicWithin(ctx, a, math.MaxInt)
}

// IsDeterministicWithin is IsDeterministic for who can do without the answer: it is no, too,
// where more words of cubes are to be compared than work.
func IsDeterministicWithin(ctx context.Context, a *Automaton, work int) bool {
	bound := effort.New(ctx, work)
	if len(a.Initial()) > 1 {
		return false
	}
	for s := range State(a.States()) {
		for e, end := a.Out(s); e < end; e++ {
			for f := e + 1; f < end; f++ {
				if MayMeet(a, e, f, bound) {
					return false
				}
			}
		}
	}
	return true
}

// LabelsMeet reports whether some valuation matches both e and f. Quadratic in their cubes.
func LabelsMeet(a *Automaton, e, f Edge) bool {
	for i := range a.Cubes(e) {
		if cubeMeets(a, a.Cube(e, i), f) {
			return true
		}
	}
	return false
}

// cubeMeets reports whether some valuation matches both c and f.
func cubeMeets(a *Automaton, c Cube, f Edge) bool {
	for j := range a.Cubes(f) {
		if c.Intersects(a.Cube(f, j)) {
			return true
		}
	}
	return false
}

// MayMeet is LabelsMeet, and true where the bound ends it: labels may have millions of cubes.
func MayMeet(a *Automaton, e, f Edge, bound *effort.Bound) bool {
	for i := range a.Cubes(e) {
		if !bound.Spend(4+a.Cubes(f)*a.cubeWords) || cubeMeets(a, a.Cube(e, i), f) {
			return true
		}
	}
	return false
}

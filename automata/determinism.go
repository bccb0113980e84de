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
	work := effort.New(ctx, math.MaxInt)
	if len(a.Initial()) > 1 {
		return false
	}
	for s := range State(a.States()) {
		for e, end := a.Out(s); e < end; e++ {
			for f := e + 1; f < end; f++ {
				if !work.Spend(4+a.Cubes(e)*a.Cubes(f)*a.cubeWords) || LabelsMeet(a, e, f) {
					return false
				}
			}
		}
	}
	return true
}

// LabelsMeet reports whether some valuation matches both e and f.
func LabelsMeet(a *Automaton, e, f Edge) bool {
	for i := range a.Cubes(e) {
		for j := range a.Cubes(f) {
			if a.Cube(e, i).Intersects(a.Cube(f, j)) {
				return true
			}
		}
	}
	return false
}

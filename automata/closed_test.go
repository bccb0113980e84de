package automata

import (
	"context"

	"pgregory.net/rapid"
)

// reduced keeps test automata small.
func reduced(t *rapid.T, a *Automaton) *Automaton {
	r, err := ReduceBySimulation(context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// stutterClosed is the closure of a under stuttering, reduced.
func stutterClosed(t *rapid.T, a *Automaton) *Automaton {
	closed, err := Closure(context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	return reduced(t, closed)
}

package testingautomata

import (
	"context"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/automata/internal/marked"
	"pnmc/automata/stutter"
)

// reduced keeps test automata small.
func reduced(t *rapid.T, a *automata.Automaton) *automata.Automaton {
	r, err := marked.ReduceBySimulation(context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// stutterClosed returns the closure of a under stuttering, reduced.
func stutterClosed(t *rapid.T, a *automata.Automaton) *automata.Automaton {
	closed, err := stutter.Closure(context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	return reduced(t, closed)
}

package stateequation_test

import (
	"context"
	"testing"

	"pnmc/checker/stateequation"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/pnml"
)

// TestSiphons: algorithms of mutual exclusion have no deadlock. Each siphon of Peterson's keeps a token,
// by one of some ten traps. For Lamport's, traps and invariants are needed together, and
// what the processes do is told apart by opposites.
func TestSiphons(t *testing.T) {
	for _, name := range []string{"Peterson-PT-4", "LamportFastMutEx-PT-5"} {
		t.Run(name, func(t *testing.T) {
			net, err := pnml.Reader{}.ReadFile(petritest.ContestModel(t, name))
			if err != nil {
				t.Fatal(err)
			}
			if !stateequation.New(context.Background(), net).ContradictsByClauses(t.Context(), &logic.Predicate{Operator: logic.Deadlocked}) {
				t.Error("a deadlock is not excluded")
			}
		})
	}
}

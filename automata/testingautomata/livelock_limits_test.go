package testingautomata

import (
	"context"
	"errors"
	"runtime/debug"
	"testing"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/internal/marked"
	"pnmc/internal/account"
)

// TestPruningAsksForMemory: what the pruning of a livelock automaton makes beside it is as large
// as the automaton is, and is asked for.
func TestPruningAsksForMemory(t *testing.T) {
	const states = 2000
	r := &marked.Reducible{Initial: []automata.State{0}, Graph: marked.Graph{Sets: 2, Out: make([][]marked.Link, states)}}
	row := make([]marked.Link, states)
	for to := range row {
		row[to] = marked.Link{To: automata.State(to), Label: bdd.TrueFunction}
	}
	for s := range r.Out {
		r.Out[s] = row
	}
	debug.FreeOSMemory() // what other tests left counts as in use, and would be room
	ctx, stop := account.Within(context.Background(), account.Budget{MemoryBytes: account.InUse() + 10<<20})
	defer stop(nil)
	var short *account.MemoryError
	if err := pruneLivelock(ctx, r); !errors.As(err, &short) {
		t.Errorf("%d edges pruned with 10 MB: %v", states*states, err)
	}
}

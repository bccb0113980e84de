package atoms

import (
	"errors"
	"testing"

	"pnmc/checker/internal/core"
	"pnmc/checker/internal/turns"
	"pnmc/checker/walk"
	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// TestDeadlocksOverPlacesHaveRoom: a goal with deadlock in it very often is not written out where memory has no room for that many copies
// of the net, and no other work ends with it.
func TestDeadlocksOverPlacesHaveRoom(t *testing.T) {
	often := &logic.Predicate{Operator: logic.And}
	for range 20_000 {
		often.Operands = append(often.Operands, &logic.Predicate{Operator: logic.Deadlocked})
	}
	ctx, stop := account.Within(t.Context(), petri.Budget{MemoryBytes: account.InUse() + 1<<30})
	defer stop(nil)
	net := petritest.Grid(20)
	r := &core.Task{Shared: core.NewShared(core.Settings{MemoryBytes: account.InUse() + 1<<30}, 1), Whole: ctx, Net: net}
	n := &core.Reduced{Net: net, Goals: []walk.Goal{{Predicate: often}, {Predicate: often.Operands[0]}, {Predicate: atLeastTwo()}}}
	if p, err := deadlockOf(ctx, r, n, 0); p != nil || !errors.As(err, new(*petri.MemoryError)) || lacking(ctx) != turns.Hopeless {
		t.Errorf("20,000 deadlocks: %v", err)
	}
	if p, err := deadlockOf(ctx, r, n, 1); p == nil || p.Operator == logic.Deadlocked || err != nil {
		t.Errorf("a deadlock: %v, %v", p, err)
	}
	if p, err := deadlockOf(ctx, r, n, 2); p != nil || err != nil {
		t.Errorf("no deadlock: %v, %v", p, err)
	}
	if stop(nil); lacking(ctx) != turns.Again {
		t.Error("the end of its time makes a try hopeless")
	}
}

package walk_test

import (
	"context"
	"fmt"

	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
)

// A walk meets a deadlock of many philosophers soon.
func ExampleWalk() {
	net := petritest.Philosophers(50)
	w, err := walk.New(context.Background(), net, []walk.Goal{{Predicate: &logic.Predicate{Operator: logic.Deadlocked}}}, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	w.Found = func(_ int, _ int64, run []witness.Burst) bool {
		m, err := witness.ReplayRun(net, run)
		fmt.Println("a deadlock:", net.Deadlock(m), err)
		return true
	}
	w.Wanted = func(int) bool { return true }
	w.Run(context.Background())
	// Output: a deadlock: true <nil>
}

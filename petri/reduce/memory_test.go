package reduce

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"testing"

	"pnmc/internal/account"
	"pnmc/petri"
)

// TestReductionsKeepToTheMemory: a draft of a net with many arcs is not begun where there is no
// room for it, and rules end where there is none any more.
func TestReductionsKeepToTheMemory(t *testing.T) {
	const n = 1000
	b := &petri.Builder{}
	for i := range n {
		if _, err := b.AddPlace(fmt.Sprint("p", i), "", 1); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		u, err := b.AddTransition(fmt.Sprint("t", i), "")
		for p := range petri.Place(n) {
			err = errors.Join(err, b.AddInput(p, u, 1))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	debug.FreeOSMemory()
	before := account.InUse()
	ctx, stop := account.Within(t.Context(), petri.Budget{MemoryBytes: before + 8<<20})
	defer stop(nil)
	if r, err := Apply(ctx, net, nil, Deadlock); r != nil || !errors.As(err, new(*petri.MemoryError)) {
		t.Errorf("reduced: %t, %v", r != nil, err)
	}
	if more := account.InUse() - before; more > 16<<20 {
		t.Errorf("%d MB", more>>20)
	}

	ctx, stop = account.Within(context.Background(), petri.Budget{MemoryBytes: 1})
	defer stop(nil)
	d := &draft{ctx: ctx, account: account.Of(ctx), perLook: workPerLook}
	if !d.over(workPerLook) || ctx.Err() == nil {
		t.Error("rules go on without memory")
	}
}

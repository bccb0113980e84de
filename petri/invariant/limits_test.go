package invariant

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"testing"

	"pnmc/internal/account"
	"pnmc/petri"
)

// tangled returns a net whose rows get ever more and ever longer: each transition moves tokens
// between places drawn from all.
func tangled(t *testing.T, places, transitions, arcs int) *petri.Net {
	t.Helper()
	var b petri.Builder
	random := rand.New(rand.NewPCG(1, 2))
	for p := range places {
		if _, err := b.AddPlace(fmt.Sprint("p", p), "", 1); err != nil {
			t.Fatal(err)
		}
	}
	for i := range transitions {
		transition, err := b.AddTransition(fmt.Sprint("t", i), "")
		if err != nil {
			t.Fatal(err)
		}
		drawn := random.Perm(places)[:2*arcs]
		for _, p := range drawn[:arcs] {
			if err := b.AddInput(petri.Place(p), transition, 1); err != nil {
				t.Fatal(err)
			}
		}
		for _, p := range drawn[arcs:] {
			if err := b.AddOutput(transition, petri.Place(p), 1); err != nil {
				t.Fatal(err)
			}
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// TestSemiflowsTakeLittleMemory: a search without limits takes a share of memory that every
// question can spare. What is allocated does not depend on the machine.
func TestSemiflowsTakeLittleMemory(t *testing.T) {
	net := tangled(t, 170, 600, 3)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	Prove(context.Background(), net, 0)
	runtime.ReadMemStats(&after)
	if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; taken > 150 {
		t.Errorf("%d MB were allocated, garbage counted", taken)
	}
}

// endingContext ends when it is looked at for the nth time, and tells that.
type endingContext struct {
	context.Context
	looks int
	ended func()
}

func (c *endingContext) Err() error {
	if c.looks--; c.looks > 0 {
		return nil
	}
	if c.ended != nil {
		c.ended()
		c.ended = nil
	}
	return context.Canceled
}

// TestSemiflowsEndWithTheContext: where the context ends within a step, nothing is begun
// any more, whatever the step has made.
func TestSemiflowsEndWithTheContext(t *testing.T) {
	net := tangled(t, 170, 600, 3)
	for looks := 1; looks < 400; looks += 13 {
		ctx := &endingContext{Context: context.Background(), looks: math.MaxInt}
		e := newElimination(ctx, net, defaultWork)
		ctx.looks = looks
		rows := 0
		ctx.ended = func() { rows = len(e.rows) }
		e.run()
		if ctx.ended != nil {
			t.Fatalf("the search ended before %d looks", looks)
		}
		if len(e.rows) > rows {
			t.Errorf("ended at look %d: %d rows then, %d later", looks, rows, len(e.rows))
		}
	}
}

// TestSemiflowsKeepToMemory: what rows hold keeps to a share of the memory that is free, and
// what is found by then is right.
func TestSemiflowsKeepToMemory(t *testing.T) {
	net := tangled(t, 170, 600, 3)
	held := func(bytes int64) (most, flows int) {
		ctx, stop := account.Within(context.Background(), petri.Budget{MemoryBytes: bytes})
		defer stop(nil)
		e := newElimination(ctx, net, defaultWork)
		for e.goesOn() {
			column, _, ok := e.columns.cheapest()
			if !ok {
				break
			}
			e.eliminate(column)
			most = max(most, e.held)
		}
		entries := 0
		for _, r := range e.rows {
			entries += r.size()
		}
		if entries != e.held {
			t.Errorf("%d entries are held, and %d counted", entries, e.held)
		}
		return most, len(e.semiflows(net))
	}
	free, _ := held(0)
	const room = 12 << 20
	debug.FreeOSMemory() // garbage that is given up later would be more room
	budget := petri.Budget{MemoryBytes: account.InUse() + room}
	most, _ := held(budget.MemoryBytes)
	if entry := 16; most*entry > room/3 || most == 0 || free*entry < room {
		t.Errorf("rows hold %d entries, %d without a limit", most, free)
	}
}

// TestSemiflowsAskForMemory: once the memory is full nothing more is combined, however little is
// held, as each combination leaves garbage.
func TestSemiflowsAskForMemory(t *testing.T) {
	ctx, stop := account.Within(context.Background(), petri.Budget{MemoryBytes: 1 << 20})
	defer stop(nil)
	e := newElimination(ctx, tangled(t, 170, 600, 3), defaultWork)
	if e.work, e.most = defaultWork, math.MaxInt; e.goesOn() {
		t.Error("the search goes on with no memory left")
	}
}

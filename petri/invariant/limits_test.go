package invariant

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"pnmc/petri"
)

// tangled is a net whose rows get ever more and ever longer: each transition moves tokens
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
		e := newElimination(ctx, net, DefaultWork)
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

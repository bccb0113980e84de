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

// TestLinksOfRemovedTransitionsMakeRoom: where transitions are made and removed again and again, lists of links don't grow with
// all that there ever were.
func TestLinksOfRemovedTransitionsMakeRoom(t *testing.T) {
	var b petri.Builder
	p, err := b.AddPlace("p", "", 1)
	u, transitionErr := b.AddTransition("t", "")
	err = errors.Join(err, transitionErr, b.AddInput(p, u, 1))
	net, buildErr := b.Build()
	if err = errors.Join(err, buildErr); err != nil {
		t.Fatal(err)
	}
	d := newDraft(context.Background(), net, nil)
	for range 10_000 {
		last := int32(len(d.transitions) - 1)
		made := d.transitions[last]
		d.removeTransition(last)
		d.transitions = append(d.transitions, made)
		d.transitions[last+1].removed = false
		d.link(last + 1)
	}
	if room := cap(d.links[p]); room == 0 || room > 16 {
		t.Errorf("room for %d links of one transition", room)
	}
}

// TestNoRoomForLinks: where lists of links would take too much, transitions that were made are not put in.
func TestNoRoomForLinks(t *testing.T) {
	var b petri.Builder
	u, err := b.AddTransition("t", "")
	for i := range 100_000 {
		p, placeErr := b.AddPlace(fmt.Sprint("p", i), "", 1)
		err = errors.Join(err, placeErr, b.AddInput(p, u, 1))
	}
	net, buildErr := b.Build()
	if err = errors.Join(err, buildErr); err != nil {
		t.Fatal(err)
	}
	d := newDraft(context.Background(), net, nil)
	if !d.hasRoom(d.transitions) {
		t.Error("no room without a limit")
	}
	ctx, stop := account.Within(context.Background(), petri.Budget{MemoryBytes: 1 << 20})
	defer stop(nil)
	d.account = account.Of(ctx)
	if d.hasRoom(d.transitions) {
		t.Error("room for 100,000 lists of links in a megabyte")
	}
	if d.hasRoom(nil) {
		t.Error("rules go on without memory")
	}
}

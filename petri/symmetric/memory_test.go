package symmetric

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"pnmc/internal/account"
	"pnmc/petri"
)

// TestLargeRunsAreNotUnfolded: the part of an unfolding that a run needs has a bound, and
// ends with the context.
func TestLargeRunsAreNotUnfolded(t *testing.T) {
	d := &Class{Name: "d", Size: 1 << 16}
	all := Expression{{Coefficient: 1, Terms: []Term{{Kind: All}}}}
	net := &Net{Places: []Place{{ID: "p", Domain: Domain{d}, Initial: all}, {ID: "q", Domain: Domain{d}, Initial: all}}}
	for most, large := range map[int]bool{1 << 15: true, 1<<17 - 1: true, 1 << 17: false} {
		if _, err := UnfoldRun(t.Context(), net, nil, most); errors.Is(err, ErrTooLarge) != large || !large && err != nil {
			t.Errorf("of at most %d nodes: %v", most, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := UnfoldRun(ctx, net, nil, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context has ended: %v", err)
	}
}

// TestLargeMarkingsAskForMemory: a marking with a token of each of a million colours is not
// begun where there is no room for it, by unfolding, by a walk and by a replay.
func TestLargeMarkingsAskForMemory(t *testing.T) {
	d := &Class{Name: "d", Size: 1 << 20}
	all := Expression{{Coefficient: 1, Terms: []Term{{Kind: All}}}}
	net := &Net{Places: []Place{{ID: "p", Domain: Domain{d}, Initial: all}}}
	for name, begin := range map[string]func() error{
		"unfolding": func() error {
			ctx, stop := account.Within(t.Context(), petri.Budget{MemoryBytes: account.InUse() + 8<<20})
			defer stop(nil)
			_, err := Unfold(ctx, net, Options{})
			if ctx.Err() == nil {
				t.Error("unfolding: the context goes on")
			}
			return errors.Join(err, account.Reason(ctx))
		},
		"walk": func() error {
			ctx, stop := account.Within(t.Context(), petri.Budget{MemoryBytes: account.InUse() + 8<<20})
			defer stop(nil)
			_, err := NewWalk(ctx, net, rand.New(rand.NewPCG(1, 1)), 1000)
			return err
		},
		"replay": func() error {
			ctx, stop := account.Within(t.Context(), petri.Budget{MemoryBytes: account.InUse() + 8<<20})
			defer stop(nil)
			_, err := NewReplay(ctx, net)
			return err
		},
	} {
		before := account.InUse()
		var reason *petri.MemoryError
		if err := begin(); !errors.As(err, &reason) {
			t.Errorf("%s: %v, expected that there is no memory", name, err)
		}
		if made := account.InUse() - before; made > 8<<20 {
			t.Errorf("%s: %d MB were taken before", name, made>>20)
		}
	}
}

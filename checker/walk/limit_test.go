package walk

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"pnmc/internal/account"
	"pnmc/petri"
)

// crowded returns a net whose places have so many consumers that walks look at crowds.
func crowded(t *testing.T) *petri.Net {
	t.Helper()
	var b petri.Builder
	err := error(nil)
	rng := rand.New(rand.NewPCG(1, 2))
	const places = 64
	for p := range places {
		_, placeErr := b.AddPlace(fmt.Sprint("p", p), "", int64(p%2))
		err = errors.Join(err, placeErr)
	}
	for i := range 10_000 {
		u, transitionErr := b.AddTransition(fmt.Sprint("t", i), "")
		first := rng.IntN(places)
		err = errors.Join(err, transitionErr)
		for k := range 8 {
			p := petri.Place((first + 7*k) % places)
			err = errors.Join(err, b.AddInput(p, u, 1), b.AddOutput(u, (p+1)%places, 1))
		}
	}
	net, buildErr := b.Build()
	if err = errors.Join(err, buildErr); err != nil {
		t.Fatal(err)
	}
	return net
}

// TestGamesLookOften: wherever the context ends while walks are prepared, that is an error, and so is a budget that is too small.
func TestGamesLookOften(t *testing.T) {
	net := crowded(t)
	looks := 0
	for ; ; looks++ {
		a := new(account.Account)
		a.Begin(account.EndsAfter(looks))
		g, err := gameOf(a, net, 0)
		if err == nil {
			if g.crowds == nil {
				t.Error("no crowds")
			}
			break
		}
		if g != nil || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("after %d looks: %v", looks, err)
		}
	}
	if looks < 8 {
		t.Errorf("%d looks, expected one for each millisecond", looks)
	}
	small, stop := account.Within(context.Background(), petri.Budget{MemoryBytes: 1 << 20})
	defer stop(nil)
	for name, prepared := range map[string]func() error{
		"walks":     func() error { _, err := New(small, net, nil, 1); return err },
		"a run":     func() error { _, err := NewRandomRun(small, net, rand.New(rand.NewPCG(1, 1))); return err },
		"dead ends": func() error { _, err := NewDeadEnds(small, net, nil, 1); return err },
	} {
		if full := new(petri.MemoryError); !errors.As(prepared(), &full) {
			t.Errorf("%s in a megabyte: %v", name, prepared())
		}
	}
}

package petri

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pnmc/internal/account"
)

// TestRulesLookOften: where the account ends while rules are compiled, nothing is found out, and the next question compiles
// them.
func TestRulesLookOften(t *testing.T) {
	var b Builder
	ring := make([]Place, 20_000)
	for i := range ring {
		ring[i], _ = b.AddPlace(fmt.Sprint("p", i), "", int64(min(1, max(0, 1-i))))
	}
	for i := range ring {
		u, _ := b.AddTransition(fmt.Sprint("t", i), "")
		if err := errors.Join(b.AddInput(ring[i], u, 1), b.AddOutput(u, ring[(i+1)%len(ring)], 1)); err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	looks := 0
	for ; ; looks++ {
		k := NewKripkeWithin(account.EndsAfter(looks), net, Facts{}, Budget{})
		if !k.Lost() {
			break
		}
		if row, err := k.Successors(k.Initial()); !errors.Is(err, context.DeadlineExceeded) || len(row) > 0 {
			t.Fatalf("after %d looks: successors %v, %v", looks, row, err)
		}
		if k.Deadlock(k.Initial()) {
			t.Fatalf("after %d looks: a deadlock", looks)
		}
		if s, err := net.Explore(account.EndsAfter(looks), Facts{}, Budget{}, nil); !errors.Is(err, context.DeadlineExceeded) || s.Complete {
			t.Fatalf("after %d looks: %+v, %v", looks, s, err)
		}
		k.Begin(context.Background())
		if row, err := k.Successors(k.Initial()); err != nil || len(row) != 1 || k.Lost() {
			t.Fatalf("begun anew after %d looks: successors %v, %v", looks, row, err)
		}
	}
	if looks < 4 {
		t.Errorf("%d looks at the account, expected one for each millisecond", looks)
	}
}

// TestGrowthLooksOften: where the account ends while producers of a place are fired, that is an error.
func TestGrowthLooksOften(t *testing.T) {
	var b Builder
	full, err := b.AddPlace("full", "", 3)
	for i := range 20_000 {
		source, placeErr := b.AddPlace(fmt.Sprint("p", i), "", 0)
		u, transitionErr := b.AddTransition(fmt.Sprint("t", i), "")
		err = errors.Join(err, placeErr, transitionErr, b.AddInput(source, u, 1), b.AddOutput(u, full, 1))
	}
	net, buildErr := b.Build()
	if err = errors.Join(err, buildErr); err != nil {
		t.Fatal(err)
	}
	s := newSpace(new(account.Account), net, Facts{})
	a := new(account.Account)
	a.Begin(context.Background())
	if unbounded, err := s.layout.CheckGrowth(a, s, s.initial, int(s.layout.fieldOf[full])); unbounded != nil || err != nil {
		t.Fatal(unbounded, err)
	}
	if least := int64(16 * net.Transitions()); a.Spent() < least {
		t.Errorf("charged %d, expected at least %d", a.Spent(), least)
	}
	a.Begin(account.EndsAfter(0))
	if _, err := s.layout.CheckGrowth(a, s, s.initial, int(s.layout.fieldOf[full])); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the end of the account is %v", err)
	}
}

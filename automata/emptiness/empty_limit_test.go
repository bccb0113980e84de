package emptiness

import (
	"context"
	"errors"
	"testing"

	"pnmc/automata"
	"pnmc/internal/account"
	"pnmc/internal/automatatest"
)

func TestAHardConditionLeavesOffWithTheContext(t *testing.T) {
	hard := automatatest.Pigeonhole(t, 9)
	every := automata.EveryWord()
	soon := func() context.Context { return account.EndsAfter(20) }
	for name, decide := range map[string]func() error{
		"intersect": func() error {
			_, err := Intersect(Explicit(hard), Explicit(every), Options{Context: soon()})
			return err
		},
		"intersect, analysed first": func() error {
			_, err := Intersect(Explicit(hard), Explicit(hard), Options{Context: soon(), eager: true})
			return err
		},
		"states": func() error { _, err := NonemptyStates(soon(), hard); return err },
	} {
		if err := decide(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: error %v, want that of the context", name, err)
		}
	}
	easy := automatatest.Pigeonhole(t, 3)
	if r, err := Intersect(Explicit(easy), Explicit(every), Options{}); err != nil || r.Nonempty {
		t.Errorf("three holes: nonempty %v, error %v", r.Nonempty, err)
	}
}

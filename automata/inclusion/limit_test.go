package inclusion

import (
	"context"
	"errors"
	"testing"

	"pnmc/automata"
	"pnmc/internal/account"
	"pnmc/internal/automatatest"
)

func TestComparisonsLeaveOffWithTheContext(t *testing.T) {
	hard := automatatest.Pigeonhole(t, 9)
	soon := func() context.Context { return account.EndsAfter(20) }
	for name, decide := range map[string]func() error{
		"include": func() error {
			_, err := Included(hard, hard, Options{Context: soon()})
			return err
		},
		"equivalent": func() error {
			_, err := Equivalent(automata.EveryWord(), hard, Options{Context: soon(), Complement: hard, FirstComplement: hard})
			return err
		},
	} {
		if err := decide(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: error %v, want that of the context", name, err)
		}
	}
}

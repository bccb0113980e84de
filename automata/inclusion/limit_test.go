package inclusion

import (
	"context"
	"errors"
	"testing"

	"pnmc/automata"
	"pnmc/automata/automatatest"
)

// askedTimes is a context that ends when its error was asked for a number of times.
type askedTimes struct {
	context.Context
	left int
}

func (c *askedTimes) Err() error {
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

func TestComparisonsLeaveOffWithTheContext(t *testing.T) {
	hard := automatatest.Pigeonhole(t, 9)
	soon := func() context.Context { return &askedTimes{context.Background(), 20} }
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

package comparing

import (
	"errors"
	"flag"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/automata"
	"pnmc/internal/account"
	"pnmc/internal/automatatest"
	"pnmc/petri"
)

// command returns the context of a command with these flags.
func command(t *testing.T, timeout time.Duration) *cli.Context {
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.Duration("timeout", timeout, "")
	c := cli.NewContext(cli.NewApp(), flags, nil)
	c.Context = t.Context()
	return c
}

// TestPlainWithinLimits: a testing automaton is made a plain one within the time and the memory of the command,
// and an end by one of them is no mistake of the input.
func TestPlainWithinLimits(t *testing.T) {
	var full *account.MemoryError
	for _, kind := range []automata.Kind{automata.TGTA, automata.TA} {
		a := automatatest.Changing(t, 8, kind)
		for name, test := range map[string]struct {
			timeout time.Duration
			budget  petri.Budget
			want    func(error) bool
		}{
			"time":   {1, petri.Budget{}, func(err error) bool { return err != nil && err.Error() == "time limit of 1ns reached" }},
			"memory": {0, petri.Budget{MemoryBytes: 1}, func(err error) bool { return errors.As(err, &full) }},
			"none":   {0, petri.Budget{}, func(err error) bool { return err == nil }},
		} {
			r := &streams{c: command(t, test.timeout), budget: test.budget}
			plain, limited, err := r.plain(a)
			if !test.want(err) || limited != (name != "none") || (plain != nil) != (name == "none") {
				t.Errorf("%v, %s: %v, limited %t", kind, name, err, limited)
			}
		}
	}
	r := &streams{c: command(t, 0)}
	if _, limited, err := r.plain(automatatest.Changing(t, 17, automata.TGTA)); !limited || !errors.Is(err, automata.ErrTooManyChanges) {
		t.Errorf("many propositions: %v, limited %t", err, limited)
	}
}

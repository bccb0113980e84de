package comparing

import (
	"errors"
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/automata"
	"pnmc/internal/account"
	"pnmc/petri"
)

// changing returns a testing automaton of so many propositions, each of whose changes leads to another
// state.
func changing(t *testing.T, propositions int, kind automata.Kind) *automata.Automaton {
	t.Helper()
	acceptance := automata.GeneralizedBuchi(0)
	if kind == automata.TA {
		acceptance = automata.GeneralizedBuchi(1)
	}
	names := make([]string, propositions)
	for i := range names {
		names[i] = fmt.Sprintf("p%d", i)
	}
	b := automata.NewBuilder(names, acceptance)
	b.Kind = kind
	b.AddStates(2)
	b.AddInitial(0)
	for s := range automata.State(2) {
		b.AddEdge(s, automata.Label{automata.NewCube(propositions)}, automata.NewMarks(acceptance.Sets), 1)
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

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
		a := changing(t, 8, kind)
		for name, test := range map[string]struct {
			timeout time.Duration
			budget  petri.Budget
			want    func(error) bool
		}{
			"time":   {1, petri.Budget{}, func(err error) bool { return err != nil && err.Error() == "time limit of 1ns reached" }},
			"memory": {0, petri.Budget{MemoryBytes: account.InUse() / 2}, func(err error) bool { return errors.As(err, &full) }},
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
	if _, limited, err := r.plain(changing(t, 17, automata.TGTA)); !limited || !errors.Is(err, automata.ErrTooManyChanges) {
		t.Errorf("many propositions: %v, limited %t", err, limited)
	}
}

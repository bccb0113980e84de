package page

import (
	"context"
	"flag"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/automata"
	"pnmc/checker/properties"
	"pnmc/checker/witness"
	"pnmc/internal/automatatest"
	"pnmc/internal/petritest"
	"pnmc/logic"
)

// TestAutomatonOfPage: the automaton of a page is made for a run to follow only.
func TestAutomatonOfPage(t *testing.T) {
	a := automatatest.Random(automatatest.RandomSettings{States: 3, Propositions: []string{"dead"}}, 1)
	property := properties.Property{Automaton: a, Predicates: []*logic.Predicate{{Operator: logic.Deadlocked}}}
	answer := func(run *witness.Counterexample) *automata.Automaton {
		flags := flag.NewFlagSet("", flag.ContinueOnError)
		flags.Duration("timeout", time.Minute, "")
		c := cli.NewContext(cli.NewApp(), flags, nil)
		c.Context = context.Background()
		return AnswerOfCheck(c, petritest.Counter(), "x", property, properties.Result{Counterexample: run}).answer.Automaton
	}
	if answer(&witness.Counterexample{}) == nil {
		t.Error("a run has no automaton to follow")
	}
	if answer(nil) != nil {
		t.Error("an automaton was made for no run")
	}
}

package comparing

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"pnmc/automata"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/checker/witness"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cross"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/petri"
)

// netSystem finds runs that automata accept on the net that the flags name, over which the
// propositions are state predicates. A check of a formula with another one is given up; an
// error says that all formulas have one.
func netSystem(c *cli.Context, m *progress.Messenger, s *ltl.Formulas, formulas []cross.Formula) (func(context.Context, *automata.Automaton, []string) (*cross.SystemRun, error), error) {
	budget, err := limits.Budget(c)
	if err != nil {
		return nil, err
	}
	net, vocabulary, err := input.Net(c)
	if err != nil {
		return nil, err
	}
	var unknown error
	for _, f := range formulas {
		own := ltl.NewFormulas()
		err := input.WithArgument(c, "cross", func(limit logic.Limit) error {
			_, err := own.ImportWithin(limit, f.Formula, s)
			return err
		})
		if err != nil {
			return nil, err
		}
		_, err = properties.Bind(&automata.Automaton{Propositions: own.Propositions()}, vocabulary, nil)
		if unknown = err; err == nil {
			break
		}
	}
	if unknown != nil {
		return nil, exit.InputError(fmt.Errorf("cross: on the net, %w", unknown))
	}
	var kripke *petri.Kripke
	return func(ctx context.Context, a *automata.Automaton, propositions []string) (*cross.SystemRun, error) {
		property, err := properties.Bind(a, vocabulary, nil)
		if err != nil {
			return nil, err
		}
		if kripke == nil {
			kripke = petri.NewKripkeWithin(ctx, net, limits.Prove(ctx, net, budget), budget)
		}
		r, err := product.Check(ctx, kripke, property, func(properties.Statistics) {})
		m.TellClaim(net)
		switch {
		case err != nil:
			return nil, err
		case r.Verdict == properties.Unknown:
			return nil, errors.New(r.Reason)
		case r.Verdict == properties.Holds:
			return nil, nil
		}
		return tellRun(net, vocabulary, propositions, r.Counterexample)
	}, nil
}

// tellRun returns a run of the net by the identifiers of its transitions, with the values of
// the propositions on the way.
//
// The word is what the automata disagree about, and can be given to any of them. A run whose
// cycle adds tokens has no such word: each round may satisfy other propositions. It is told as a
// run only.
func tellRun(net *petri.Net, vocabulary logic.Vocabulary, propositions []string, c *witness.Counterexample) (*cross.SystemRun, error) {
	names := &automata.Automaton{Propositions: propositions}
	property, err := properties.Bind(names, vocabulary, nil)
	if err != nil {
		return nil, err
	}
	run := &cross.SystemRun{Word: &automata.Lasso{Propositions: propositions}}
	marking := net.Initial()
	follow := func(steps []witness.Step) (told []string, letters []automata.Valuation) {
		for _, s := range steps {
			letters = append(letters, witness.Valuation(net, marking, property.Predicates))
			if s.Stutter {
				told = append(told, "(deadlock)")
				continue
			}
			net.Fire(marking, s.Transition)
			told = append(told, net.TransitionLabel(s.Transition).ID)
		}
		return told, letters
	}
	run.Prefix, run.Word.Prefix = follow(c.Prefix)
	before := slices.Clone(marking)
	run.Cycle, run.Word.Cycle = follow(c.Cycle)
	if !slices.Equal(before, marking) { // with more tokens the next round may look different
		run.Word = nil
	}
	return run, nil
}

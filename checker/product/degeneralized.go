package product

import (
	"context"
	"errors"
	"slices"

	"pnmc/automata/degeneralize"
	"pnmc/checker/product/internal/states"
	"pnmc/checker/properties"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/petri"
)

// checkDegeneralized checks by a Büchi automaton.
func checkDegeneralized(ctx context.Context, k *petri.Kripke, property properties.Property, s Settings) (properties.Result, error) {
	preparing, prepared := account.Within(ctx, k.Account().Budget())
	defer prepared(nil)
	b, err := degeneralize.Degeneralize(preparing, property.Automaton)
	if err != nil {
		return unable(preparing, err)
	}
	result, err := Check(ctx, k, properties.Property{Automaton: b, Predicates: property.Predicates}, s.Progress)
	if err != nil || result.Verdict != properties.Violated {
		return result, err
	}
	telling, cancel := tellingTime(ctx)
	defer cancel()
	k.Account().Tell(telling)
	result.Counterexample, err = explainAgain(telling, k, property, result.Counterexample)
	return confirmed(ctx, k, property, result, err)
}

// explainAgain tells a counterexample to one automaton for a property by the automaton of the
// property. Where its cycle gains tokens, labels may differ from round to round until there are so
// many tokens that they no longer do: then ever more rounds go before the cycle, until the run
// replays. An error is that of Explain, of the account, or states.ErrEndless.
func explainAgain(ctx context.Context, k *petri.Kripke, property properties.Property, found *witness.Counterexample) (*witness.Counterexample, error) {
	for {
		run, gains, err := firedAgain(k, property, found)
		if err != nil {
			return nil, err
		}
		c, err := Explain(ctx, k.Account(), property.Automaton, run)
		if !gains || err != nil && !errors.Is(err, ErrNotAccepted) ||
			err == nil && witness.Replay(k.Net(), property.Automaton, property.Predicates, c) == nil {
			return c, err
		}
		if 2*len(run.Steps) > states.MaxWalk {
			return nil, states.ErrEndless
		}
		rounds := slices.Repeat(found.Cycle, 1+len(run.Steps)/len(found.Cycle))
		found = &witness.Counterexample{Start: found.Start, Prefix: slices.Concat(found.Prefix, rounds), Cycle: found.Cycle}
	}
}

// firedAgain is the run of a counterexample; gains tells that its cycle ends with more tokens
// than it starts with. An error is that of the account, or states.ErrEndless where the run
// can't be fired, for it has more tokens than can be counted.
func firedAgain(k *petri.Kripke, property properties.Property, c *witness.Counterexample) (run FiredRun, gains bool, err error) {
	net := k.Net()
	run = FiredRun{Back: len(c.Prefix), Steps: slices.Concat(c.Prefix, c.Cycle)}
	r := witness.NewFiring(net, property.Automaton, property.Predicates)
	var start petri.Marking
	for i, s := range run.Steps {
		if err := k.Account().Charge(walkWork + 8*len(r.Marking) + matchWork*len(property.Predicates)); err != nil {
			return run, false, err
		}
		if i == run.Back {
			start = slices.Clone(r.Marking)
		}
		if err := account.Room(k.Account(), run.Word, 1); err != nil {
			return run, false, err
		}
		run.Word = append(run.Word, r.Valuation())
		if !s.Stutter && !net.Fire(r.Marking, s.Transition) {
			return run, false, states.ErrEndless
		}
	}
	return run, !slices.Equal(start, r.Marking), nil
}

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

// A property can be checked by a Büchi automaton instead of its own one with several acceptance
// sets. The verdict is the same, but a counterexample must be one for the property's own
// automaton. So its run of the net is fired again, and Explain finds edges of the own automaton.
//
// Where the net is unbounded, that needs a second thought. A cycle may gain tokens: it can be repeated
// for ever, with more tokens each time, and labels may differ from round to round. Let a round put a
// token into p, and let the predicate be p ≥ 5. It is false in the first rounds, and true for ever
// after the fifth. So the labels of the first round, repeated, are not the word that the net shows.
// Therefore the prefix takes in rounds of the cycle, so that the run gets twice as long or more each
// time, until it replays. Doubling keeps the whole work linear in the length of the last run.

// checkDegeneralized checks a property by a Büchi automaton with the same language, as Check does.
func checkDegeneralized(ctx context.Context, k *petri.Kripke, property properties.Property, s Settings) (properties.Result, error) {
	preparing, prepared := account.Within(ctx, k.Account().Budget())
	defer prepared(nil)
	b, err := degeneralize.Degeneralize(preparing, property.Automaton)
	if err != nil {
		return unable(preparing, err)
	}
	result, err := checkPlain(ctx, k, properties.Property{Automaton: b, Predicates: property.Predicates}, s)
	if err != nil || result.Verdict != properties.Violated {
		return result, err
	}
	telling, cancel := tellingTime(ctx)
	defer cancel()
	k.Account().Tell(telling)
	result.Counterexample, err = explainAgain(telling, k, property, result.Counterexample)
	return confirmed(ctx, k, property, result, err)
}

// explainAgain turns a counterexample to another automaton for a property into one to the
// property's own automaton. If its cycle gains tokens, rounds of the cycle are moved to the prefix,
// until the run replays. An error is that of Explain, of the account, or states.ErrEndless.
func explainAgain(ctx context.Context, k *petri.Kripke, property properties.Property, found *witness.Counterexample) (*witness.Counterexample, error) {
	for {
		run, gains, err := firedAgain(k, property, found)
		if err != nil {
			return nil, err
		}
		c, err := Explain(ctx, k.Account(), property.Automaton, run)
		if !gains || err != nil && !errors.Is(err, ErrNotAccepted) ||
			err == nil && witness.ReplayWithin(k.Account(), k.Net(), property.Automaton, property.Predicates, c) == nil {
			return c, err
		}
		if 2*len(run.Steps) > states.MaxWalk {
			return nil, states.ErrEndless
		}
		if err := k.Account().Reserve(2 * stepBytes * len(run.Steps)); err != nil {
			return nil, err
		}
		rounds := slices.Repeat(found.Cycle, 1+len(run.Steps)/len(found.Cycle))
		found = &witness.Counterexample{Start: found.Start, Prefix: slices.Concat(found.Prefix, rounds), Cycle: found.Cycle}
	}
}

// firedAgain fires the run of a counterexample, and returns it with the labels of its markings.
// gains reports whether the cycle ends in another marking than it starts with. An error is that of
// the account, or states.ErrEndless where the run cannot be fired, as it gets more tokens than can
// be counted.
func firedAgain(k *petri.Kripke, property properties.Property, c *witness.Counterexample) (run FiredRun, gains bool, err error) {
	net := k.Net()
	if err := k.Account().Reserve(stepBytes * (len(c.Prefix) + len(c.Cycle))); err != nil {
		return run, false, err
	}
	run = FiredRun{Back: len(c.Prefix), Steps: slices.Concat(c.Prefix, c.Cycle)}
	r := witness.NewFiring(net, property.Automaton, property.Predicates)
	var start petri.Marking
	work := walkWork + 8*len(r.Marking) + witness.EvaluationWork(net, property.Predicates...)
	for i, s := range run.Steps {
		if err := k.Account().Charge(work); err != nil {
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

package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"pnmc/automata"
	"pnmc/checker"
)

// approachFlags say by which kind of automaton properties are checked.
func approachFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "approach", Value: "auto", Usage: "check by this `KIND` of automaton: auto, tgba, ba, ta or tgta"},
		distrustFlag(),
		&cli.BoolFlag{Name: "built", Usage: "make testing automata as a whole and reduce them, not on the fly"},
	}
}

func distrustFlag() cli.Flag {
	return &cli.BoolFlag{Name: "distrust", Usage: "find out whether an automaton is stutter-invariant, whatever it claims"}
}

// approachSettings is what the flags say.
func approachSettings(c *cli.Context) (checker.Settings, error) {
	s := checker.Settings{Distrust: c.Bool("distrust"), Built: c.Bool("built")}
	var err error
	if s.Approach, err = checker.ParseApproach(c.String("approach")); err != nil {
		return s, usageError("--approach: %w", err)
	}
	return s, nil
}

// automatonKinds are what --to can turn automata into.
var automatonKinds = []string{"tgba", "ba", "ta", "tgta"}

// convertKind turns a plain automaton into another kind.
func convertKind(ctx context.Context, a *automata.Automaton, to string, distrust bool) (*automata.Automaton, error) {
	if a.Kind != automata.Plain {
		if a.Kind.String() == to {
			return a, nil
		}
		return nil, usageError("a %v can't be turned into a %s", a.Kind, to)
	}
	switch to {
	case "ba":
		return automata.Degeneralize(ctx, a)
	case "tgba":
		return automata.Prune(ctx, a)
	}
	a, v, err := checker.PrepareTesting(ctx, a, distrust)
	if err != nil {
		return nil, err
	}
	if to == "ta" {
		return automata.NewTA(ctx, a, v)
	}
	return automata.NewTGTA(ctx, a, v)
}

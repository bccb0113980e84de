package checker

import (
	"context"
	"errors"
	"math/big"

	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// countExplicitly explores all markings.
func countExplicitly(ctx context.Context, r *task) error {
	within, stop := account.Within(ctx, r.budget)
	facts := invariant.Prove(within, r.net, factsWork)
	stop(nil)
	s, err := petri.Explore(ctx, r.net, facts, r.budget, nil)
	r.note("explored %d markings: %v", s.States, err)
	shown := Witness{Ground: AllMarkings, Count: s.States}
	if errors.As(err, new(*petri.UnboundedError)) {
		shown.Ground = Pump
		r.tokens.giveInfinite(exploring, shown)
		return nil
	}
	if err != nil || !s.Complete {
		return err
	}
	for size, value := range [...]*big.Int{
		Markings: big.NewInt(s.States), Firings: big.NewInt(s.Firings),
		TokensPerMarking: s.MaxTokensPerMarking, TokensInPlace: big.NewInt(s.MaxTokensInPlace),
	} {
		if value != nil {
			r.tokens.give(Size(size), LargeNumber(value), exploring, shown)
		}
	}
	return nil
}

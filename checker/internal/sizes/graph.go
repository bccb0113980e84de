package sizes

import (
	"context"
	"errors"
	"math"
	"math/big"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/lanes"
	"pnmc/petri"
	"pnmc/petri/multicore"
)

// Graph explores all markings, with the threads that other engines leave.
func Graph(ctx context.Context, r *core.Task) error {
	facts := r.FactsForMarkings(ctx, core.FactsWork)
	threads, release := r.Threads(ctx, math.MaxInt)
	defer release()
	s, err := multicore.ExploreBeside(ctx, lanes.Plain(ctx), r.Net, facts, r.Budget, threads, nil, r.Sizes.LeftOut()...)
	r.Note("explored %d markings with %d threads at most: %v", s.States, threads, err)
	shown := inquiry.Witness{Ground: inquiry.AllMarkings, Count: s.States}
	if errors.As(err, new(*petri.UnboundedError)) {
		shown.Ground = inquiry.Pump
		r.Sizes.GiveInfinite(core.Exploring, shown)
		return nil
	}
	if err != nil || !s.Complete {
		return err
	}
	for size, value := range [...]*big.Int{
		inquiry.Markings: big.NewInt(s.States), inquiry.Firings: big.NewInt(s.Firings),
		inquiry.TokensPerMarking: s.MaxTokensPerMarking, inquiry.TokensInPlace: big.NewInt(s.MaxTokensInPlace),
	} {
		if value != nil {
			r.Sizes.Give(inquiry.Size(size), inquiry.LargeNumber(value), core.Exploring, shown)
		}
	}
	return nil
}

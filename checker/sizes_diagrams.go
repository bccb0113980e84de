package checker

import (
	"context"
	"math/big"
)

// countSymbolically counts with decision diagrams.
func countSymbolically(ctx context.Context, r *task) error {
	s, err := r.exploreSymbolically(ctx, r.net)
	if err != nil {
		return err
	}
	defer r.keepDiagram(s)
	space := s.StateSpace()
	shown := Witness{Ground: DiagramMarkings, Count: int64(space.Nodes)}
	give := func(size Size, value *big.Int) {
		r.tokens.give(size, LargeNumber(value), DecisionDiagrams, shown)
	}
	states, err := space.StatesWithin(ctx)
	if err != nil {
		return err
	}
	give(Markings, states)
	give(TokensInPlace, big.NewInt(int64(space.LargestValue())))
	if v, err := space.LargestMarking(); err == nil {
		give(TokensPerMarking, v)
	}
	firings, err := space.Firings(ctx)
	if err == nil {
		give(Firings, firings)
	}
	return err
}

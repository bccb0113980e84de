package walk

import (
	"context"
	"math/rand/v2"

	"pnmc/internal/account"
	"pnmc/petri"
)

// must returns what there was room for.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func game(net *petri.Net) *tokenGame { return gameWith(net, consumersOfCrowded) }

func gameWith(net *petri.Net, consumers int) *tokenGame {
	return must(gameOf(new(account.Account), net, consumers))
}

// WalksOn is New without limits.
func WalksOn(net *petri.Net, goals []Goal, seed uint64) *Walk {
	return must(New(context.Background(), net, goals, seed))
}

// RandomRunOn is NewRandomRun without limits.
func RandomRunOn(net *petri.Net, rng *rand.Rand) *RandomRun {
	return must(NewRandomRun(context.Background(), net, rng))
}

// DeadEndsOn is NewDeadEnds without limits.
func DeadEndsOn(net *petri.Net, groups [][]uint32, seed uint64) *DeadEnds {
	return must(NewDeadEnds(context.Background(), net, groups, seed))
}

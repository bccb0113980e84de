package core

import (
	"context"
	"math/big"

	"pnmc/petri"
)

const (
	// ComponentsWork is the most work that finding components that are alike may take, in about nanoseconds.
	ComponentsWork = 500_000_000
	// FewestSymmetries is how many permutations are worth to be used: a marking takes up to three times as long with them.
	FewestSymmetries = 24
	// looked is how many markings show whether they stand for others. They are of use if they stand for
	// at least fewestImages each.
	looked       = 1 << 12
	fewestImages = 4
)

// WorthFolding explores some markings of k, which permutations of components fold, and reports whether they stand for so many
// others that the rest is worth it. It is if there is no rest.
func WorthFolding(ctx context.Context, k *petri.Kripke, alike *petri.Components) (bool, error) {
	k.Begin(ctx)
	canonizer := petri.NewCanonizer(alike, k.Net().Places())
	m, sum := make(petri.Marking, k.Net().Places()), new(big.Int)
	for s := petri.StateID(0); int(s) < k.Len(); s++ {
		if s == looked {
			return sum.Cmp(big.NewInt(looked*fewestImages)) >= 0, nil
		}
		if _, err := k.Successors(s); err != nil {
			return false, err
		}
		k.Marking(s, m)
		images, ok := canonizer.Images(m)
		if err := k.Account().Charge(canonizer.Work() + 4*len(m)); err != nil || !ok {
			return false, err
		}
		sum.Add(sum, images)
	}
	return true, nil
}

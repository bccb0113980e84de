package core

import (
	"context"
	"errors"
	"math/big"

	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/automorphism"
)

const (
	// componentsWork is the most work that finding components that are alike may take, in about nanoseconds.
	componentsWork = 500_000_000
	// fewestSymmetries is how many permutations are worth to be used: a marking takes up to three times as long with them.
	fewestSymmetries = 24
	// looked is how many markings show whether they stand for others. They are of use if they stand for
	// at least fewestImages each.
	looked       = 1 << 12
	fewestImages = 4
)

// Folded returns the state graph that begin begins of a net, where markings stand for all their images by permutations of
// components that keep the goals; and these components. It returns nil if they are not worth it, or there is no memory
// within the budget to find them.
func Folded(ctx context.Context, b petri.Budget, net *petri.Net, goals []automorphism.Goal, begin func() *petri.Kripke) (*petri.Kripke, *petri.Components, error) {
	if !net.Plain() {
		return nil, nil, nil
	}
	within, stop := account.Within(ctx, b)
	alike, err := automorphism.Components(within, net, goals, componentsWork)
	stop(nil)
	if errors.As(err, new(*petri.MemoryError)) {
		return nil, nil, nil // engines that need less may do with what is left
	}
	if err != nil || alike == nil || alike.Symmetries().Cmp(big.NewInt(fewestSymmetries)) < 0 {
		return nil, nil, err
	}
	k := begin()
	k.FoldComponents(alike)
	if worth, err := worthFolding(ctx, k, alike); err != nil || !worth {
		return nil, nil, err
	}
	return k, alike, nil
}

// worthFolding explores some markings of k, which permutations of components fold, and reports whether they stand for so many
// others that the rest is worth it. It is if there is no rest.
func worthFolding(ctx context.Context, k *petri.Kripke, alike *petri.Components) (bool, error) {
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

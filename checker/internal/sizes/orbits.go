package sizes

import (
	"context"
	"errors"
	"math/big"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/internal/arithmetic"
	"pnmc/petri"
)

// Orbits explores one of the markings that are alike by symmetries, and counts each as often as it has images. The firings
// that leave a marking are as many as those that leave an image. So the sums are those of all markings.
//
// Where the components that are alike differ in few markings, this has no advantage over Graph, and ends.
func Orbits(ctx context.Context, r *core.Task) error {
	if !r.Shared.Uses(inquiry.Symmetries) || len(r.Sizes.LeftOut()) > 0 {
		return nil
	}
	k, alike, err := core.Folded(ctx, r.Budget, r.Net, nil, func() *petri.Kripke {
		return petri.NewKripkeWithin(ctx, r.Net, r.FactsForMarkings(ctx, core.FactsWork), r.Budget)
	})
	if k == nil {
		return err
	}
	o := &orbits{
		kripke: k, canonizer: petri.NewCanonizer(alike, r.Net.Places()), marking: make(petri.Marking, r.Net.Places()),
		markings: new(big.Int), firings: new(big.Int),
	}
	err = o.explore()
	r.Note("explored %d markings for %v, by %v symmetries of %d components: %v", o.kripke.Len(), o.markings, alike.Symmetries(), alike.Len(), err)
	if err != nil {
		if errors.Is(err, errNoOrbits) {
			return nil
		}
		return err
	}
	shown := inquiry.Witness{Ground: inquiry.AllMarkings, Count: int64(o.kripke.Len())}
	for size, value := range [...]*big.Int{
		inquiry.Markings: o.markings, inquiry.Firings: o.firings,
		inquiry.TokensPerMarking: big.NewInt(o.perMarking), inquiry.TokensInPlace: big.NewInt(o.inPlace),
	} {
		r.Sizes.Give(inquiry.Size(size), inquiry.LargeNumber(value), core.ExploringWith(petri.Savings{}, alike.Len()), shown)
	}
	return nil
}

// errNoOrbits says that markings can't be counted by symmetries, since some have too many images to try.
var errNoOrbits = errors.New("it is not known for how many others a marking stands")

// orbits are markings that stand for others.
type orbits struct {
	kripke              *petri.Kripke
	canonizer           *petri.Canonizer
	marking             petri.Marking
	markings, firings   *big.Int
	perMarking, inPlace int64
}

// explore explores and counts.
func (o *orbits) explore() error {
	for s := petri.StateID(0); int(s) < o.kripke.Len(); s++ {
		next, err := o.kripke.Successors(s)
		if err != nil {
			return err
		}
		firings := len(next)
		if firings == 1 && next[0] == s && o.kripke.Deadlock(s) {
			firings = 0
		}
		if err := o.count(s, int64(firings)); err != nil {
			return err
		}
	}
	if o.kripke.Unbounded() != nil {
		return o.kripke.Unbounded()
	}
	return nil
}

// count counts the images of s, each with so many firings.
func (o *orbits) count(s petri.StateID, firings int64) error {
	o.kripke.Marking(s, o.marking)
	images, ok := o.canonizer.Images(o.marking)
	if !ok {
		return errNoOrbits
	}
	o.markings.Add(o.markings, images)
	o.firings.Add(o.firings, images.Mul(images, big.NewInt(firings)))
	total := int64(0)
	for _, n := range o.marking {
		if total, ok = arithmetic.Add(total, n); !ok {
			return errNoOrbits
		}
		o.inPlace = max(o.inPlace, n)
	}
	o.perMarking = max(o.perMarking, total)
	return o.kripke.Account().Charge(o.canonizer.Work() + 4*len(o.marking))
}

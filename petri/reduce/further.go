package reduce

import (
	"context"
	"errors"

	"pnmc/internal/account"
)

// errNotWithin reports that a place is protected which the first reduction has removed.
var errNotWithin = errors.New("a protected place is not in the reduced net")

// Further returns what Apply would of the original net, but begins with the net of r. Protected says of
// each original place whether the property looks at it. It must have been protected when r was made,
// and r must preserve all that is wanted: then what both together preserve is wanted, too. Counts are
// not among that.
func (r *Reduction) Further(ctx context.Context, protected []bool, wanted Preserves) (*Reduction, error) {
	return r.FurtherWithin(ctx, protected, wanted, 0)
}

// FurtherWithin does what Further does, but stops after so much work, as ApplyWithin does. A net whose reduction
// was stopped may so be reduced further for the same places.
func (r *Reduction) FurtherWithin(ctx context.Context, protected []bool, wanted Preserves, work int) (*Reduction, error) {
	if err := account.Of(ctx).Reserve(draftBytes(r.Net)); err != nil {
		return nil, err
	}
	within := make([]bool, r.Net.Places())
	for p, is := range protected {
		if !is {
			continue
		}
		if r.PlaceOf[p] < 0 {
			return nil, errNotWithin
		}
		within[r.PlaceOf[p]] = true
	}
	if wanted == Counting {
		wanted = Everything
	}
	d := newDraft(ctx, r.Net, within)
	for t := range d.transitions {
		d.transitions[t].recipe = r.sequences[t]
	}
	d.prefix = r.prefix
	further, err := d.reduced(wanted, work)
	if err != nil {
		return nil, err
	}
	for i, p := range further.Places {
		further.Places[i] = r.Places[p]
	}
	placeOf := make([]int32, len(r.PlaceOf))
	for p, q := range r.PlaceOf {
		if placeOf[p] = -1; q >= 0 {
			placeOf[p] = further.PlaceOf[q]
		}
	}
	further.PlaceOf = placeOf
	for i, n := range r.Applied {
		further.Applied[i] += n
	}
	return further, nil
}

// Serves reports whether Further may begin with r, which was made with the places was protected and
// preserves had, for others.
func Serves(was []bool, had Preserves, protected []bool, wanted Preserves) bool {
	if wanted&had != wanted || had == Everything || wanted == Counting {
		return false
	}
	for p, is := range protected {
		if is && !was[p] {
			return false
		}
	}
	return true
}

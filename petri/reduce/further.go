package reduce

import (
	"context"
	"errors"

	"pnmc/internal/account"
	"pnmc/petri"
)

// errNotWithin reports that a place is protected which the first reduction has removed.
var errNotWithin = errors.New("a protected place is not in the reduced net")

// Further returns what Apply would of the original net, but begins with the net of r. Protected says of
// each original place whether the property looks at it. It must have been protected when r was made,
// and r must preserve all that is wanted: then what both together preserve is wanted, too. Counts are
// not among that.
func (r *Reduction) Further(ctx context.Context, protected []bool, wanted Preserves) (*Reduction, error) {
	return r.FurtherWithout(ctx, nil, protected, wanted)
}

// FurtherWithout does what Further does, and first removes transitions of the net of r that never fire, as
// the caller has proven. Without them the same markings are reached by the same firings. They stay where the rule
// of dead transitions does not apply.
func (r *Reduction) FurtherWithout(ctx context.Context, dead []petri.Transition, protected []bool, wanted Preserves) (*Reduction, error) {
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
	if rules[deadRule].preserves&wanted != wanted {
		dead = nil
	}
	for _, t := range dead {
		if d.over(1 + len(r.Net.Pre(t)) + len(r.Net.Post(t))) {
			break // there will be no reduced net
		}
		d.removeTransition(int32(t))
	}
	further, err := d.reduced(wanted)
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
	further.Applied[deadRule] += len(dead)
	further.Proven = r.Proven + len(dead)
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

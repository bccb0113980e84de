package induction

import (
	"slices"

	"pnmc/internal/arithmetic"
	"pnmc/logic"
)

// pending is a predicate that is to have a value.
type pending struct {
	predicate *logic.Predicate
	wanted    bool
}

// pendingList returns predicates that are all to have one value.
func pendingList(list []*logic.Predicate, wanted bool) []pending {
	all := make([]pending, len(list))
	for i, p := range list {
		all[i] = pending{p, wanted}
	}
	return all
}

// disjunction collects the cubes of a disjunctive normal form, up to maxBackward of them.
type disjunction struct {
	cubes  []Cube
	tries  int  // of which some lead to no cube
	failed bool // too many, or too large numbers
}

// maxTries bounds the ways that are tried to make a predicate true.
const maxTries = 50 * maxBackward

// cubesOf returns cubes that together have the markings with p.
func cubesOf(p *logic.Predicate) ([]Cube, error) {
	d := disjunction{}
	d.add(nil, []pending{{p, true}})
	if d.failed {
		return nil, ErrLarge
	}
	return d.cubes, nil
}

// add adds the cubes of the markings that satisfy sums and all that is pending.
func (d *disjunction) add(sums []logic.Sum, rest []pending) {
	if d.tries++; d.tries > maxTries {
		d.failed = true
	}
	if d.failed {
		return
	}
	if len(rest) == 0 {
		if cube, possible := normal(slices.Clone(sums)); possible {
			d.cubes = append(d.cubes, cube)
		}
		d.failed = len(d.cubes) > maxBackward
		return
	}
	p, wanted := rest[0].predicate, rest[0].wanted
	rest = rest[1:]
	with := func(more ...pending) { d.add(sums, slices.Concat(more, rest)) }
	compare := func(more ...logic.Sum) { d.add(slices.Concat(sums, more), rest) }
	switch p.Operator {
	case logic.True, logic.False:
		if (p.Operator == logic.True) == wanted {
			with()
		}
	case logic.Not:
		with(pending{p.Operands[0], !wanted})
	case logic.And, logic.Or:
		all := pendingList(p.Operands, wanted)
		if (p.Operator == logic.And) == wanted {
			with(all...)
			return
		}
		for _, one := range all {
			with(one)
		}
	case logic.Equivalent:
		with(pending{p.Operands[0], true}, pending{p.Operands[1], wanted})
		with(pending{p.Operands[0], false}, pending{p.Operands[1], !wanted})
	default:
		d.comparison(p, wanted, compare)
	}
}

// comparison adds the cubes of a comparison: one for each way in which it has the value.
func (d *disjunction) comparison(p *logic.Predicate, wanted bool, add func(s ...logic.Sum)) {
	above, ok := negated(p.Sum)
	under := p.Sum
	var fits bool
	under.Constant, fits = arithmetic.Add(under.Constant, 1)
	notBelow := above
	notBelow.Constant--
	switch {
	case !ok || !fits:
		d.failed = true
	case p.Operator == logic.AtMost && wanted:
		add(p.Sum)
	case p.Operator == logic.AtMost:
		add(above)
	case wanted:
		add(p.Sum, notBelow)
	default:
		add(above)
		add(under)
	}
}

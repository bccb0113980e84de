package coloured

import (
	"slices"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/rephrase"
	"pnmc/logic"
)

// simplifier simplifies predicates by what is known of the skeleton. Facts about token
// counts there hold in the coloured net, too. Of transitions, only "never enabled"
// carries over.
func (c *Folded) simplifier(bySkeleton core.Simplification) core.Simplification {
	var simplify core.Simplification
	simplify = func(p *logic.Predicate) (*logic.Predicate, inquiry.Techniques) {
		switch {
		case !rephrase.LooksAtDeadlock(p) && !looksAtTransitions(p):
			q, by := bySkeleton(p)
			return q, onSkeleton(by)
		case p.Operator == logic.Fireable:
			if q, by := bySkeleton(rephrase.OverPlaces(c.skeleton, p)); q.Operator == logic.False {
				return q, onSkeleton(by)
			}
			return p, 0
		case len(p.Operands) == 0:
			return p, 0
		}
		q, techniques := &logic.Predicate{Operator: p.Operator}, inquiry.Techniques(0)
		for _, o := range p.Operands {
			simple, by := simplify(o)
			q.Operands = append(q.Operands, simple)
			techniques |= by
		}
		return q.Simplify(), techniques
	}
	return simplify
}

// onSkeleton adds to techniques, if there are some, that they were used on the skeleton.
func onSkeleton(by inquiry.Techniques) inquiry.Techniques {
	if by != 0 {
		by |= inquiry.Skeleton
	}
	return by
}

// looksAtTransitions reports whether p asks what is enabled.
func looksAtTransitions(p *logic.Predicate) bool {
	return p.Operator == logic.Fireable || slices.ContainsFunc(p.Operands, looksAtTransitions)
}

// looksAtPlacesOnly reports whether all that is asked is how many tokens places have.
func looksAtPlacesOnly(f inquiry.Family) bool {
	return f == inquiry.PlacesFamily || f == inquiry.BoundsFamily
}

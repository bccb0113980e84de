package linear

import (
	"fmt"
	"slices"

	"pnmc/checker/internal/core"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/petri"
)

// mostRounds bounds how often a cycle is unrolled.
const mostRounds = 200

// repeats reports whether a cycle from m on, which adds added in each round, looks the same to the
// question's predicates in all rounds to come. It fires the cycle once, and asks about each
// comparison in each of its markings. It changes m.
func repeats(r *core.Task, c *attempt, cycle []witness.Step, m, added petri.Marking) (bool, error) {
	if !slices.ContainsFunc(added, func(n int64) bool { return n != 0 }) {
		return true, nil
	}
	var predicates []*logic.Predicate
	for _, p := range c.question.LTL.Predicates {
		predicates = append(predicates, rephrase.OverPlaces(r.Net, p))
	}
	differs := func(p *logic.Predicate) bool { return !looksTheSame(p, m, added) }
	for _, s := range cycle {
		for _, t := range c.reduction.Sequence(nil, s.Transition) {
			if slices.ContainsFunc(predicates, differs) {
				return false, nil
			}
			if !r.Net.Fire(m, t) {
				return false, fmt.Errorf("transition %q is not enabled", r.Net.TransitionLabel(t).ID)
			}
		}
	}
	return true, nil
}

// looksTheSame reports whether each comparison in p has the same truth in m and in m with any
// multiple of added; p looks at places only. A comparison asks for the sign of a sum, which is v in
// m and grows by d with each round. For AtMost, v ≤ 0, and d < 0 the sum stays at most 0: the truth
// stays. For v > 0 and d < 0 it will get there some day: the truth changes. If numbers are so large
// that v or d might overflow, the result is false.
func looksTheSame(p *logic.Predicate, m, added petri.Marking) bool {
	switch p.Operator {
	case logic.AtMost, logic.Equal:
		// The sum in m, what a cycle adds to it, and whether either fits.
		v, valueFits := p.Sum.Value(m)
		d, addedFits := (&logic.Sum{Terms: p.Sum.Terms}).Value(added)
		switch {
		case !addedFits:
			return false
		case d == 0:
			return true
		}
		return valueFits && (d > 0 && v > 0 || d < 0 && (v < 0 || v == 0 && p.Operator == logic.AtMost))
	case logic.PolynomialAtMost, logic.PolynomialEqual:
		for s := range p.Sums() {
			if slices.ContainsFunc(s.Terms, func(t logic.Term) bool { return added[t.Place] != 0 }) {
				return false
			}
		}
	}
	for _, q := range p.Operands {
		if !looksTheSame(q, m, added) {
			return false
		}
	}
	return true // that a marking is no deadlock does not change with more tokens
}

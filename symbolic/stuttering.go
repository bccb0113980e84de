package symbolic

import (
	"context"
	"math/big"
	"slices"

	"pnmc/logic"
)

// StutteringFirings returns the number of pairs of a reachable state and an event possible in it
// that changes none of the propositions. Divided by Firings it is the stuttering ratio of Table 1
// of the paper of 2014: the larger it is, the more testing automata may gain. s must be complete.
func (s *StateSpace) StutteringFirings(ctx context.Context, propositions []*logic.Predicate) (*big.Int, error) {
	f := s.Forest
	defer f.within(ctx)()
	total := new(big.Int)
	_, err := f.guarded([]Node{s.Reachable}, func() Node {
		p := productOf(s)
		p.forest, p.pieces = f, f.NewRelation()
		b := s.predicates()
		p.conditions = b.table
		for _, q := range propositions {
			p.propositions = append(p.propositions, b.condition(q))
		}
		p.split(func(step guardedStep, changed uint64) {
			if changed != 0 {
				return
			}
			// An event that adds constants has as many results as it has states where it
			// is possible.
			rules := p.rules(p.pieces, &eventGroup{events: []guardedStep{step}}, identity)
			assigning := slices.ContainsFunc(s.System.Events[step.event], func(g Guard) bool { return assigns(g.Delta) })
			for _, rule := range rules {
				if assigning {
					total.Add(total, f.addFirings(s.Reachable, []weightedRule{{rule, 1}}))
					continue
				}
				total.Add(total, f.count(f.fire(nil, rule, s.Reachable, anything)))
			}
		})
		return Empty
	})
	return total, err
}

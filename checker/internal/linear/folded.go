package linear

import (
	"context"
	"math/big"

	"pnmc/automata"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/petri"
	"pnmc/petri/automorphism"
)

// A question that a first try leaves open is tried by symmetries that keep its predicates, if there are enough: on the graph of
// markings that stand for all their images. It is bisimilar to that of all markings. A counterexample is followed in the
// net, and replayed as all are. Stubborn sets and several threads do not go with that.

// fold has markings stand for their images, if that is worth it.
func (c *attempt) fold(ctx context.Context, r *core.Task) {
	if c.stubborn || c.unfolded || c.alike != nil || !c.net.Plain() || c.property.Automaton.Kind != automata.Plain || !r.Shared.Uses(inquiry.Symmetries) {
		return
	}
	var goals []automorphism.Goal
	for _, p := range c.property.Predicates {
		goals = append(goals, automorphism.Goal{Predicate: p})
	}
	alike, err := automorphism.Components(ctx, c.net, goals, core.ComponentsWork)
	if err != nil || alike == nil || alike.Symmetries().Cmp(big.NewInt(core.FewestSymmetries)) < 0 {
		return
	}
	k := petri.NewKripkeWithin(r.Whole, c.net, c.facts, r.Budget)
	k.FoldComponents(alike)
	if worth, err := core.WorthFolding(ctx, k, alike); err != nil || !worth {
		return
	}
	r.Note("question %d: %v symmetries of %d components", c.question.Number, alike.Symmetries(), alike.Len())
	c.alike, c.kripke, c.owner, c.threads, c.closed = alike, k, c, nil, false
}

// unfold has each marking stand for itself from now on.
func (c *attempt) unfold(r *core.Task) {
	c.alike, c.unfolded = nil, true
	c.renew(r)
}

// by returns what an answer rests on that was found by a check. before has what stubborn sets had left out then.
func (c *attempt) by(before petri.Savings) inquiry.Techniques {
	symmetries := 0
	if c.alike != nil {
		symmetries = c.alike.Len()
	}
	return core.ExploringWith(c.leftOut(before), symmetries)
}

package linear

import (
	"context"

	"pnmc/automata"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/rephrase"
	"pnmc/petri"
	"pnmc/petri/automorphism"
	"pnmc/petri/reduce"
)

// A question that a first try leaves open is tried by symmetries that keep its predicates, if there are enough: on the graph of
// markings that stand for all their images. It is bisimilar to that of all markings. A counterexample is followed in the
// net, and replayed as all are. Stubborn sets and several threads do not go with that.

// fold has markings stand for their images, if that is worth it. The first question that comes makes a graph for all that are
// open, of the net reduced for all of them. If these tell too many components apart, each has a net and a graph of its own.
func (p *products) fold(ctx context.Context, c *attempt) {
	r := p.Task
	if c.stubborn || c.unfolded || c.alike != nil || c.property.Automaton.Kind != automata.Plain || !r.Shared.Uses(inquiry.Symmetries) {
		return
	}
	lanes.Lock(ctx, &p.sharing)
	defer p.sharing.Unlock()
	if !p.foldedAll {
		p.foldedAll = true
		p.mutex.Lock()
		open := p.open
		p.mutex.Unlock()
		all := new(attempt)
		if all.reduce(ctx, r, open, reduce.Branching); all.reduction != nil && all.foldFor(ctx, r, open) {
			all.owner = all
			p.folded = all
		}
	}
	if all := p.folded; all != nil && all.keeps(r, c.question) {
		property, err := propertyOf(ctx, r, c.question.LTL, all.reduction)
		if err != nil {
			return
		}
		p.mutex.Lock()
		defer p.mutex.Unlock()
		c.property, c.closed, c.threads = property, false, nil
		c.net, c.reduction, c.facts, c.support, c.alike, c.kripke, c.owner = all.net, all.reduction, all.facts, all.support, all.alike, all.kripke, all
		if all.working {
			c.renew(r)
		}
		all.working = true
		return
	}
	if c.foldFor(ctx, r, []*ledger.Question{c.question}) {
		c.owner, c.threads, c.closed = c, nil, false
	}
}

// keeps reports whether the net was reduced for a question, too.
func (c *attempt) keeps(r *core.Task, q *ledger.Question) bool {
	needed := make([]bool, r.Net.Places())
	for _, p := range q.LTL.Predicates {
		rephrase.Protect(rephrase.OverPlaces(r.Net, p), needed)
	}
	for p, is := range needed {
		if is && !c.support[p] {
			return false
		}
	}
	return true
}

// foldFor finds components that predicates of questions don't tell apart, and begins a graph by them. It reports whether that is worth it.
func (c *attempt) foldFor(ctx context.Context, r *core.Task, questions []*ledger.Question) bool {
	var goals []automorphism.Goal
	for _, q := range questions {
		for _, p := range q.LTL.Predicates {
			goals = append(goals, automorphism.Goal{Predicate: rephrase.Renamed(rephrase.OverPlaces(r.Net, p), c.reduction.PlaceOf)})
		}
	}
	k, alike, err := core.Folded(ctx, r.Budget, c.net, goals, func() *petri.Kripke { return petri.NewKripkeWithin(r.Whole, c.net, c.facts, r.Budget) })
	if err != nil || k == nil {
		return false
	}
	r.Note("%d questions: %v symmetries of %d components", len(questions), alike.Symmetries(), alike.Len())
	c.alike, c.kripke = alike, k
	return true
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

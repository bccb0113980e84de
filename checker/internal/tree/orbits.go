package tree

import (
	"context"

	"pnmc/checker/branching"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/ledger"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/automorphism"
)

// Orbits does what Graph does, where markings stand for all their images by symmetries that keep what formulas look at. The
// graph of these markings is bisimilar to that of all, so that formulas of CTL have the same values (Emerson and Sistla,
// "Symmetry and model checking", 1996). It is of use in nets whose formulas name no components apart, as those
// about coloured nets do. All open questions share one graph.
func Orbits(ctx context.Context, r *core.Task) error {
	if !r.Shared.Uses(inquiry.Symmetries) {
		return nil
	}
	open := r.Ledger.OpenQuestions()
	if len(open) == 0 {
		return nil
	}
	g := netFor(ctx, r, open...)
	if g == nil {
		return context.Cause(ctx)
	}
	return orbitsOn(ctx, r, g, open)
}

// orbitsOn explores the graph of markings that stand for others, and answers questions.
func orbitsOn(ctx context.Context, r *core.Task, g *core.Graph, questions []*ledger.Question) error {
	var goals []automorphism.Goal
	for _, q := range questions {
		translate(g, r.Net, q.CTL).EachPredicate(func(p *logic.Predicate) { goals = append(goals, automorphism.Goal{Predicate: p}) })
	}
	k, alike, err := core.Folded(ctx, r.Budget, g.Net, goals, func() *petri.Kripke {
		return petri.NewKripkeWithin(r.Whole, g.Net, g.Kripke.Facts(), r.Budget)
	})
	if k == nil {
		return err
	}
	folded := *g
	folded.Kripke = k
	graph, err := branching.ExploreGraph(ctx, k, 1, core.FewMarkings)
	r.Note("state graph of %d states, by %v symmetries of %d components: %v", k.Len(), alike.Symmetries(), alike.Len(), err)
	if err != nil {
		return err
	}
	return decideOn(ctx, r, &folded, graph, questions, core.ExploringWith(petri.Savings{}, alike.Len()), branching.NewSearchOn(graph))
}

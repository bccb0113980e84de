package tree

import (
	"context"
	"errors"
	"fmt"

	"pnmc/checker/branching"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/petri"
)

// Graph explores the whole state graph and evaluates all formulas on
// it.
func Graph(ctx context.Context, r *core.Task) error {
	g := branchingNet(ctx, r)
	if g == nil {
		return context.Cause(ctx)
	}
	graph, err := branching.ExploreGraph(ctx, g.Kripke)
	r.Note("state graph of %d states: %v", g.Kripke.Len(), err)
	if err != nil {
		if !errors.As(err, new(*petri.MemoryError)) {
			r.LeaveGraph(g) // what it has is of use to searches
		}
		return err
	}
	defer func() { r.KeepGraph(ctx, g.Kripke) }()
	for _, q := range r.Ledger.OpenQuestions() {
		if r.Ledger.IsAnswered(q) {
			continue
		}
		value, err := graph.Decide(ctx, translate(g, r.Net, q.CTL))
		if err != nil {
			return fmt.Errorf("question %d: %w", q.Number, err)
		}
		searched, shown, err := decide(ctx, r, g, q.CTL, false, r.Shared.Seed)
		switch {
		case err != nil && errors.Is(err, context.Cause(ctx)):
			shown = inquiry.Witness{Ground: inquiry.Branches, Unshown: context.Cause(ctx)}
		case err != nil || searched != value:
			r.Note("question %d: %t on the state graph, not confirmed by a search: %t, %v", q.Number, value, searched, err)
			continue
		}
		shown.Count = int64(graph.States())
		r.Ledger.AnswerNow(q, inquiry.Truth(value), core.ReducedBy(core.Exploring, g.Reduction), shown)
	}
	return nil
}

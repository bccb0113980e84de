package checker

import (
	"context"
	"errors"
	"fmt"

	"pnmc/checker/branching"
	"pnmc/petri"
)

// evaluateBranching explores the whole state graph and evaluates all formulas on
// it.
func evaluateBranching(ctx context.Context, r *task) error {
	g := r.branchingNet(ctx)
	if g == nil {
		return context.Cause(ctx)
	}
	graph, err := branching.ExploreGraph(ctx, g.kripke)
	r.note("state graph of %d states: %v", g.kripke.Len(), err)
	if err != nil {
		if !errors.As(err, new(*petri.MemoryError)) {
			r.leaveGraph(g) // what it has is of use to searches
		}
		return err
	}
	defer func() { r.keepGraph(ctx, g.kripke) }()
	for _, q := range r.ledger.openQuestions() {
		if r.ledger.isAnswered(q) {
			continue
		}
		value, err := graph.Decide(ctx, g.translate(r.net, q.ctl))
		if err != nil {
			return fmt.Errorf("question %d: %w", q.number, err)
		}
		searched, shown, err := g.decide(ctx, r, q.ctl, false, r.shared.seed)
		switch {
		case err != nil && errors.Is(err, context.Cause(ctx)):
			shown = Witness{Ground: Branches, Unshown: context.Cause(ctx)}
		case err != nil || searched != value:
			r.note("question %d: %t on the state graph, not confirmed by a search: %t, %v", q.number, value, searched, err)
			continue
		}
		shown.Count = int64(graph.States())
		r.ledger.answerNow(q, Truth(value), reducedBy(exploring, g.reduction), shown)
	}
	return nil
}

package tree

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pnmc/checker/branching"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/ledger"
	"pnmc/petri"
)

// Graph explores whole state graphs and evaluates all formulas on them: first that of the
// net reduced for those that do not look at next steps, which is smaller, then that for the
// rest.
func Graph(ctx context.Context, r *core.Task) error {
	looking, others := byNext(r.Ledger.OpenQuestions())
	var first error
	if len(others) > 0 {
		part, cancel := ctx, context.CancelFunc(func() {})
		if deadline, ok := ctx.Deadline(); ok && len(looking) > 0 {
			part, cancel = lanes.Sliced(ctx, time.Until(deadline)/2)
		}
		first = graphFor(part, r, others)
		cancel()
	}
	if looking, _ = byNext(r.Ledger.OpenQuestions()); len(looking) == 0 || ctx.Err() != nil {
		return first
	}
	return errors.Join(first, graphFor(ctx, r, looking))
}

// graphFor explores the state graph of the net reduced for questions, and answers them.
func graphFor(ctx context.Context, r *core.Task, questions []*ledger.Question) error {
	g := netFor(ctx, r, questions...)
	if g == nil {
		return context.Cause(ctx)
	}
	graph, err := branching.ExploreGraph(ctx, g.Kripke)
	r.Note("state graph of %d states: %v", g.Kripke.Len(), err)
	if err == nil || !errors.As(err, new(*petri.MemoryError)) {
		defer func() { r.KeepGraph(ctx, g.Kripke) }() // what it has is of use to searches
	}
	if err != nil {
		return err
	}
	for _, q := range questions {
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

package tree

import (
	"context"
	"errors"
	"fmt"
	"math"

	"pnmc/checker/branching"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/ledger"
	"pnmc/petri"
)

// Graph explores whole state graphs and evaluates all formulas on them. Formulas that do not look at
// next steps come first, if the net reduced for them alone is much smaller; then come the rest.
func Graph(ctx context.Context, r *core.Task) error { return onNets(ctx, r, graphOn) }

// onNets decides open questions in up to three rounds, on nets that are reduced for them. The first
// one has those that do not look at next steps. It gets half of the time, and is left out if its net
// is not much smaller than that for all questions. The second one has what the others imply without
// next steps, and gets half of the rest. It is left out unless its net is less than half as large, as
// it decides few of them. The last one has what is still open, on the net reduced for all questions.
func onNets(ctx context.Context, r *core.Task, decide func(ctx context.Context, r *core.Task, g *core.Graph, questions []*ledger.Question) error) error {
	open := r.Ledger.OpenQuestions()
	if len(open) == 0 {
		return nil
	}
	all := netFor(ctx, r, open...)
	if all == nil {
		return context.Cause(ctx)
	}
	var errs []error
	round := func(questions []*ledger.Question, isWorth func(own, common *petri.Net) bool) {
		if g := reducedFurther(ctx, r, all, questions, isWorth); g != nil {
			part, cancel := lanes.Half(ctx)
			errs = append(errs, decide(part, r, g, questions))
			cancel()
		}
	}
	if looking, others := byNext(open); len(looking) > 0 {
		round(others, muchSmaller)
		_, implied := byNext(r.Ledger.OpenTwins())
		round(implied, halfAsLarge)
	}
	if open = r.Ledger.OpenQuestions(); len(open) > 0 && ctx.Err() == nil {
		errs = append(errs, decide(ctx, r, all, open))
	}
	return errors.Join(errs...)
}

// graphOn explores the state graph of a net, and answers questions.
func graphOn(ctx context.Context, r *core.Task, g *core.Graph, questions []*ledger.Question) error {
	threads, release := r.Threads(ctx, math.MaxInt)
	defer release()
	graph, err := branching.ExploreGraph(ctx, g.Kripke, threads, core.FewMarkings)
	r.Note("state graph of %d states: %v", g.Kripke.Len(), err)
	if err == nil || !errors.As(err, new(*petri.MemoryError)) {
		defer func() { r.KeepGraph(g.Kripke) }() // what it has is of use to searches
	}
	if err != nil {
		return err
	}
	if graph.Together() {
		r.Note("%d threads worked on it", threads)
	}
	return decideOn(ctx, r, g, graph, questions, core.Exploring, branching.NewSearch(g.Kripke, false, r.Shared.Seed))
}

// decideOn answers questions by a whole state graph. The search confirms each value, and what a run can show of it is replayed. by is
// what the graph rests on.
func decideOn(ctx context.Context, r *core.Task, g *core.Graph, graph *branching.Graph, questions []*ledger.Question, by inquiry.Techniques, search *branching.Search) error {
	for _, q := range questions {
		if r.Ledger.IsAnswered(q) {
			continue
		}
		value, err := graph.Decide(ctx, translate(g, r.Net, q.CTL))
		if err != nil {
			return fmt.Errorf("question %d: %w", q.Number, err)
		}
		searched, shown, err := confirmed(ctx, r, g, q.CTL, search)
		switch {
		case err != nil && errors.Is(err, context.Cause(ctx)):
			shown = inquiry.Witness{Ground: inquiry.Branches, Unshown: context.Cause(ctx)}
		case err != nil || searched != value:
			r.Note("question %d: %t on the state graph, not confirmed by a search: %t, %v", q.Number, value, searched, err)
			continue
		}
		shown.Count = int64(graph.States())
		r.Ledger.AnswerNow(q, inquiry.Truth(value), core.ReducedBy(by, g.Reduction), shown)
	}
	return nil
}

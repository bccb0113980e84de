package tree

import (
	"context"
	"errors"
	"fmt"

	"pnmc/checker/branching"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/rephrase"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
	"pnmc/petri/reduce"
)

// branchingNet reduces for the CTL formulas of the open questions.
func branchingNet(ctx context.Context, r *core.Task) *core.Graph {
	protected := make([]bool, r.Net.Places())
	for _, q := range r.Ledger.OpenQuestions() {
		q.CTL.EachPredicate(func(p *logic.Predicate) { rephrase.Protect(rephrase.OverPlaces(r.Net, p), protected) })
	}
	return r.GraphOf(ctx, protected, reduce.Branching)
}

// translate says f in the places of the reduced net.
func translate(g *core.Graph, net *petri.Net, f *ctl.Formula) *ctl.Formula {
	return translated(g, net, f, make(map[*ctl.Formula]*logic.Predicate))
}

// translated does, and notes what the state formulas of the result were.
func translated(g *core.Graph, net *petri.Net, f *ctl.Formula, originals map[*ctl.Formula]*logic.Predicate) *ctl.Formula {
	if f.Operator == ctl.State {
		state := ctl.Of(rephrase.Renamed(rephrase.OverPlaces(net, f.Predicate), g.PlaceOf).Simplify())
		originals[state] = f.Predicate
		return state
	}
	operands := make([]*ctl.Formula, len(f.Operands))
	for i, o := range f.Operands {
		operands[i] = translated(g, net, o, originals)
	}
	// As f is, not simplified: parts that are merged would have no original.
	return &ctl.Formula{Operator: f.Operator, Operands: operands}
}

// replayOf says f in the places of the reduced net, and how runs of that net, which
// show its truth, are replayed on the original one.
func replayOf(r *core.Task, g *core.Graph, f *ctl.Formula) (*ctl.Formula, *branching.Replay) {
	originals := make(map[*ctl.Formula]*logic.Predicate)
	translated := translated(g, r.Net, f, originals)
	return translated, &branching.Replay{Net: r.Net, Sequence: g.Reduction.Sequence, Predicates: originals}
}

// decide searches on the fly, and replays on the original net what a run can show
// of the result; shown tells it.
func decide(ctx context.Context, r *core.Task, g *core.Graph, f *ctl.Formula, deep bool, seed uint64) (value bool, shown inquiry.Witness, err error) {
	search := branching.NewSearch(g.Kripke, deep, seed)
	translated, replay := replayOf(r, g, f)
	if value, err = search.Decide(ctx, translated); err != nil {
		return false, inquiry.Witness{}, err
	}
	err = replay.Confirm(search, value)
	if err != nil && !errors.Is(err, branching.ErrLongReplay) {
		return false, inquiry.Witness{}, fmt.Errorf("not confirmed: %w", err)
	}
	return value, replayed(replay, err), nil
}

// replayed is what a replay of a formula of CTL showed: err, unless nil, is why not all.
func replayed(replay *branching.Replay, err error) inquiry.Witness {
	shown := inquiry.Witness{Ground: inquiry.Branches, Branches: replay.Runs, Unshown: err}
	if len(replay.Runs) > 0 {
		shown.Net = replay.Net
	}
	return shown
}

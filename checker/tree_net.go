package checker

import (
	"context"
	"errors"
	"fmt"

	"pnmc/checker/branching"
	"pnmc/checker/internal/rephrase"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
	"pnmc/petri/reduce"
)

// branchingNet reduces for the CTL formulas of the open questions.
func (r *task) branchingNet(ctx context.Context) *graphNet {
	protected := make([]bool, r.net.Places())
	for _, q := range r.ledger.openQuestions() {
		q.ctl.EachPredicate(func(p *logic.Predicate) { rephrase.Protect(rephrase.OverPlaces(r.net, p), protected) })
	}
	return r.graphOf(ctx, protected, reduce.Branching)
}

// translate says f in the places of the reduced net.
func (g *graphNet) translate(net *petri.Net, f *ctl.Formula) *ctl.Formula {
	return g.translated(net, f, make(map[*ctl.Formula]*logic.Predicate))
}

// translated does, and notes what the state formulas of the result were.
func (g *graphNet) translated(net *petri.Net, f *ctl.Formula, originals map[*ctl.Formula]*logic.Predicate) *ctl.Formula {
	if f.Operator == ctl.State {
		state := ctl.Of(rephrase.Renamed(rephrase.OverPlaces(net, f.Predicate), g.placeOf).Simplify())
		originals[state] = f.Predicate
		return state
	}
	operands := make([]*ctl.Formula, len(f.Operands))
	for i, o := range f.Operands {
		operands[i] = g.translated(net, o, originals)
	}
	// As f is, not simplified: parts that are merged would have no original.
	return &ctl.Formula{Operator: f.Operator, Operands: operands}
}

// replayOf says f in the places of the reduced net, and how runs of that net, which
// show its truth, are replayed on the original one.
func (g *graphNet) replayOf(r *task, f *ctl.Formula) (*ctl.Formula, *branching.Replay) {
	originals := make(map[*ctl.Formula]*logic.Predicate)
	translated := g.translated(r.net, f, originals)
	return translated, &branching.Replay{Net: r.net, Sequence: g.reduction.Sequence, Predicates: originals}
}

// decide searches on the fly, and replays on the original net what a run can show
// of the result; shown tells it.
func (g *graphNet) decide(ctx context.Context, r *task, f *ctl.Formula, deep bool, seed uint64) (value bool, shown Witness, err error) {
	search := branching.NewSearch(g.kripke, deep, seed)
	translated, replay := g.replayOf(r, f)
	if value, err = search.Decide(ctx, translated); err != nil {
		return false, Witness{}, err
	}
	err = replay.Confirm(search, value)
	if err != nil && !errors.Is(err, branching.ErrLongReplay) {
		return false, Witness{}, fmt.Errorf("not confirmed: %w", err)
	}
	return value, replayed(replay, err), nil
}

// replayed is what a replay of a formula of CTL showed: err, unless nil, is why not all.
func replayed(replay *branching.Replay, err error) Witness {
	shown := Witness{Ground: Branches, Branches: replay.Runs, Unshown: err}
	if len(replay.Runs) > 0 {
		shown.Net = replay.Net
	}
	return shown
}

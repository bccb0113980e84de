package checker

import (
	"context"
	"slices"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/asking"
	"pnmc/checker/internal/coloured"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/ledger"
	"pnmc/petri"
	"pnmc/petri/symmetric"
	"pnmc/petri/symmetric/colourless"
)

// PhasesFor returns the names of the phases by which a question is decided.
func PhasesFor(q Question) (names []string) {
	for _, p := range planOf(asking.Parts([]Question{q}, ledger.NewAnswers(1, nil))[0].Family) {
		names = append(names, p.Name)
	}
	return names
}

// Only has a solver run one phase of each plan.
func (s *Solver) Only(name string) {
	s.plan = func(f inquiry.Family) []core.Phase {
		return slices.DeleteFunc(slices.Clone(planOf(f)), func(p core.Phase) bool { return p.Name != name })
	}
}

// A ColouredLane is one of those in which a coloured net is examined that is not unfolded.
type ColouredLane uint8

const (
	ColouredAll ColouredLane = iota
	ColouredProofs
	ColouredTemporal
	ColouredWalk
	ColouredRuns
)

// BindingTest is what tells engines which bindings are enabled.
type BindingTest = coloured.BindingTest

// DecideUncoloured answers what needs no unfolding, by one lane. A test that is not nil
// takes the place of the engines' own.
func (s *Solver) DecideUncoloured(ctx context.Context, questions []Question, lane ColouredLane, test BindingTest, found func(Answer)) error {
	a := ledger.NewAnswers(len(questions), found)
	for _, p := range asking.Parts(questions, a) {
		r := s.newTask(ctx, core.Clock{}, p, a)
		if deadline, ok := ctx.Deadline(); ok {
			now := time.Now()
			r.Clock = core.Clock{Start: now, Horizon: deadline.Sub(now)}
		}
		c, err := s.coloured.NewFolded(ctx, r, p, questions)
		if ctx.Err() != nil {
			return nil // nothing was answered in time
		}
		if err != nil {
			return err
		}
		if test != nil {
			c.Test = test
		}
		switch lane {
		case ColouredAll:
			c.Follow(ctx, func() {})
		case ColouredProofs:
			c.Prove(ctx)
		case ColouredTemporal:
			c.ProveTemporal(ctx)
		case ColouredWalk:
			c.Walk(ctx)
		default:
			c.TryRuns(ctx)
		}
	}
	return nil
}

// ColouredStart is the net by which questions about a coloured net are simplified.
var ColouredStart = func(net *symmetric.Net, test BindingTest) (enabled []bool, err error) {
	skeleton, err := colourless.Skeleton(net)
	if err != nil {
		return nil, err
	}
	start, err := coloured.Start(context.Background(), net, skeleton, test)
	if err != nil {
		return nil, err
	}
	for t := range net.Transitions {
		enabled = append(enabled, start.Enabled(start.Initial(), petri.Transition(t)))
	}
	return enabled, nil
}

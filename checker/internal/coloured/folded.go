package coloured

import (
	"context"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/asking"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/rephrase"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// Folded answers questions that need no unfolding. Its questions speak of the nodes of the
// coloured net by their numbers, which are also those of its skeleton. Token counts are sums over
// colours, and a transition is fireable if one of its bindings is.
//
// Four things go on side by side. Prove refutes goals on the skeleton: what is impossible there is
// impossible in the coloured net. ProveTemporal proves temporal formulas on the stoppable skeleton.
// Walk reaches goals by random runs of the coloured net, and TryRuns decides temporal questions by
// such runs. The first two never say that something is possible, the last two never that something
// is impossible.
//
// All go on while the net is being unfolded, and to the end if it turns out to be too large for that.
type Folded struct {
	*core.Task
	solver   *Solver
	source   *symmetric.Net
	skeleton *petri.Net
	*approximation
	// proofs is a task on the skeleton. Its atoms ask for what those of the same
	// numbers here do, or more.
	proofs *core.Task
	// stops is a task on the stoppable skeleton. Its questions are what suffices for
	// temporal ones here.
	stops *core.Task
	// Test may be replaced to find out whether replays see through wrong answers.
	Test BindingTest
}

// BindingTest reports whether some binding of a transition is enabled; certain is false if that is not
// known.
type BindingTest = func(w *symmetric.Walk, transition int) (enabled, certain bool)

// NewFolded puts the questions of a part to the coloured net. An error says why that cannot be
// done. If predicates are to be simplified, that is done on the skeleton, until ctx ends.
func (s *Solver) NewFolded(ctx context.Context, r *core.Task, p *ledger.Part, questions []inquiry.Question) (*Folded, error) {
	net := s.source
	nets, err := s.skeletonOf()
	if err != nil {
		return nil, err
	}
	skeleton := nets.net
	start := skeleton
	if !looksAtPlacesOnly(r.Family) { // it takes a second where there are millions of tokens
		if start, err = Start(ctx, net, skeleton, (*symmetric.Walk).Enabled); err != nil {
			return nil, err
		}
	}
	c := &Folded{solver: s, Task: r.On(ctx, start), source: net, skeleton: skeleton, approximation: nets.approximation, proofs: r.On(ctx, skeleton)}
	c.Task.Folded = true
	c.Test = (*symmetric.Walk).Enabled
	c.Groups = rephrase.SameNodes(len(net.Places), len(net.Transitions)) // start has a place more
	if asking.Simplifies(r.Family) && c.Shared.Uses(inquiry.QueryReduction|inquiry.Skeleton) {
		c.Simplify = c.simplifier(c.proofs.Simplifier(ctx))
	}
	answers := r.Ledger.Answers
	c.Ledger = &ledger.Ledger{Net: start, Answers: answers}
	asking.Put(ctx, c.Task, p, questions)
	c.proofs.Ledger = &ledger.Ledger{Net: skeleton, Answers: answers, Sink: c.Ledger, Always: inquiry.Skeleton}
	for _, a := range c.Ledger.Atoms {
		c.mirror(a)
	}
	c.askStoppable(nets)
	return c, nil
}

// mirror adds an atom to the proofs that is reached wherever a is, and maybe elsewhere. So if it is
// never reached, a is not either.
func (c *Folded) mirror(a *ledger.Atom) {
	mirrored := &ledger.Atom{Maximum: a.Maximum, Products: a.Products}
	if a.Goal != nil {
		mirrored.Goal = c.over(a.Goal, false).Simplify()
		if mirrored.Goal.Operator == logic.True {
			mirrored.State = ledger.Reached
		}
	}
	c.proofs.Ledger.Add(mirrored)
}

// Follow works until ctx ends or all is answered; then it calls stop.
func (c *Folded) Follow(ctx context.Context, stop context.CancelFunc) {
	if c.Ledger.WhenDone(stop) {
		stop()
		return
	}
	c.Prospects = c.NewProspects()
	defer c.Prospects.Stop()
	for _, part := range []*core.Task{c.proofs, c.stops} {
		part.Prospects, part.Within = c.Prospects, true
	}
	search := func(lane func(context.Context)) func(context.Context) {
		return func(ctx context.Context) {
			searching, done := c.Prospects.Search(ctx)
			defer done()
			lane(searching)
		}
	}
	var lanes []func(context.Context)
	if c.Shared.Uses(inquiry.Skeleton) {
		lanes = append(lanes, c.Prove, c.ProveTemporal)
	}
	if c.Shared.Uses(inquiry.RandomWalk) {
		lanes = append(lanes, search(c.Walk), search(c.TryRuns))
	}
	c.Shared.Turns.Run(ctx, lanes...)
}

// Prove refutes goals and bounds sums on the skeleton.
func (c *Folded) Prove(ctx context.Context) {
	for _, p := range c.solver.plans.Reachability {
		if ctx.Err() != nil || len(c.proofs.Ledger.OpenAtoms()) == 0 {
			return
		}
		c.proofs.Follow(ctx, []core.Phase{p})
	}
}

// ProveTemporal looks for temporal questions that hold on the stoppable skeleton.
func (c *Folded) ProveTemporal(ctx context.Context) {
	open := c.stops.Ledger.OpenQuestions()
	switch {
	case len(open) == 0:
	case open[0].LTL != nil:
		c.stops.Follow(ctx, c.solver.plans.Linear)
	default:
		c.stops.Follow(ctx, c.solver.plans.Branching)
	}
}

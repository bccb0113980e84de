package checker

import (
	"context"

	"pnmc/checker/internal/rephrase"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// coloured answers what needs no unfolding. Its questions speak of the nodes of
// the coloured net, by their numbers, which are those of its skeleton, too:
// token counts are sums over colours, and a transition is fireable if one of its
// bindings is.
//
// Random runs of the coloured net reach goals, and what is proven of the
// skeleton, which over-approximates, is impossible in the coloured net. Both go on
// while the net is being unfolded, and to the end if it turns out to be too large
// for that.
type coloured struct {
	*task
	solver   *colouredSolver
	source   *symmetric.Net
	skeleton *petri.Net
	*approximation
	// proofs is a task on the skeleton. Its atoms ask for what those of the same
	// numbers here do, or more.
	proofs *task
	// stops is a task on the stoppable skeleton. Its questions are what suffices for
	// temporal ones here.
	stops *task
	test  bindingTest
}

// bindingTest tells the engines whether a binding of a transition is enabled.
type bindingTest = func(w *symmetric.Walk, transition int) (enabled, certain bool)

// newColoured puts the questions of a part to the coloured net. The reason why that cannot
// be done is an error. Where predicates are to be simplified, the skeleton does it, until
// ctx ends.
func (s *colouredSolver) newColoured(ctx context.Context, r *task, p *part, questions []Question) (*coloured, error) {
	net := s.source
	nets, err := s.skeletonOf()
	if err != nil {
		return nil, err
	}
	skeleton := nets.net
	start := skeleton
	if !looksAtPlacesOnly(r.family) { // it takes a second where there are millions of tokens
		if start, err = colouredStart(ctx, net, skeleton, (*symmetric.Walk).Enabled); err != nil {
			return nil, err
		}
	}
	c := &coloured{solver: s, task: r.on(ctx, start), source: net, skeleton: skeleton, approximation: nets.approximation, proofs: r.on(ctx, skeleton)}
	c.test = (*symmetric.Walk).Enabled
	c.groups = rephrase.SameNodes(len(net.Places), len(net.Transitions)) // start has a place more
	if simplifies(r.family) {
		c.simplify = c.simplifier(c.proofs.simplifier(ctx))
	}
	answers := r.ledger.answers
	c.ledger = &ledger{net: start, answers: answers}
	c.put(ctx, p, questions)
	c.proofs.ledger = &ledger{net: skeleton, answers: answers, sink: c.ledger, always: Skeleton}
	for _, a := range c.ledger.atoms {
		c.mirror(a)
	}
	c.askStoppable(nets)
	return c, nil
}

// mirror adds an atom to the proofs that asks for what a does, or more.
func (c *coloured) mirror(a *atom) {
	mirrored := &atom{maximum: a.maximum}
	if a.goal != nil {
		mirrored.goal = c.over(a.goal, false).Simplify()
		if mirrored.goal.Operator == logic.True {
			mirrored.state = reached
		}
	}
	c.proofs.ledger.add(mirrored)
}

// follow works until ctx ends or all is answered, which calls stop.
func (c *coloured) follow(ctx context.Context, stop context.CancelFunc) {
	if c.ledger.whenDone(stop) {
		stop()
		return
	}
	c.prospects = c.newProspects()
	defer c.prospects.Stop()
	for _, part := range []*task{c.proofs, c.stops} {
		part.prospects, part.within = c.prospects, true
	}
	search := func(lane func(context.Context)) func(context.Context) {
		return func(ctx context.Context) {
			searching, done := c.prospects.Search(ctx)
			defer done()
			lane(searching)
		}
	}
	c.shared.turns.Run(ctx, c.prove, c.proveTemporal, search(c.walk), search(c.tryRuns))
}

// prove refutes goals and bounds sums on the skeleton.
func (c *coloured) prove(ctx context.Context) {
	for _, p := range c.solver.plans.reachability {
		if ctx.Err() != nil || len(c.proofs.ledger.openAtoms()) == 0 {
			return
		}
		c.proofs.follow(ctx, []phase{p})
	}
}

// proveTemporal looks for temporal questions that hold on the stoppable skeleton.
func (c *coloured) proveTemporal(ctx context.Context) {
	open := c.stops.ledger.openQuestions()
	switch {
	case len(open) == 0:
	case open[0].ltl != nil:
		c.stops.follow(ctx, c.solver.plans.linear)
	default:
		c.stops.follow(ctx, c.solver.plans.branching)
	}
}

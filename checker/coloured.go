package checker

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/rephrase"
	"pnmc/internal/account"
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

// skeleton is what is known of a coloured net's skeleton.
type skeleton struct {
	net           *petri.Net
	approximation *approximation
	stoppable     *petri.Net
	falseEnd      *logic.Predicate
}

// skeletonOf is the skeleton of the coloured net, made once: what is kept about it is of use
// to later questions.
func (s *Solver) skeletonOf(net *symmetric.Net) (*skeleton, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.skeleton == nil {
		k := &skeleton{approximation: newApproximation(net)}
		var err error
		if k.net, err = net.Skeleton(); err != nil {
			return nil, err
		}
		if k.stoppable, k.falseEnd, err = k.approximation.stoppable(k.net); err != nil {
			return nil, err
		}
		s.skeleton = k
	}
	return s.skeleton, nil
}

// newColoured puts the questions of a part to the coloured net. The reason why that cannot
// be done is an error. Where predicates are to be simplified, the skeleton does it, until
// ctx ends.
func newColoured(ctx context.Context, r *task, net *symmetric.Net, p *part, questions []Question) (*coloured, error) {
	nets, err := r.solver.skeletonOf(net)
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
	c := &coloured{task: r.on(ctx, start), source: net, skeleton: skeleton, approximation: nets.approximation, proofs: r.on(ctx, skeleton)}
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

// bindingLimit bounds the search for an enabled binding, in steps.
const bindingLimit = 1 << 16

// colouredStart is a net with the initial marking of the skeleton, in which those
// transitions are enabled that are in the coloured net. Questions are simplified, and
// some decided, by it; it is of no other use. What test says of a transition must be
// so by the definitions, too, as in the replays of runs.
func colouredStart(ctx context.Context, net *symmetric.Net, skeleton *petri.Net, test bindingTest) (*petri.Net, error) {
	w, err := symmetric.NewWalk(ctx, net, rand.New(rand.NewPCG(1, 1)), 16*bindingLimit)
	if err != nil {
		return nil, err
	}
	replay, err := symmetric.NewReplay(ctx, net)
	if err != nil {
		return nil, err
	}
	var b petri.Builder
	for p := range petri.Place(skeleton.Places()) {
		if _, err := b.AddPlace(skeleton.PlaceLabel(p).ID, "", skeleton.InitialTokens(p)); err != nil {
			return nil, err
		}
	}
	never, err := b.AddPlace(" never marked", "", 0)
	if err != nil {
		return nil, err
	}
	for t := range petri.Transition(skeleton.Transitions()) {
		number, err := b.AddTransition(skeleton.TransitionLabel(t).ID, "")
		if err != nil {
			return nil, err
		}
		enabled, certain := test(w, int(t))
		really, known := replay.Enabled(int(t), confirmLimit)
		switch {
		case !certain || !known:
			return nil, symmetric.ErrSearchLimit
		case enabled != really:
			return nil, fmt.Errorf("whether %q is enabled at first is not confirmed", skeleton.TransitionLabel(t).ID)
		}
		if !enabled {
			if err := b.AddInput(never, number, 1); err != nil {
				return nil, err
			}
		}
	}
	return b.Build()
}

// follow works until ctx ends or all is answered, which calls stop.
func (c *coloured) follow(ctx context.Context, stop context.CancelFunc) {
	c.ledger.mutex.Lock()
	c.ledger.allDone = stop
	done := c.ledger.openCount == 0
	c.ledger.mutex.Unlock()
	if done && len(c.ledger.questions) > 0 {
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
	c.solver.turns.Run(ctx, c.prove, c.proveTemporal, search(c.walk), search(c.tryRuns))
}

// decideColoured unfolds the net and works on that, and beside it, and before, on the
// coloured net itself. stop is called when all is answered.
func (r *task) decideColoured(ctx context.Context, stop context.CancelFunc, p *part, questions []Question) (cut bool, err error) {
	first, leave := context.WithCancel(ctx)
	defer leave()
	done := make(chan struct{})
	r.solver.turns.Run(ctx, func(lane context.Context) {
		defer close(done)
		r.besideUnfolding(lanes.Of(lane, first), stop, p, questions)
	}, func(lane context.Context) {
		defer leave()
		cut, err = r.decideUnfolded(lane, leave, done, stop, p, questions)
	})
	return cut || ctx.Err() != nil, err
}

// decideUnfolded unfolds the net and works on that. What is beside ends when leave is called,
// and then done is closed.
func (r *task) decideUnfolded(ctx context.Context, leave func(), done <-chan struct{}, stop context.CancelFunc, p *part, questions []Question) (cut bool, err error) {
	waitBeside := func() { lanes.Rest(ctx, func() { <-done }) }
	// Questions speak of coloured nodes, for which merged colours and bindings are
	// as good as all; sizes count them.
	unfolding, err := r.solver.unfolded(ctx, r.family != inquiry.SizesFamily && !r.solver.options.KeepBindings)
	switch {
	case errors.Is(err, symmetric.ErrTooLarge):
		r.note("%v: going on without it", err)
		waitBeside()
		return false, nil
	case ctx.Err() != nil:
		return true, nil // all is answered, or time is over
	case err != nil:
		return false, err
	}
	// What the skeleton tells soon need not be found out on a larger net.
	head := r.clock.at(skeletonUntil)
	if _, limited := r.whole.Deadline(); !limited {
		head = r.clock.start.Add(skeletonTime)
	}
	nodes := unfolding.Net.Places() + unfolding.Net.Transitions()
	large := nodes >= manyNodes
	if nodes < fewNodes {
		defer time.AfterFunc(time.Until(head), leave).Stop()
	} else {
		lanes.Rest(ctx, func() {
			select {
			case <-done:
			case <-ctx.Done():
			case <-time.After(time.Until(head)):
			}
		})
		if !large {
			leave()
			waitBeside()
		}
	}
	if ctx.Err() != nil {
		return true, nil
	}
	r.net, r.groups, r.always = unfolding.Net, rephrase.UnfoldedNodes(unfolding), Unfolding
	r.facts = r.solver.factsAbout(r.net)
	cut = r.decide(ctx, stop, p, questions)
	if large && ctx.Err() == nil && r.ledger.answers.open(p) > 0 {
		waitBeside()
	}
	return cut, nil
}

// besideUnfolding asks the coloured net.
func (r *task) besideUnfolding(ctx context.Context, stop context.CancelFunc, p *part, questions []Question) {
	net := r.solver.problem.Coloured
	if r.family == inquiry.SizesFamily {
		return // which count colours apart
	}
	defer r.noteDefect("coloured net")
	within, release := account.Within(lanes.Plain(ctx), r.budget) // ends all that is beside where it takes too much
	defer release(nil)
	ctx = lanes.Of(ctx, within)
	c, err := newColoured(ctx, r, net, p, questions)
	if err != nil {
		r.note("nothing is asked of the coloured net: %v", err)
		return
	}
	r.note("coloured net of %d places, %d transitions: %d questions, %d open",
		len(net.Places), len(net.Transitions), len(c.ledger.questions), c.ledger.openCount)
	c.follow(ctx, stop)
}

// Until when the coloured net is examined even if the unfolded one is there: a fraction of
// the time, or where there is no limit this long.
const (
	skeletonUntil = 0.05
	skeletonTime  = time.Second
)

// fewNodes is up to how many places and transitions an unfolded net is small: what is
// asked is most often decided on it before the coloured net has told anything, so that
// both are examined at once.
const fewNodes = 1000

// manyNodes is from how many places and transitions on the coloured net is examined
// to the end, beside the unfolded one: engines are slow to begin on such a net.
const manyNodes = 20_000

// simplifier simplifies predicates by what is known of the skeleton: what it says
// of token counts is true of the coloured net, too; of transitions only that they
// are never enabled.
func (c *coloured) simplifier(bySkeleton simplification) simplification {
	var simplify simplification
	simplify = func(p *logic.Predicate) (*logic.Predicate, Techniques) {
		switch {
		case !rephrase.LooksAtDeadlock(p) && !looksAtTransitions(p):
			q, by := bySkeleton(p)
			return q, onSkeleton(by)
		case p.Operator == logic.Fireable:
			if q, by := bySkeleton(rephrase.OverPlaces(c.skeleton, p)); q.Operator == logic.False {
				return q, onSkeleton(by)
			}
			return p, 0
		case len(p.Operands) == 0:
			return p, 0
		}
		q, techniques := &logic.Predicate{Operator: p.Operator}, Techniques(0)
		for _, o := range p.Operands {
			simple, by := simplify(o)
			q.Operands = append(q.Operands, simple)
			techniques |= by
		}
		return q.Simplify(), techniques
	}
	return simplify
}

// onSkeleton adds to techniques, if there are some, that they were used on the skeleton.
func onSkeleton(by Techniques) Techniques {
	if by != 0 {
		by |= Skeleton
	}
	return by
}

func looksAtTransitions(p *logic.Predicate) bool {
	return p.Operator == logic.Fireable || slices.ContainsFunc(p.Operands, looksAtTransitions)
}

// mirror adds an atom to the proofs that asks for what a does, or more.
func (c *coloured) mirror(a *atom) {
	mirrored := &atom{maximum: a.maximum, low: -1, high: unboundedHigh}
	if a.goal != nil {
		mirrored.goal = c.over(a.goal, false).Simplify()
		if mirrored.goal.Operator == logic.True {
			mirrored.state = reached
		}
	}
	c.proofs.ledger.atoms = append(c.proofs.ledger.atoms, mirrored)
}

// prove refutes goals and bounds sums on the skeleton.
func (c *coloured) prove(ctx context.Context) {
	for _, p := range skeletonPlan {
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
		c.stops.follow(ctx, skeletonLinearPlan)
	default:
		c.stops.follow(ctx, skeletonBranchingPlan)
	}
}

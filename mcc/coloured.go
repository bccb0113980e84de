package mcc

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

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
	*run
	source   *symmetric.Net
	skeleton *petri.Net
	*approximation
	// proofs is a run on the skeleton. Its atoms ask for what those of the same
	// numbers here do, or more.
	proofs *run
	// stops is a run on the stoppable skeleton. Its questions are what suffices for
	// temporal ones here.
	stops *run
	test  bindingTest
}

// bindingTest tells the engines whether a binding of a transition is enabled.
type bindingTest = func(w *symmetric.Walk, transition int) (enabled, certain bool)

// newColoured puts the questions of an examination to the coloured net. The reason why
// that cannot be done is an error. Where the examination has its predicates simplified,
// the skeleton does it, until ctx ends.
func newColoured(ctx context.Context, r *run, net *symmetric.Net, e *examination) (*coloured, error) {
	skeleton, err := net.Skeleton()
	if err != nil {
		return nil, err
	}
	start := skeleton
	if !e.looksAtPlacesOnly() { // it takes a second where there are millions of tokens
		if start, err = colouredStart(net, skeleton, (*symmetric.Walk).Enabled); err != nil {
			return nil, err
		}
	}
	c := &coloured{run: r.on(start), source: net, skeleton: skeleton, approximation: newApproximation(net), proofs: r.on(skeleton)}
	c.test = (*symmetric.Walk).Enabled
	c.names = namesOf(skeleton) // start has a place more
	c.compiler = &compiler{names: c.names}
	if e.simplify {
		c.compiler.known = c.simplifier(c.proofs.simplifier(ctx))
	}
	c.board = &board{net: start, answers: r.answers}
	if err := e.ask(c.run); err != nil {
		return nil, err
	}
	c.board.lookAtInitial()
	c.proofs.board = &board{net: skeleton, answers: r.answers, sink: c.board, always: Skeleton}
	for _, a := range c.board.atoms {
		c.mirror(a)
	}
	return c, c.askStoppable()
}

// on is a run on another net, with the same answers to find.
func (r *run) on(net *petri.Net) *run {
	return &run{
		options: r.options, examination: r.examination, start: r.start, deadline: r.deadline,
		net: net, names: namesOf(net), properties: r.properties, budget: r.budget, answers: r.answers,
	}
}

// bindingLimit bounds the search for an enabled binding, in steps.
const bindingLimit = 1 << 16

// colouredStart is a net with the initial marking of the skeleton, in which those
// transitions are enabled that are in the coloured net. Questions are simplified, and
// some decided, by it; it is of no other use. What test says of a transition must be
// so by the definitions, too, as in the replays of runs.
func colouredStart(net *symmetric.Net, skeleton *petri.Net, test bindingTest) (*petri.Net, error) {
	w, err := symmetric.NewWalk(net, rand.New(rand.NewPCG(1, 1)), 16*bindingLimit)
	if err != nil {
		return nil, err
	}
	replay, err := symmetric.NewReplay(net)
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

// follow works until ctx ends or all is answered.
func (c *coloured) follow(ctx context.Context, stop context.CancelFunc) {
	c.board.mutex.Lock()
	c.board.allDone = stop
	done := c.board.openCount == 0
	c.board.mutex.Unlock()
	if done && len(c.board.questions) > 0 {
		stop()
		return
	}
	var lanes sync.WaitGroup
	lanes.Go(func() { c.prove(ctx) })
	lanes.Go(func() { c.proveTemporal(ctx) })
	lanes.Go(func() { c.walk(ctx) })
	lanes.Go(func() { c.tryRuns(ctx) })
	lanes.Wait()
}

// unfold makes the net that engines work on, and meanwhile answers what it can
// from the coloured net; r.beside is done when that ends. It reports false if the
// unfolded net is too large: then nothing is left to do.
func (r *run) unfold(ctx context.Context, stop context.CancelFunc, net *symmetric.Net, e *examination) (bool, error) {
	first, cancel := context.WithCancel(ctx)
	r.beside.Go(func() {
		if r.examination == "StateSpace" {
			return // which counts colours apart
		}
		c, err := newColoured(first, r, net, e)
		if err != nil {
			r.note("nothing is asked of the coloured net: %v", err)
			return
		}
		r.note("coloured net of %d places, %d transitions: %d questions, %d open",
			len(net.Places), len(net.Transitions), len(c.board.questions), c.board.openCount)
		c.follow(first, stop)
	})
	unfolded, err := r.unfolded(ctx, stop, net, cancel)
	if !unfolded {
		cancel()
	}
	return unfolded, err
}

// unfolded is unfold, while the coloured net is examined until leave is called.
func (r *run) unfolded(ctx context.Context, stop context.CancelFunc, net *symmetric.Net, leave func()) (bool, error) {
	// Questions speak of coloured nodes, for which merged colours and bindings are
	// as good as all; the values of StateSpace count them.
	unfolding, err := symmetric.Unfold(ctx, net, symmetric.Options{
		MaxNodes: r.mostNodes(), Merge: r.examination != "StateSpace",
	})
	if errors.Is(err, symmetric.ErrTooLarge) {
		r.note("%v: going on without it", err)
		r.beside.Wait()
		return false, nil
	}
	if ctx.Err() != nil {
		return false, nil // all is answered, or time is over
	}
	if err != nil {
		return false, err
	}
	r.note("unfolded to %d places, %d transitions", unfolding.Net.Places(), unfolding.Net.Transitions())
	// What the skeleton tells soon need not be found out on the larger net.
	head := r.start.Add(time.Duration(float64(r.deadline.Sub(r.start)) * skeletonUntil))
	done := make(chan struct{})
	go func() { r.beside.Wait(); close(done) }()
	wait := func(until time.Duration) {
		select {
		case <-done:
		case <-ctx.Done():
		case <-time.After(until):
		}
	}
	wait(time.Until(head))
	if unfolding.Net.Places()+unfolding.Net.Transitions() < manyNodes {
		leave()
		wait(patience) // what goes on ends soon, by itself
	} else {
		r.answers.endWith(r.wanted(), stop)
	}
	r.net, r.names = unfolding.Net, colouredNames(unfolding)
	r.always = Unfolding
	return ctx.Err() == nil, nil
}

// wanted is how many answers there are to give.
func (r *run) wanted() int {
	if r.examination == "StateSpace" {
		return len(measureNames)
	}
	return max(1, len(r.properties))
}

// skeletonUntil is the fraction of the run's time until which the coloured net is
// examined even if the unfolded one is there.
const skeletonUntil = 0.05

// manyNodes is from how many places and transitions on the coloured net is examined
// to the end, beside the unfolded one: engines are slow to begin on such a net.
const manyNodes = 20_000

// simplification gives a predicate that holds in the same reachable markings, and
// tells how that is known.
type simplification = func(*logic.Predicate) (*logic.Predicate, Techniques)

// simplifier simplifies predicates by what is known of the skeleton: what it says
// of token counts is true of the coloured net, too; of transitions only that they
// are never enabled.
func (c *coloured) simplifier(bySkeleton simplification) simplification {
	var simplify simplification
	simplify = func(p *logic.Predicate) (*logic.Predicate, Techniques) {
		switch {
		case !looksAtDeadlock(p) && !looksAtTransitions(p):
			q, by := bySkeleton(p)
			return q, onSkeleton(by)
		case p.Operator == logic.Fireable:
			if q, by := bySkeleton(overPlaces(c.skeleton, p)); q.Operator == logic.False {
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
	c.proofs.board.atoms = append(c.proofs.board.atoms, mirrored)
}

// prove refutes goals and bounds sums on the skeleton.
func (c *coloured) prove(ctx context.Context) {
	for _, p := range skeletonPlan {
		if ctx.Err() != nil || len(c.proofs.board.openAtoms()) == 0 {
			return
		}
		end := c.start.Add(time.Duration(float64(c.deadline.Sub(c.start)) * p.until))
		phase, cancel := context.WithDeadline(ctx, end)
		c.proofs.engine(phase, p)
		cancel()
	}
}

// proveTemporal looks for temporal questions that hold on the stoppable skeleton.
func (c *coloured) proveTemporal(ctx context.Context) {
	open := c.stops.board.openQuestions()
	switch {
	case len(open) == 0:
	case open[0].ltl != nil:
		c.stops.follow(ctx, skeletonLinearPlan)
	default:
		c.stops.follow(ctx, skeletonBranchingPlan)
	}
}

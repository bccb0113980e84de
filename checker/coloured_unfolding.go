package checker

import (
	"context"
	"errors"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/rephrase"
	"pnmc/internal/account"
	"pnmc/petri/symmetric"
)

// decide unfolds the net and works on that, and beside it, and before, on the
// coloured net itself. stop is called when all is answered.
func (s *colouredSolver) decide(ctx context.Context, r *task, stop context.CancelFunc, p *part, questions []Question) (cut bool, err error) {
	first, leave := context.WithCancel(ctx)
	defer leave()
	done := make(chan struct{})
	r.shared.turns.Run(ctx, func(lane context.Context) {
		defer close(done)
		s.besideUnfolding(lanes.Of(lane, first), r, stop, p, questions)
	}, func(lane context.Context) {
		defer leave()
		cut, err = s.decideUnfolded(lane, r, leave, done, stop, p, questions)
	})
	return cut || ctx.Err() != nil, err
}

// decideUnfolded unfolds the net and works on that. What is beside ends when leave is called,
// and then done is closed.
func (s *colouredSolver) decideUnfolded(ctx context.Context, r *task, leave func(), done <-chan struct{}, stop context.CancelFunc, p *part, questions []Question) (cut bool, err error) {
	waitBeside := func() { lanes.Rest(ctx, func() { <-done }) }
	// Questions speak of coloured nodes, for which merged colours and bindings are
	// as good as all; sizes count them.
	unfolding, err := s.unfolded(ctx, r.family != inquiry.SizesFamily && !s.keepBindings)
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
	r.facts = r.shared.factsAbout(r.net)
	cut = s.onUnfolded(ctx, r, stop, p, questions)
	if large && ctx.Err() == nil && r.ledger.answers.open(p) > 0 {
		waitBeside()
	}
	return cut, nil
}

// besideUnfolding asks the coloured net.
func (s *colouredSolver) besideUnfolding(ctx context.Context, r *task, stop context.CancelFunc, p *part, questions []Question) {
	if r.family == inquiry.SizesFamily {
		return // which count colours apart
	}
	defer r.noteDefect("coloured net")
	within, release := account.Within(lanes.Plain(ctx), r.budget) // ends all that is beside where it takes too much
	defer release(nil)
	ctx = lanes.Of(ctx, within)
	c, err := s.newColoured(ctx, r, p, questions)
	if err != nil {
		r.note("nothing is asked of the coloured net: %v", err)
		return
	}
	asked, open := c.ledger.counts()
	r.note("coloured net of %d places, %d transitions: %d questions, %d open", len(s.source.Places), len(s.source.Transitions), asked, open)
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

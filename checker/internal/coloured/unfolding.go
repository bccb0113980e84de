package coloured

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/rephrase"
	"pnmc/internal/account"
	"pnmc/petri/symmetric"
)

// Decide unfolds the net and works on that, and beside it, and before, on the
// coloured net itself. stop is called when all is answered.
func (s *Solver) Decide(ctx context.Context, r *core.Task, stop context.CancelFunc, p *ledger.Part, questions []inquiry.Question) (cut bool, err error) {
	first, leave := context.WithCancel(ctx)
	defer leave()
	done := make(chan struct{})
	var short error // of what is beside; there when done is closed
	r.Shared.Turns.Run(ctx, func(lane context.Context) {
		defer close(done)
		short = s.besideUnfolding(lanes.Of(lane, first), r, stop, p, questions)
	}, func(lane context.Context) {
		defer leave()
		cut, err = s.decideUnfolded(lane, r, leave, done, stop, p, questions)
	})
	if short != nil && errors.Is(err, symmetric.ErrTooLarge) {
		if p.RefusedAgain() {
			r.Shared.Kept.Drop()
			return true, nil
		}
		return false, fmt.Errorf("%w; on the net as it is: %w", err, short)
	}
	return cut || ctx.Err() != nil, err
}

// decideUnfolded unfolds the net and works on that. The work beside ends when leave is
// called, and then done is closed.
func (s *Solver) decideUnfolded(ctx context.Context, r *core.Task, leave func(), done <-chan struct{}, stop context.CancelFunc, p *ledger.Part, questions []inquiry.Question) (cut bool, err error) {
	waitBeside := func() { lanes.Rest(ctx, func() { <-done }) }
	// Questions speak of coloured nodes, for which merged colours and bindings are
	// as good as all; sizes count them.
	unfolding, err := s.unfolded(ctx, r.Family != inquiry.SizesFamily && !s.keepBindings)
	switch {
	case errors.Is(err, symmetric.ErrTooLarge):
		r.Note("%v: going on without it", err)
		waitBeside()
		return false, fmt.Errorf("%w: %w", inquiry.ErrNotDecided, err)
	case ctx.Err() != nil:
		return true, nil // all is answered, or time is over
	case err != nil:
		return false, err
	}
	// A question that the skeleton answers soon need not be asked of a larger net.
	head := r.Clock.At(skeletonUntil)
	if _, limited := r.Whole.Deadline(); !limited {
		head = r.Clock.Start.Add(skeletonTime)
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
	r.Net, r.Groups, r.Always = unfolding.Net, rephrase.UnfoldedNodes(unfolding), inquiry.Unfolding
	r.Facts = r.Shared.FactsAbout(r.Net)
	cut = s.onUnfolded(ctx, r, stop, p, questions)
	if large && ctx.Err() == nil && r.Ledger.Answers.Open(p) > 0 {
		waitBeside()
	}
	return cut, nil
}

// besideUnfolding asks the coloured net. The error says that memory ended that.
func (s *Solver) besideUnfolding(ctx context.Context, r *core.Task, stop context.CancelFunc, p *ledger.Part, questions []inquiry.Question) (short error) {
	if r.Family == inquiry.SizesFamily {
		return nil // which count colours apart
	}
	defer r.NoteDefect("coloured net")
	// Walks hold little. They go on where engines for the skeleton have filled the memory that is for engines.
	ctx, release := r.Shared.Within(ctx)
	defer func() {
		if cause := context.Cause(ctx); errors.As(cause, new(*account.MemoryError)) {
			short = cause
		}
		release(short)
	}()
	c, err := s.NewFolded(ctx, r, p, questions)
	if err != nil {
		r.Note("nothing is asked of the coloured net: %v", err)
		return nil
	}
	asked, open := c.Ledger.Counts()
	r.Note("coloured net of %d places, %d transitions: %d questions, %d open", len(s.source.Places), len(s.source.Transitions), asked, open)
	c.Follow(ctx, stop)
	return nil
}

// Until when the coloured net is examined even if the unfolded one is there: a fraction of
// the time, or where there is no limit this long.
const (
	skeletonUntil = 0.05
	skeletonTime  = time.Second
)

// fewNodes is the number of places and transitions up to which an unfolded net counts
// as small. On such a net most questions are decided before the coloured net has shown
// anything. So both are examined at once.
const fewNodes = 1000

// manyNodes is from how many places and transitions on the coloured net is examined
// to the end, beside the unfolded one: engines are slow to begin on such a net.
const manyNodes = 20_000

package atoms

import (
	"context"
	"errors"
	"time"

	"pnmc/checker/branching"
	"pnmc/checker/diagram"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/turns"
)

// showUntil is the fraction of the run's time after which the answer is given without a run, for
// goals that decision diagrams know to be reachable.
const showUntil = 0.97

// showAtoms shows by runs that the atoms of n that are still open are reachable, in
// growing slices of time: a run can be as long as there are markings. When the time is
// nearly over, an atom without a run is reported without one, unless a run for it did
// not replay.
func showAtoms(ctx context.Context, r *core.Task, s *diagram.Space, n *core.Reduced) error {
	if r.Ledger.Sink != nil { // where what is reachable here means nothing
		for i, number := range n.Atoms {
			if r.Ledger.IsOpen(number) {
				tellAtom(ctx, r, s, n, i)
			}
		}
		return nil
	}
	showing, cancel := untilShown(ctx, r)
	defer cancel()
	given := make(map[int]error) // up, and why
	t := openAtoms(r, n, core.FirstDiagramSlice, 4)
	t.Try = func(part context.Context, i int, _ time.Duration) (turns.Outcome, error) {
		err := witnessAtom(part, r, s, n, i)
		if err == nil || part.Err() != nil && diagram.NotInTime(part, err) {
			return turns.Again, nil
		}
		r.Note("decision diagrams: atom %d: %v", n.Atoms[i], err)
		given[i] = err
		return turns.Hopeless, nil
	}
	err := t.Run(showing)
	if len(given) > 0 {
		lanes.Rest(ctx, func() { <-showing.Done() }) // another engine may show it
	}
	for i := range n.Atoms {
		if err := given[i]; t.IsOpen(i) && (err == nil || diagram.NotInTime(showing, err)) {
			tellAtom(ctx, r, s, n, i)
		}
	}
	return err
}

// untilShown returns a context that ends when goals without a run are to be answered without one. With
// a deadline that is after 97% of the time, or when the user's patience is over; without a deadline,
// after that patience, or a default.
func untilShown(ctx context.Context, r *core.Task) (context.Context, context.CancelFunc) {
	patience := r.Shared.Patience
	if _, limited := r.Whole.Deadline(); limited {
		end := r.Clock.At(showUntil)
		if patience > 0 && time.Until(end) > patience {
			end = time.Now().Add(patience)
		}
		return lanes.Until(ctx, end)
	}
	if patience == 0 {
		patience = core.DefaultPatience
	}
	return lanes.Sliced(ctx, patience)
}

// tellAtom decides an atom that diagrams know to be reachable, without a run. Its witness says so.
func tellAtom(ctx context.Context, r *core.Task, s *diagram.Space, n *core.Reduced, i int) {
	shown := inquiry.Witness{Ground: inquiry.DiagramMarkings, Unshown: core.ErrNotShown}
	if n.Goals[i].Maximum != nil {
		if value, err := s.Maximum(ctx, n.Goals[i].Number()); err == nil && value.IsInt64() {
			r.Ledger.Exact(n.Atoms[i], inquiry.LargeNumber(value), n.By(inquiry.DecisionDiagrams), shown)
		}
		return
	}
	if reachable, err := s.Reachable(ctx, n.Goals[i].Predicate); err == nil && reachable {
		r.Ledger.Decide(n.Atoms[i], ledger.Reached, n.By(inquiry.DecisionDiagrams), shown)
	}
}

// witnessAtom shows by a run that a goal, or the largest value of a sum, is
// reachable.
func witnessAtom(ctx context.Context, r *core.Task, s *diagram.Space, n *core.Reduced, i int) error {
	goal := n.Goals[i].Predicate
	if n.Goals[i].Maximum != nil {
		value, err := s.Maximum(ctx, n.Goals[i].Number())
		if err != nil {
			return err
		}
		ok := value.IsInt64()
		if ok {
			goal, ok = diagram.AtLeast(n.Goals[i].Number(), value.Int64())
		}
		if !ok {
			return branching.ErrLongReplay
		}
	}
	reachable, run, err := s.Reach(ctx, goal)
	if err != nil || !reachable {
		return err
	}
	original := n.Original(run, r.LongestReplay())
	if original == nil {
		return branching.ErrLongReplay
	}
	if !r.Ledger.Witnessed(n.Atoms[i], original, n.By(inquiry.DecisionDiagrams)) {
		return errors.New("a witness does not replay")
	}
	return nil
}

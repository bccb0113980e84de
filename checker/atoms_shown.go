package checker

import (
	"context"
	"errors"
	"time"

	"pnmc/checker/branching"
	"pnmc/checker/diagram"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/turns"
	"pnmc/logic"
)

// showUntil is the fraction of the run's time after which what decision diagrams know
// to be reachable is told without a run.
const showUntil = 0.97

// showAtoms shows by runs that the atoms of n that are still open are reachable, in
// growing slices of time: a run can be as long as there are markings. What has none
// when the time is nearly over is told without, but not where a run did not replay.
func (r *task) showAtoms(ctx context.Context, s *diagram.Space, n *reducedNet) error {
	if r.ledger.sink != nil { // where what is reachable here means nothing
		for i, number := range n.atoms {
			if r.ledger.isOpen(number) {
				r.tellAtom(s, n, i)
			}
		}
		return nil
	}
	showing, cancel := r.untilShown(ctx)
	defer cancel()
	given := make(map[int]error) // up, and why
	t := &turns.Queue[int]{First: firstDiagramSlice, Growth: 4}
	t.IsOpen = func(i int) bool { return r.ledger.isOpen(n.atoms[i]) }
	t.Open = func() (open []int) {
		for i := range n.atoms {
			if t.IsOpen(i) {
				open = append(open, i)
			}
		}
		return open
	}
	t.Try = func(part context.Context, i int, _ time.Duration) (turns.Outcome, error) {
		err := r.witnessAtom(part, s, n, i)
		if err == nil || part.Err() != nil && diagram.NotInTime(part, err) {
			return turns.Again, nil
		}
		r.note("decision diagrams: atom %d: %v", n.atoms[i], err)
		given[i] = err
		return turns.Hopeless, nil
	}
	err := t.Run(showing)
	if len(given) > 0 {
		lanes.Rest(ctx, func() { <-showing.Done() }) // another engine may show it
	}
	for i := range n.atoms {
		if err := given[i]; t.IsOpen(i) && (err == nil || diagram.NotInTime(showing, err)) {
			r.tellAtom(s, n, i)
		}
	}
	return err
}

// untilShown ends when what has no run yet is told without.
func (r *task) untilShown(ctx context.Context) (context.Context, context.CancelFunc) {
	patience := r.shared.patience
	if _, limited := r.whole.Deadline(); limited {
		end := r.clock.at(showUntil)
		if patience > 0 && time.Until(end) > patience {
			end = time.Now().Add(patience)
		}
		return lanes.Until(ctx, end)
	}
	if patience == 0 {
		patience = defaultPatience
	}
	return lanes.Sliced(ctx, patience)
}

// tellAtom gives an atom that diagrams know to be reachable, for which there is no run.
func (r *task) tellAtom(s *diagram.Space, n *reducedNet, i int) {
	shown := Witness{Ground: DiagramMarkings, Unshown: errNotShown}
	if sum := n.goals[i].Maximum; sum != nil {
		if value, err := s.Maximum(*sum); err == nil && value.IsInt64() {
			r.ledger.exact(n.atoms[i], LargeNumber(value), n.by(DecisionDiagrams), shown)
		}
		return
	}
	if reachable, err := s.Reachable(n.goals[i].Predicate); err == nil && reachable {
		r.ledger.decide(n.atoms[i], reached, n.by(DecisionDiagrams), shown)
	}
}

// witnessAtom shows by a run that a goal, or the largest value of a sum, is
// reachable.
func (r *task) witnessAtom(ctx context.Context, s *diagram.Space, n *reducedNet, i int) error {
	goal := n.goals[i].Predicate
	if sum := n.goals[i].Maximum; sum != nil {
		value, err := s.Maximum(*sum)
		if err != nil {
			return err
		}
		if !value.IsInt64() || value.Int64() <= -1<<62 {
			return branching.ErrLongReplay
		}
		atLeast := logic.Sum{Constant: value.Int64() - sum.Constant}
		for _, t := range sum.Terms {
			atLeast.Terms = append(atLeast.Terms, logic.Term{Place: t.Place, Coefficient: -t.Coefficient})
		}
		goal = &logic.Predicate{Operator: logic.AtMost, Sum: atLeast}
	}
	reachable, run, err := s.Reach(ctx, goal)
	if err != nil || !reachable {
		return err
	}
	original := n.original(run)
	if original == nil {
		return branching.ErrLongReplay
	}
	if !r.ledger.witnessed(n.atoms[i], original, n.by(DecisionDiagrams)) {
		return errors.New("a witness does not replay")
	}
	return nil
}

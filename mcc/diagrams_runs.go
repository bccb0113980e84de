package mcc

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pnmc/checker"
	"pnmc/logic"
)

// showUntil is the fraction of the run's time after which what decision diagrams know
// to be reachable is told without a run.
const showUntil = 0.97

// showAtoms shows by runs that the atoms of n that are still open are reachable, in
// growing slices of time: a run can be as long as there are markings. What has none
// when the time is nearly over is told without, but not where a run did not replay.
func (r *run) showAtoms(ctx context.Context, s *checker.Symbolic, n *reducedNet) {
	if r.board.sink != nil { // where what is reachable here means nothing
		for i, number := range n.atoms {
			if r.board.isOpen(number) {
				r.tellAtom(s, n, i)
			}
		}
		return
	}
	end := r.start.Add(time.Duration(float64(r.deadline.Sub(r.start)) * showUntil))
	showing, cancel := context.WithDeadline(ctx, end)
	defer cancel()
	given := make(map[int]error) // up, and why
	for slice := firstDiagramSlice; showing.Err() == nil; slice *= 4 {
		left := 0
		for i, number := range n.atoms {
			if given[i] != nil || !r.board.isOpen(number) || showing.Err() != nil {
				continue
			}
			left++
			part, cancel := context.WithTimeout(showing, slice)
			err := r.witnessAtom(part, s, n, i)
			cancel()
			switch {
			case part.Err() != nil && checker.NotInTime(part, err): // once more
			case err != nil:
				r.note("decision diagrams: atom %d: %v", number, err)
				given[i] = err
			}
		}
		if left == 0 {
			break
		}
	}
	if len(given) > 0 {
		<-showing.Done() // another engine may show it
	}
	for i, number := range n.atoms {
		if err := given[i]; r.board.isOpen(number) && (err == nil || checker.NotInTime(showing, err)) {
			r.tellAtom(s, n, i)
		}
	}
}

// tellAtom gives an atom that diagrams know to be reachable, for which there is no run.
func (r *run) tellAtom(s *checker.Symbolic, n *reducedNet, i int) {
	how := notShown(errors.New("no run was found in time"))
	if sum := n.goals[i].Maximum; sum != nil {
		if value, err := s.Maximum(*sum); err == nil && value.IsInt64() {
			r.board.exact(n.atoms[i], fmt.Sprint(value), n.by(DecisionDiagrams), "largest value of all markings; "+how)
		}
		return
	}
	if reachable, err := s.Reachable(n.goals[i].Predicate); err == nil && reachable {
		r.board.decide(n.atoms[i], reached, n.by(DecisionDiagrams), "in some reachable marking; "+how)
	}
}

// witnessAtom shows by a run that a goal, or the largest value of a sum, is
// reachable.
func (r *run) witnessAtom(ctx context.Context, s *checker.Symbolic, n *reducedNet, i int) error {
	goal := n.goals[i].Predicate
	if sum := n.goals[i].Maximum; sum != nil {
		value, err := s.Maximum(*sum)
		if err != nil {
			return err
		}
		if !value.IsInt64() || value.Int64() <= -1<<62 {
			return checker.ErrLongReplay
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
		return checker.ErrLongReplay
	}
	if !r.board.witnessed(n.atoms[i], original, n.by(DecisionDiagrams)) {
		return errors.New("a witness does not replay")
	}
	return nil
}

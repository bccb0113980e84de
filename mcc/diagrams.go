package mcc

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"pnmc/checker"
	"pnmc/petri"
	"pnmc/petri/reduce"
	"pnmc/symbolic"
)

// diagramShare is the part of the memory that decision diagrams may fill, in
// percent; without a limit they have their default.
const diagramShare = 35

func (r *run) exploreSymbolically(ctx context.Context, net *petri.Net) *checker.Symbolic {
	s, err := checker.ExploreSymbolically(ctx, net, r.options.MemoryBytes/100*diagramShare)
	if err != nil {
		r.note("decision diagrams: %v", err)
		return nil
	}
	r.note("decision diagram of all markings: %d nodes, order %s", s.StateSpace().Nodes, s.StateSpace().OrderName)
	return s
}

// diagramsAll decides all open atoms on the set of reachable markings.
func diagramsAll(ctx context.Context, r *run) {
	n := r.reducedForAll(ctx)
	if n == nil {
		return
	}
	s := r.exploreSymbolically(ctx, n.net)
	if s == nil {
		return
	}
	for i, number := range n.atoms {
		if ctx.Err() != nil {
			return
		}
		if r.board.isOpen(number) {
			r.limitAtom(s, n, i)
		}
	}
	r.showAtoms(ctx, s, n)
}

// limitAtom refutes a goal that no marking has, or bounds a sum by the largest value
// of all: quick, compared with a run that shows what is reachable.
func (r *run) limitAtom(s *checker.Symbolic, n *reducedNet, i int) {
	number := n.atoms[i]
	if sum := n.goals[i].Maximum; sum != nil {
		if value, err := s.Maximum(*sum); err == nil && value.IsInt64() {
			r.board.limit(number, value.Int64(), n.by(DecisionDiagrams))
		}
		return
	}
	reachable, err := s.Reachable(n.goals[i].Predicate)
	if err != nil {
		r.note("decision diagrams: %v", err)
	} else if !reachable {
		r.board.impossible(number, n.by(DecisionDiagrams), "in no reachable marking")
	}
}

// diagramsBranching decides CTL formulas by fixpoints over sets of markings.
func diagramsBranching(ctx context.Context, r *run) {
	g := r.branchingNet(ctx)
	if g == nil {
		return
	}
	s := r.exploreSymbolically(ctx, g.net)
	if s == nil {
		return
	}
	refuted := make(map[*question]bool) // by a replay, or not decidable so
	for slice := firstDiagramSlice; ctx.Err() == nil; slice *= 4 {
		open := slices.DeleteFunc(r.board.openQuestions(), func(q *question) bool { return refuted[q] })
		if len(open) == 0 {
			return
		}
		for _, q := range open {
			if r.board.isAnswered(q) {
				continue
			}
			part, cancel := context.WithTimeout(ctx, slice)
			translated, replay := g.replayOf(r, q.ctl)
			value, unshown, err := s.DecideAndReplay(part, translated, replay, showing(ctx, time.Now()))
			late := part.Err() != nil && checker.NotInTime(part, err)
			cancel()
			switch {
			case err == nil:
				how := "by fixpoints over sets of markings; " + toldReplay(replay, unshown)
				r.board.answerNow(q, truthWord(value), reducedBy(DecisionDiagrams, g.reduction), how)
			case errors.Is(err, symbolic.ErrMemory):
				r.note("decision diagrams: %s: %v", q.id, err)
				return
			case !late:
				r.note("decision diagrams: %s: not confirmed: %v", q.id, err)
				refuted[q] = true
			}
		}
	}
}

// showing gives what diagrams decide time for a run that shows it: ten times as long as
// deciding took since begin, but a quarter of what is left at most.
func showing(ctx context.Context, begin time.Time) func() (context.Context, context.CancelFunc) {
	return func() (context.Context, context.CancelFunc) {
		limit := max(10*time.Since(begin), leastShowing)
		if deadline, ok := ctx.Deadline(); ok {
			limit = min(limit, time.Until(deadline)/4)
		}
		return context.WithTimeout(ctx, limit)
	}
}

// leastShowing is how long a run is looked for even if deciding took no time.
const leastShowing = 5 * time.Second

// firstDiagramSlice is how long the first fixpoints may take for one formula.
const firstDiagramSlice = 500 * time.Millisecond

// diagramsLiveness looks whether all transitions fire in each terminal component
// of the state graph.
func diagramsLiveness(ctx context.Context, r *run) {
	g := r.graphOf(ctx, make([]bool, r.net.Places()), reduce.Firings)
	if g == nil {
		return
	}
	begin := time.Now()
	s := r.exploreSymbolically(ctx, g.net)
	if s == nil {
		return
	}
	live, dead, run, err := s.Live(ctx, showing(ctx, begin), r.names.transitionGroups)
	if err != nil {
		r.note("decision diagrams: %v", err)
		return
	}
	how := "every transition fires in every terminal component"
	if !live {
		how = fmt.Sprintf("not in every terminal component: transitions %v", r.names.transitionGroups[dead])
		shown, ok := "; "+notShown(errors.New("no run was found in time")), true
		if run != nil {
			shown, ok = r.showDead(g, dead, firings(run))
		}
		if !ok {
			r.note("a run after which a transition is dead does not replay")
			return
		}
		how += shown
	}
	r.board.answerNow(r.board.questions[0], truthWord(live), reducedBy(DecisionDiagrams, g.reduction), how)
}

// firings is a run of single firings without their number.
func firings(run []checker.Burst) []petri.Transition {
	list := make([]petri.Transition, len(run))
	for i, b := range run {
		list[i] = b.Transition
	}
	return list
}

// countSymbolically counts with decision diagrams.
func countSymbolically(ctx context.Context, r *run) {
	s := r.exploreSymbolically(ctx, r.net)
	if s == nil {
		return
	}
	space := s.StateSpace()
	how := fmt.Sprintf("decision diagram of %d nodes", space.Nodes)
	give := func(measure string, value *big.Int) {
		r.answers.stateSpace(measure, value.String(), DecisionDiagrams|r.always, how)
	}
	give("STATES", space.States())
	give("MAX_TOKEN_IN_PLACE", big.NewInt(int64(space.LargestValue())))
	if v, err := space.LargestMarking(); err == nil {
		give("MAX_TOKEN_PER_MARKING", v)
	}
	if v, err := space.Firings(ctx); err == nil {
		give("TRANSITIONS", v)
	}
	r.board.allDone()
}

// diagramsLinear proves formulas of LTL by products of the set of reachable
// markings with automata. It has no counterexample to show where there is one,
// and leaves that to others.
func diagramsLinear(ctx context.Context, r *run) {
	open := r.board.openQuestions()
	shared := new(linearCheck)
	shared.reduce(ctx, r, open, reduce.Branching)
	if shared.reduction == nil {
		return
	}
	s := r.exploreSymbolically(ctx, shared.net)
	if s == nil {
		return
	}
	for slice := firstDiagramSlice; ctx.Err() == nil && len(open) > 0; slice *= 4 {
		var again []*question // those for which the slice was too short
		for _, q := range open {
			if r.board.isAnswered(q) {
				continue
			}
			part, cancel := context.WithTimeout(ctx, slice)
			property, err := r.propertyOf(part, q.ltl, shared.reduction)
			empty := false // where there is a counterexample, too
			if err == nil {
				empty, err = s.NoRun(part, property, r.options.MemoryBytes/100*productShare)
			}
			late := part.Err() != nil
			cancel()
			switch {
			case err != nil && late:
				again = append(again, q)
			case err == nil && empty:
				r.board.answerNow(q, "TRUE", reducedBy(DecisionDiagrams, shared.reduction), "no accepted run in the product of diagrams")
			}
		}
		open = again
	}
}

// productShare is the part of the memory that the diagrams of a product may
// fill, in percent.
const productShare = 10

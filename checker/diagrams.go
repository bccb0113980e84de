package checker

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"pnmc/checker/diagram"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/turns"
	"pnmc/checker/witness"
	"pnmc/petri"
	"pnmc/petri/reduce"
	"pnmc/symbolic"
)

// diagramShare is the part of the memory that decision diagrams may fill, in
// percent; without a limit they have their default.
const diagramShare = 35

func (r *task) exploreSymbolically(ctx context.Context, net *petri.Net) (*diagram.Space, error) {
	if s := take(r.solver.kept, r.solver.kept.diagramMap, net); s != nil {
		return s, nil
	}
	s, err := diagram.ExploreWithin(ctx, net, symbolic.Options{
		Memory: r.solver.options.MemoryBytes / 100 * diagramShare, Process: petri.Budget{MemoryBytes: r.solver.options.MemoryBytes}, Encoding: symbolic.PerGroup,
	})
	if err != nil {
		return nil, err
	}
	r.note("decision diagram of all markings: %d nodes, order %s", s.StateSpace().Nodes, s.StateSpace().OrderName)
	return s, nil
}

// diagramsAll decides all open atoms on the set of reachable markings.
func diagramsAll(ctx context.Context, r *task) error {
	n := r.reducedForAll(ctx)
	if n == nil {
		return context.Cause(ctx)
	}
	s, err := r.exploreSymbolically(ctx, n.net)
	if err != nil {
		return err
	}
	defer r.keepDiagram(s)
	for i, number := range n.atoms {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if r.ledger.isOpen(number) {
			r.limitAtom(s, n, i)
		}
	}
	return r.showAtoms(ctx, s, n)
}

// limitAtom refutes a goal that no marking has, or bounds a sum by the largest value
// of all: quick, compared with a run that shows what is reachable.
func (r *task) limitAtom(s *diagram.Space, n *reducedNet, i int) {
	number := n.atoms[i]
	if sum := n.goals[i].Maximum; sum != nil {
		if value, err := s.Maximum(*sum); err == nil && value.IsInt64() {
			r.ledger.limit(number, value.Int64(), n.by(DecisionDiagrams))
		}
		return
	}
	reachable, err := s.Reachable(n.goals[i].Predicate)
	if err != nil {
		r.note("decision diagrams: %v", err)
	} else if !reachable {
		r.ledger.impossible(number, n.by(DecisionDiagrams), Witness{Ground: DiagramMarkings})
	}
}

// diagramsBranching decides CTL formulas by fixpoints over sets of markings.
func diagramsBranching(ctx context.Context, r *task) error {
	g := r.branchingNet(ctx)
	if g == nil {
		return context.Cause(ctx)
	}
	s, err := r.exploreSymbolically(ctx, g.net)
	if err != nil {
		return err
	}
	defer r.keepDiagram(s)
	t := r.questionTurns(firstDiagramSlice, 4)
	t.Try = func(part context.Context, q *question, _ time.Duration) (turns.Outcome, error) {
		translated, replay := g.replayOf(r, q.ctl)
		value, unshown, err := s.DecideAndReplay(part, translated, replay, showing(ctx, time.Now()))
		switch {
		case err == nil:
			r.ledger.answerNow(q, Truth(value), reducedBy(DecisionDiagrams, g.reduction), replayed(replay, unshown))
		case errors.Is(err, symbolic.ErrMemory):
			return turns.Again, fmt.Errorf("question %d: %w", q.number, err)
		case part.Err() == nil || !diagram.NotInTime(part, err):
			r.note("decision diagrams: question %d: not confirmed: %v", q.number, err)
			return turns.Hopeless, nil // refuted by a replay, or not decidable so
		}
		return turns.Again, nil
	}
	return t.Run(ctx)
}

// showing gives what diagrams decide time for a run that shows it: ten times as long as
// deciding took since begin, but a quarter of what is left at most.
func showing(ctx context.Context, begin time.Time) func() (context.Context, context.CancelFunc) {
	return func() (context.Context, context.CancelFunc) {
		limit := max(10*time.Since(begin), leastShowing)
		if deadline, ok := ctx.Deadline(); ok {
			limit = min(limit, time.Until(deadline)/4)
		}
		return lanes.Sliced(ctx, limit)
	}
}

// leastShowing is how long a run is looked for even if deciding took no time.
const leastShowing = 5 * time.Second

// firstDiagramSlice is how long the first fixpoints may take for one formula.
const firstDiagramSlice = 500 * time.Millisecond

// diagramsLiveness looks whether all transitions fire in each terminal component
// of the state graph.
func diagramsLiveness(ctx context.Context, r *task) error {
	g := r.graphOf(ctx, make([]bool, r.net.Places()), reduce.Firings)
	if g == nil {
		return context.Cause(ctx)
	}
	begin := time.Now()
	s, err := r.exploreSymbolically(ctx, g.net)
	if err != nil {
		return err
	}
	defer r.keepDiagram(s)
	live, dead, run, err := s.Live(ctx, showing(ctx, begin), r.groups.Transitions)
	if err != nil {
		return err
	}
	shown := Witness{Ground: TerminalStates}
	if !live {
		shown = Witness{Ground: DeadTransition, Dead: dead, Unshown: errNotShown}
		if run != nil {
			var ok bool
			if shown, ok = r.showDead(ctx, g, dead, firings(run)); !ok {
				return errDeadNotReplayed
			}
		}
	}
	r.ledger.answerAll(Truth(live), reducedBy(DecisionDiagrams, g.reduction), shown)
	return nil
}

// firings is a run of single firings without their number.
func firings(run []witness.Burst) []petri.Transition {
	list := make([]petri.Transition, len(run))
	for i, b := range run {
		list[i] = b.Transition
	}
	return list
}

// countSymbolically counts with decision diagrams.
func countSymbolically(ctx context.Context, r *task) error {
	s, err := r.exploreSymbolically(ctx, r.net)
	if err != nil {
		return err
	}
	defer r.keepDiagram(s)
	space := s.StateSpace()
	shown := Witness{Ground: DiagramMarkings, Count: int64(space.Nodes)}
	give := func(size Size, value *big.Int) {
		r.tokens.give(size, LargeNumber(value), DecisionDiagrams, shown)
	}
	states, err := space.StatesWithin(ctx)
	if err != nil {
		return err
	}
	give(Markings, states)
	give(TokensInPlace, big.NewInt(int64(space.LargestValue())))
	if v, err := space.LargestMarking(); err == nil {
		give(TokensPerMarking, v)
	}
	firings, err := space.Firings(ctx)
	if err == nil {
		give(Firings, firings)
	}
	return err
}

// diagramsLinear proves formulas of LTL by products of the set of reachable
// markings with automata. It has no counterexample to show where there is one,
// and leaves that to others.
func diagramsLinear(ctx context.Context, r *task) error {
	shared := new(linearCheck)
	shared.reduce(ctx, r, r.ledger.openQuestions(), reduce.Branching)
	if shared.reduction == nil {
		return context.Cause(ctx)
	}
	s, err := r.exploreSymbolically(ctx, shared.net)
	if err != nil {
		return err
	}
	defer r.keepDiagram(s)
	t := r.questionTurns(firstDiagramSlice, 4)
	t.Try = func(part context.Context, q *question, _ time.Duration) (turns.Outcome, error) {
		property, err := r.propertyOf(part, q.ltl, shared.reduction)
		empty := false // where there is a counterexample, too
		if err == nil {
			empty, err = s.NoRun(part, property, r.solver.options.MemoryBytes/100*productShare)
		}
		switch {
		case err != nil && part.Err() != nil:
			return turns.Again, nil
		case err == nil && empty:
			r.ledger.answerNow(q, Truth(true), reducedBy(DecisionDiagrams, shared.reduction), Witness{Ground: DiagramProduct})
		}
		return turns.Hopeless, nil
	}
	return t.Run(ctx)
}

// productShare is the part of the memory that the diagrams of a product may
// fill, in percent.
const productShare = 10

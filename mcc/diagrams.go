package mcc

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"pnmc/checker"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/reduce"
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
	for _, decide := range []func(context.Context, *checker.Symbolic, *reducedNet, int){r.limitAtom, r.witnessAtom} {
		for i, number := range n.atoms {
			if ctx.Err() != nil {
				return
			}
			if r.board.isOpen(number) {
				decide(ctx, s, n, i)
			}
		}
	}
}

// limitAtom refutes a goal that no marking has, or bounds a sum by the largest value
// of all: quick, compared with a run that shows what is reachable.
func (r *run) limitAtom(_ context.Context, s *checker.Symbolic, n *reducedNet, i int) {
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

// witnessAtom shows by a run that a goal, or the largest value of a sum, is
// reachable.
func (r *run) witnessAtom(ctx context.Context, s *checker.Symbolic, n *reducedNet, i int) {
	goal := n.goals[i].Predicate
	if sum := n.goals[i].Maximum; sum != nil {
		value, err := s.Maximum(*sum)
		if err != nil || !value.IsInt64() || value.Int64() <= -1<<62 {
			return
		}
		atLeast := logic.Sum{Constant: value.Int64() - sum.Constant}
		for _, t := range sum.Terms {
			atLeast.Terms = append(atLeast.Terms, logic.Term{Place: t.Place, Coefficient: -t.Coefficient})
		}
		goal = &logic.Predicate{Operator: logic.AtMost, Sum: atLeast}
	}
	reachable, run, err := s.Reach(ctx, goal)
	switch {
	case err != nil:
		r.note("decision diagrams: %v", err)
	case reachable:
		if original := n.original(run); original != nil {
			r.board.witnessed(n.atoms[i], original, n.by(DecisionDiagrams))
		}
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
	for slice := firstDiagramSlice; ctx.Err() == nil; slice *= 4 {
		open := r.board.openQuestions()
		if len(open) == 0 {
			return
		}
		for _, q := range open {
			if r.board.isAnswered(q) {
				continue
			}
			part, cancel := context.WithTimeout(ctx, slice)
			value, err := s.Decide(part, g.translate(r.net, q.ctl))
			cancel()
			if err == nil {
				r.board.answerNow(q, truthWord(value), reducedBy(DecisionDiagrams, g.reduction), "by fixpoints over sets of markings")
			} else if part.Err() == nil {
				r.note("decision diagrams: %s: %v", q.id, err)
				return // out of memory
			}
		}
	}
}

// firstDiagramSlice is how long the first fixpoints may take for one formula.
const firstDiagramSlice = 500 * time.Millisecond

// diagramsLiveness looks whether all transitions fire in each terminal component
// of the state graph.
func diagramsLiveness(ctx context.Context, r *run) {
	g := r.graphOf(ctx, make([]bool, r.net.Places()), reduce.Firings)
	if g == nil {
		return
	}
	s := r.exploreSymbolically(ctx, g.net)
	if s == nil {
		return
	}
	live, dead, err := s.Live(ctx, r.names.transitionGroups)
	if err != nil {
		r.note("decision diagrams: %v", err)
		return
	}
	how := "every transition fires in every terminal component"
	if !live {
		how = fmt.Sprintf("not in every terminal component: transitions %v", r.names.transitionGroups[dead])
	}
	r.board.answerNow(r.board.questions[0], truthWord(live), reducedBy(DecisionDiagrams, g.reduction), how)
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
		r.answers.stateSpace(measure, value.String(), DecisionDiagrams, how)
	}
	give("STATES", space.States())
	give("MAX_TOKEN_IN_PLACE", big.NewInt(int64(space.LargestValue())))
	if v, err := space.LargestMarking(); err == nil {
		give("MAX_TOKEN_PER_MARKING", v)
	}
	give("TRANSITIONS", space.Firings())
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
	skip := make(map[*question]bool) // has a counterexample, or no automaton
	for slice := firstDiagramSlice; ctx.Err() == nil && len(skip) < len(open); slice *= 4 {
		for _, q := range open {
			if skip[q] || r.board.isAnswered(q) {
				skip[q] = true
				continue
			}
			part, cancel := context.WithTimeout(ctx, slice)
			property, err := r.propertyOf(part, q.ltl, shared.reduction)
			if err != nil {
				skip[q] = true
				cancel()
				continue
			}
			empty, err := s.NoRun(part, property, r.options.MemoryBytes/100*productShare)
			cancel()
			if err != nil {
				skip[q] = part.Err() == nil
				continue
			}
			skip[q] = true
			if empty {
				r.board.answerNow(q, "TRUE", reducedBy(DecisionDiagrams|Automata, shared.reduction), "no accepted run in the product of diagrams")
			}
		}
	}
}

// productShare is the part of the memory that the diagrams of a product may
// fill, in percent.
const productShare = 10

package checker

import (
	"context"

	"pnmc/checker/diagram"
)

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

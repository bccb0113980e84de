package atoms

import (
	"context"

	"pnmc/checker/diagram"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
)

// Diagrams decides all open atoms on the set of reachable markings. It works in two passes. The
// first one refutes the goals that no marking has, and bounds sums by their largest values: each takes
// one look at the set. The second one shows the others by runs, which takes much longer.
func Diagrams(ctx context.Context, r *core.Task) error {
	n := r.ReducedForAll(ctx)
	if n == nil {
		return context.Cause(ctx)
	}
	s, err := r.Diagram(ctx, n.Net)
	if err != nil {
		return err
	}
	defer r.KeepDiagram(s)
	for i, number := range n.Atoms {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if r.Ledger.IsOpen(number) {
			limitAtom(ctx, r, s, n, i)
		}
	}
	return showAtoms(ctx, r, s, n)
}

// limitAtom refutes a goal that no marking has, or bounds a sum by the largest value
// of all: quick, compared with a run that shows what is reachable.
func limitAtom(ctx context.Context, r *core.Task, s *diagram.Space, n *core.Reduced, i int) {
	number := n.Atoms[i]
	if n.Goals[i].Maximum != nil {
		if value, err := s.Maximum(ctx, n.Goals[i].Number()); err == nil && value.IsInt64() {
			r.Ledger.Limit(number, value.Int64(), n.By(inquiry.DecisionDiagrams))
		}
		return
	}
	reachable, err := s.Reachable(ctx, n.Goals[i].Predicate)
	if err != nil {
		r.Note("decision diagrams: %v", err)
	} else if !reachable {
		r.Ledger.Impossible(number, n.By(inquiry.DecisionDiagrams), inquiry.Witness{Ground: inquiry.DiagramMarkings})
	}
}

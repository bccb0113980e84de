package main

import (
	"context"
	"time"

	"pnmc/automata"
	"pnmc/checker"
)

// checkBoth checks a property whose automaton is one of two, of which one accepts all
// that the other does: a run of the smaller one violates the property in any case, and
// where there is none, the property holds if the larger one has none either.
func (s *session) checkBoth(ctx context.Context, start time.Time, a, other *automata.Automaton, name string) (report, error) {
	smaller, larger := a, other
	if acceptsChange(a) {
		smaller, larger = other, a
	}
	r, err := s.check(ctx, start, smaller, name)
	if err != nil || r.Verdict != checker.Holds.String() {
		return r, err
	}
	s.doubt = "the drawing doesn't tell whether there are acceptance sets, on which the verdict depends: --sets 0 or --sets 1 says"
	defer func() { s.doubt = "" }()
	return s.check(ctx, start, larger, name)
}

// acceptsChange reports whether a testing automaton, which has at least a state and an edge
// with a change, has acceptance set 0 on all edges with changes.
func acceptsChange(a *automata.Automaton) bool {
	for e := range automata.Edge(a.Edges()) {
		if a.Marks(e).Has(a.Acceptance.Sets - 1) {
			return a.Marks(e).Has(0)
		}
	}
	return false
}

// doubted is a result, unless it is a counterexample that may be none.
func (s *session) doubted(verdict checker.Verdict, c *checker.Counterexample, reason string) (checker.Verdict, *checker.Counterexample, string) {
	if s.doubt == "" || verdict != checker.Violated {
		return verdict, c, reason
	}
	return checker.Unknown, nil, s.doubt
}

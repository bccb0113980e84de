package questions

import (
	"pnmc/automata"
	"pnmc/checker/properties"
)

// A drawing may mean one of two automata, and one of these accepts all that the other does. A run
// of the smaller one violates the property in any case, and where there is none, the property
// holds if the larger one has none either. There is one case left, in which the answer is unknown:
// the larger one has a run, and the smaller one has none.
//
// For example, a drawing of a testing automaton whose edges show no acceptance set. It may have no
// set: then every run that changes for ever is accepted. Or it may have one set that no edge is in:
// then no such run is accepted.

// doubt is why a counterexample of the larger one may be none.
const doubt = "the drawing doesn't tell whether there are acceptance sets, on which the verdict depends: --sets 0 or --sets 1 says"

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

// doubted returns a result, unless it is a counterexample that may be none.
func doubted(doubt string, r properties.Result) properties.Result {
	if doubt != "" && r.Verdict == properties.Violated {
		r.Verdict, r.Counterexample, r.Reason = properties.Unknown, nil, doubt
	}
	return r
}

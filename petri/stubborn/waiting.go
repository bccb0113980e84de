package stubborn

import (
	"context"

	"pnmc/internal/account"
	"pnmc/petri"
)

// Waiting selects a stubborn set for an automaton that waits in one of its states: it stays there while
// markings satisfy a condition, and goes on from a marking where it may leave. Package checker/product
// has the whole; here is what is kept of runs.
//
// What is kept. Let a run lead from m in n steps to a marking where the state may be left, and let all
// markings before it satisfy the condition of staying. Then what is selected has such a run, too, of n
// steps to the same marking. It does not matter whether the run could have left earlier.
//
// Why. If the state may be left in m, all is fired. Otherwise T has all transitions that may bring
// leaving nearer (goal.go), so that the run has a first transition t of T: it is w t w'. By the rules of
// the package comment t w w' is a run to the same marking. What of T is fired changes no place that the
// condition of staying looks at. So after t the markings along w satisfy it as they do without t, and n-1
// steps are left. If something of T is seen by the condition, all is fired instead.
//
// For example, let the automaton wait for a token on d, and stay while there is one on a or b. Of two
// chains side by side, only the one that leads to d is fired; but all is fired where its next step
// moves a token between a and b, as this might end the waiting at the wrong time.
type Waiting struct {
	*Closure
	seen []bool // transitions that change what the condition of staying looks at; nil: it is always true
}

// NewWaiting returns a selection for a state that is left where the goal holds. The condition of staying
// looks at the observed places. Facts must hold of the net. An error is that of ctx.
func NewWaiting(ctx context.Context, net *petri.Net, facts petri.Facts, leave Goal, observed []petri.Place) (*Waiting, error) {
	goals, err := NewGoals(ctx, net, facts, []Goal{leave})
	if err != nil {
		return nil, err
	}
	w := &Waiting{Closure: goals}
	if len(observed) > 0 {
		w.seen = goals.search.graph.relations.seenAt(observed)
	}
	return w, account.Of(ctx).Charge(0)
}

// Select implements petri.Selection. If it selects nothing, the state can't be left any more.
func (w *Waiting) Select(m petri.Marking, enabled []petri.Transition) []petri.Transition {
	chosen := w.Closure.Select(m, enabled)
	if w.seen == nil || len(chosen) == len(enabled) {
		return chosen
	}
	for _, t := range chosen {
		if w.seen[t] {
			return enabled
		}
	}
	return chosen
}

package automata

import "context"

// AcceptingComponents returns for each component whether some cycle in it is accepted. It
// is linear where the marks of each component are uniform. Otherwise it may be
// exponential in the number of Fin of the condition. An error is that of the context, or
// says that this price is too high.
func AcceptingComponents(ctx context.Context, a *Automaton, c *Components) ([]bool, error) {
	search := newCycleSearch(ctx, a)
	accepting := make([]bool, c.Count())
	uniform := UniformMarks(a, c)
	for n := range accepting {
		edges := insideEdges(a, c, Component(n))
		switch {
		case len(edges) == 0:
		case uniform:
			marks := a.Marks(edges[0])
			accepting[n] = a.Acceptance.Condition.Accepts(marks, marks)
		default:
			accepting[n] = search.accepting(edges, a.Acceptance.Condition)
		}
	}
	if search.Err != nil {
		return nil, search.Err
	}
	return accepting, nil
}

// InherentlyWeak reports whether no component has both cycles that are accepted and
// cycles that are not. Price and error are those of AcceptingComponents.
func InherentlyWeak(ctx context.Context, a *Automaton, c *Components) (bool, error) {
	if UniformMarks(a, c) {
		return true, nil
	}
	accepting, err := AcceptingComponents(ctx, a, c)
	if err != nil {
		return false, err
	}
	search := newCycleSearch(ctx, a)
	negation := a.Acceptance.Condition.Negation()
	for n, accepted := range accepting {
		if accepted && search.accepting(insideEdges(a, c, Component(n)), negation) {
			return false, nil // found, so that nothing has ended the search
		}
	}
	return true, search.Err
}

package automata

import (
	"errors"
	"math"
)

// cycleWorkBound is how many edges, sets and literals AcceptingComponents and
// InherentlyWeak are ready to look at.
const cycleWorkBound = 1 << 26

var errCycleWork = errors.New("too many edges for this acceptance condition")

// AcceptingComponents tells of each component whether some cycle in it is
// accepted. Linear where the marks of each component are uniform; an error where
// the price, which may be exponential in the literals of the condition, is too
// high.
func AcceptingComponents(a *Automaton, c *Components) ([]bool, error) {
	search := newCycleSearch(a)
	accepting := make([]bool, c.Count())
	uniform := UniformMarks(a, c)
	if !uniform && cycleWork(a) > cycleWorkBound {
		return nil, errCycleWork
	}
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
	return accepting, nil
}

// InherentlyWeak tells whether no component has both cycles that are accepted and
// cycles that are not. Price and error are those of AcceptingComponents.
func InherentlyWeak(a *Automaton, c *Components) (bool, error) {
	if UniformMarks(a, c) {
		return true, nil
	}
	accepting, err := AcceptingComponents(a, c)
	if err != nil {
		return false, err
	}
	search := newCycleSearch(a)
	negation := a.Acceptance.Condition.negation()
	for n, accepted := range accepting {
		if accepted && search.accepting(insideEdges(a, c, Component(n)), negation) {
			return false, nil
		}
	}
	return true, nil
}

// cycleWork bounds what the search for accepted cycles, and for rejected ones,
// looks at: each literal is decided one way and the other at worst.
func cycleWork(a *Automaton) float64 {
	n := float64(a.Edges())*float64(a.markWords) + float64(a.States())
	literals := a.Acceptance.Condition.literals()
	if a.Acceptance.IsGeneralizedBuchi() {
		return (n + literals) * (literals + 1)
	}
	return (n + literals) * math.Pow(2, literals)
}

// literals is the number of Inf and Fin in c.
func (c *Condition) literals() float64 {
	if c.Operator == Inf || c.Operator == Fin {
		return 1
	}
	n := 0.0
	for _, o := range c.Operands {
		n += o.literals()
	}
	return n
}

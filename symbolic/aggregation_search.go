package symbolic

import (
	"context"
	"math/big"

	"pnmc/automata"
	"pnmc/logic"
)

// The search goes through the components of the automaton, from the initial states on, each once.
// For a component it takes three steps:
//
//	spread   aggregates what was entered, and what edges inside the component lead to from there,
//	         until nothing is new
//	hull     decides whether an accepted run stays in the component, if it is not rejecting
//	leave    enters other components along the edges that lead there
//
// No edge leads back to a component that is over, so that each is entered from everywhere before its
// turn comes. Let the automaton have a state 0 with a loop for ¬p and an edge for p to a state 1,
// which has an accepting loop for q. The component of 0 aggregates what runs reach while p fails.
// It is rejecting. The edge leads from the states with p to their successors, which enter 1. There
// the aggregate is what they reach while q holds, and hull looks for a cycle in it, or a deadlock.
//
// If no run is to be shown, it is enough to know that one exists. A terminal component accepts
// whatever follows: that an edge leads there, for some state of an aggregate, ends the search.

// A family has a set of states of the system for each state of the automaton; they
// are kept.
type family struct {
	// entered are states that are not aggregated yet, aggregates those that are.
	entered, aggregates []Node
}

// newFamily returns a family of empty sets.
func (g *aggregation) newFamily() *family {
	return &family{make([]Node, len(g.states)), make([]Node, len(g.states))}
}

// release undoes that the sets of f are kept, once each.
func (g *aggregation) release(f *family) {
	for q := range f.aggregates {
		g.forest.Release(f.entered[q])
		g.forest.Release(f.aggregates[q])
	}
}

// checkAggregation does what CheckEmptiness does, by self-loop aggregation.
func checkAggregation(ctx context.Context, s *StateSpace, a *automata.Automaton, propositions []*logic.Predicate, o ProductOptions) (*Emptiness, error) {
	p, err := systemProduct(s, a, propositions, o)
	if err != nil {
		return nil, err
	}
	defer p.forest.within(ctx)()
	defer s.Forest.within(ctx)()
	result := &Emptiness{States: new(big.Int)}
	var g *aggregation
	var all, found *family
	_, err = p.forest.guarded(nil, func() Node {
		p.observe(propositions)
		g = newAggregation(ctx, p, a)
		g.saturate, g.shortcut = !o.NoSaturation, !o.Witness
		all = g.newFamily()
		found = g.search(all)
		return Empty
	})
	if all != nil {
		result.Rounds = g.rounds
		for _, n := range all.aggregates {
			number, late := p.forest.CountWithin(ctx, n)
			if late != nil {
				break // a lower bound does
			}
			result.States.Add(result.States, number)
		}
	}
	if err == nil {
		result.Empty = found == nil
		if o.Witness && found != nil {
			result.Run, err = g.witness(ctx, all, found, propositions, o)
		}
	}
	result.PeakNodes, result.Memory = p.forest.PeakNodes(), p.forest.Memory()
	return result, err
}

// systemProduct returns a product whose forest has the system's variables only.
func systemProduct(s *StateSpace, a *automata.Automaton, propositions []*logic.Predicate, o ProductOptions) (*product, error) {
	p, err := emptyProduct(s, a, propositions, o)
	if err != nil {
		return nil, err
	}
	p.state = stateVariable{first: s.Forest.height}
	p.forest = NewForest(s.Forest.height, o.Memory)
	if p.forest.Memory() > p.forest.budget {
		return nil, p.forest.overBudget()
	}
	p.forest.eager = o.eager
	p.forest.limitedBy(s.Forest.account.Budget())
	p.pieces = p.forest.NewRelation()
	return p, nil
}

// search visits the components of the automaton, each when no other can lead there any
// more, and puts into all what it finds. It returns states from which an accepted cycle
// is reached backwards, or nil if there are none. With shortcut, the result only shows
// that there are some.
func (g *aggregation) search(all *family) *family {
	for _, q := range g.automaton.Initial() {
		n := Unit
		for i, value := range g.initial {
			n = g.forest.single(i+1, value, n)
		}
		g.unite(&all.entered[q], n)
	}
	for i := g.components.Count() - 1; i >= 0; i-- { // no edge leads to a higher number
		n := automata.Component(i)
		if !g.entered(n, all) {
			continue
		}
		if g.shortcut && g.strengths[n] == automata.Terminal {
			return all
		}
		g.spread(n, all)
		if g.strengths[n] != automata.Rejecting {
			if found := g.hull(n, all); found != nil {
				return found
			}
		}
		if g.leave(n, all) {
			return all
		}
	}
	return nil
}

// entered reports whether there are states to aggregate in the component.
func (g *aggregation) entered(n automata.Component, v *family) bool {
	for _, q := range g.components.States(n) {
		if v.entered[q] != Empty {
			return true
		}
	}
	return false
}

// spread aggregates all that can be reached in the component from what is entered.
func (g *aggregation) spread(n automata.Component, v *family) {
	f := g.forest
	for g.entered(n, v) {
		for _, q := range g.components.States(n) {
			if v.entered[q] == Empty {
				continue
			}
			fresh := f.Keep(f.combine(operationDifference, v.entered[q], v.aggregates[q]))
			g.keep(&v.entered[q], Empty)
			if fresh != Empty {
				g.keep(&fresh, g.aggregated(g.states[q].stay, fresh))
				g.keep(&fresh, f.combine(operationDifference, fresh, v.aggregates[q]))
				g.unite(&v.aggregates[q], fresh)
				for _, x := range g.states[q].exits {
					if g.components.Of(x.to) == n {
						g.unite(&v.entered[x.to], g.after(fresh, x.label))
					}
				}
			}
			f.Release(fresh)
		}
	}
}

// leave enters other components from this one. It reports whether that is enough to
// know that some run is accepted.
func (g *aggregation) leave(n automata.Component, v *family) bool {
	for _, terminal := range []bool{true, false} { // in these a step is enough
		for _, q := range g.components.States(n) {
			for _, x := range g.states[q].exits {
				to := g.components.Of(x.to)
				if to == n || terminal != (g.strengths[to] == automata.Terminal) {
					continue
				}
				if terminal && g.shortcut {
					if g.restrict(v.aggregates[q], x.label) != Empty {
						return true
					}
					continue
				}
				g.unite(&v.entered[x.to], g.after(v.aggregates[q], x.label))
			}
		}
	}
	return false
}

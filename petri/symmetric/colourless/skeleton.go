package colourless

import (
	"fmt"

	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// Skeleton returns a coloured net with its colours stripped: the same places and
// transitions, guards gone, and arcs that move as many tokens as the multiset
// has. That number is the same for all bindings, since expressions are linear.
//
// Inhibitor arcs remain what they are, since they look at all colours together.
//
// It over-approximates: where a binding of a transition fires in a coloured marking,
// the transition fires in the skeleton, and the token counts of places are the sums
// over colours before and after. If no reachable marking of the skeleton satisfies a
// predicate over such counts, none of the coloured net does. The reverse need not hold.
// It takes time linear in the coloured net.
//
// The error reports an arc or marking with a negative number of tokens or more than
// 2^63-1.
func Skeleton(n *symmetric.Net) (*petri.Net, error) {
	b := &petri.Builder{ID: n.ID, Name: n.Name}
	for i := range n.Places {
		p := &n.Places[i]
		tokens, ok := p.Initial.Cardinality(p.Domain)
		if !ok {
			return nil, fmt.Errorf("the initial marking of %q has a negative number of tokens or more than 2^63-1", p.ID)
		}
		if _, err := b.AddPlace(p.ID, p.Name, tokens); err != nil {
			return nil, err
		}
	}
	for i := range n.Transitions {
		t := &n.Transitions[i]
		number, err := b.AddTransition(t.ID, t.Name)
		if err != nil {
			return nil, err
		}
		weights := func(arcs []symmetric.Arc, add func(petri.Place, int64) error) error {
			for _, a := range arcs {
				p := &n.Places[a.Place]
				weight, ok := a.Expression.Cardinality(p.Domain)
				if !ok {
					return fmt.Errorf("the arc between %q and %q moves a negative number of tokens or more than 2^63-1", p.ID, t.ID)
				}
				if weight == 0 {
					continue
				}
				if err := add(petri.Place(a.Place), weight); err != nil {
					return err
				}
			}
			return nil
		}
		if err := weights(t.Pre, func(p petri.Place, w int64) error { return b.AddInput(p, number, w) }); err != nil {
			return nil, err
		}
		if err := weights(t.Post, func(p petri.Place, w int64) error { return b.AddOutput(number, p, w) }); err != nil {
			return nil, err
		}
		for _, a := range t.Inhibitors {
			if err := b.AddInhibitor(petri.Place(a.Place), number, a.Weight); err != nil {
				return nil, err
			}
		}
	}
	return b.Build()
}

// Exact reports for each transition of n whether it can fire in a coloured marking
// wherever the skeleton fires it. For the others only the reverse is sure: where they
// fire in a coloured marking, they fire in the skeleton.
//
// So it is if there is no guard and any tokens will do. That is, each input place with several
// colours gives one token, whose colours are variables that no other token binds. Whichever
// tokens there are then make a binding. (A term that steps on from a variable is as good as
// the variable: stepping back is a bijection.) Inhibitor arcs are the skeleton's, too.
func Exact(n *symmetric.Net) []bool {
	exact := make([]bool, len(n.Transitions))
	for i := range n.Transitions {
		exact[i] = takesAnyTokens(n, &n.Transitions[i])
	}
	return exact
}

// takesAnyTokens reports what Exact does, for one transition.
func takesAnyTokens(n *symmetric.Net, t *symmetric.Transition) bool {
	if t.Guard != nil && len(t.Guard.Conjuncts()) > 0 {
		return false
	}
	for _, a := range t.Post {
		if a.Expression.Subtracts() {
			return false // what comes may be less than nothing
		}
	}
	bound, visited := make([]bool, len(t.Variables)), make(map[int]bool)
	for _, a := range t.Pre {
		domain := n.Places[a.Place].Domain
		if a.Expression.Subtracts() {
			return false
		}
		if domain.Size() == 1 || len(a.Expression) == 0 {
			continue
		}
		if visited[a.Place] || len(a.Expression) > 1 || a.Expression[0].Coefficient != 1 {
			return false
		}
		visited[a.Place] = true
		for k, term := range a.Expression[0].Terms {
			if domain[k].Size == 1 {
				continue
			}
			if term.Kind != symmetric.Variable || bound[term.Variable] {
				return false
			}
			bound[term.Variable] = true
		}
	}
	return true
}

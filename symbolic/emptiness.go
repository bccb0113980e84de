package symbolic

import (
	"context"
	"math/big"

	"pnmc/automata"
	"pnmc/logic"
)

// ProductOptions say how to check a product.
type ProductOptions struct {
	// Memory is the budget of the product's diagrams in bytes; 0 stands for
	// DefaultMemory.
	Memory int64
	// NoSaturation computes fixpoints by chaining, for comparison.
	NoSaturation bool
	// Witness asks for an accepted run.
	Witness bool
}

// Emptiness is what a check of a product found.
type Emptiness struct {
	// Empty: no run of the system is accepted by the automaton.
	Empty bool
	// States is the number of reachable states of the product, Rounds that of
	// the one-step images it took, PeakNodes that of the diagram's nodes.
	States    *big.Int
	Rounds    int
	PeakNodes int
	// Run is an accepted run, if one was asked for and there is one.
	Run *Run
}

// CheckEmptiness decides whether some run of s, whose reachable states are known,
// is accepted by a: a TGBA, or a TGTA as automata.NewTGTA makes them. A run that
// ends in a state without successors repeats it for ever. Propositions give each
// proposition of a its meaning over the variables and events of s.
//
// The check is the forward variant of "one way catch them young" of Fig. 2 of
// the paper of 2014: states are dropped that no cycle of the set reaches, then
// those that no accepting edge of the set reaches, until nothing changes. What is
// left is reachable from accepting cycles.
func CheckEmptiness(ctx context.Context, s *StateSpace, a *automata.Automaton, propositions []*logic.Predicate, o ProductOptions) (*Emptiness, error) {
	p, err := newProduct(ctx, s, a, propositions, o.Memory)
	if err != nil {
		return nil, err
	}
	f := p.forest
	result := &Emptiness{States: new(big.Int)}
	reach := func(n Node) (Node, error) {
		if o.NoSaturation {
			return p.reach.chain(ctx, n)
		}
		return p.reach.Saturate(ctx, n)
	}
	defer f.within(ctx)()
	current := Empty
	set := func(n Node) {
		f.Keep(n)
		f.Release(current)
		current = n
	}
	n, err := reach(p.start)
	if err != nil {
		return nil, err
	}
	set(n)
	result.States = f.Count(n)
	reached := f.Keep(n)
	for current != Empty {
		before := f.Keep(current)
		for {
			if n, err = p.step.Image(current); err != nil {
				return nil, err
			}
			result.Rounds++
			if n == current {
				break
			}
			set(n)
		}
		for _, r := range p.accepting {
			if n, err = r.Image(current); err != nil {
				return nil, err
			}
			if n, err = reach(n); err != nil {
				return nil, err
			}
			set(n)
		}
		f.Release(before)
		if current == before {
			break
		}
	}
	result.Empty = current == Empty
	if o.Witness && !result.Empty {
		result.Run, err = p.witness(reached, current)
	}
	result.PeakNodes = f.PeakNodes()
	return result, err
}

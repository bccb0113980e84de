package invariant

import (
	"context"
	"fmt"

	"pnmc/petri"
)

// Firings is how often a transition fires.
type Firings struct {
	Transition petri.Transition
	Times      int64
}

// TransitionSemiflows returns multisets of transitions of minimal support. Fired in any order in
// which that is possible, such a multiset leads back to the marking where it starts. They are the
// place semiflows of the net with places and transitions exchanged. It stops as Semiflows does. For
// a net with reset arcs it returns none.
func TransitionSemiflows(ctx context.Context, net *petri.Net, work int) ([][]Firings, error) {
	if net.HasResets() {
		return nil, nil
	}
	var b petri.Builder
	for t := range net.Transitions() {
		if _, err := b.AddPlace(fmt.Sprint(t), "", 0); err != nil {
			return nil, err
		}
	}
	for p := range net.Places() {
		if _, err := b.AddTransition(fmt.Sprint("p", p), ""); err != nil {
			return nil, err
		}
	}
	for t := range petri.Transition(net.Transitions()) {
		for _, d := range net.Effect(t) {
			var err error
			if d.Weight < 0 {
				err = b.AddInput(petri.Place(t), petri.Transition(d.Place), -d.Weight)
			} else if d.Weight > 0 {
				err = b.AddOutput(petri.Transition(d.Place), petri.Place(t), d.Weight)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	exchanged, err := b.Build()
	if err != nil {
		return nil, err
	}
	var list [][]Firings
	for _, f := range Semiflows(ctx, exchanged, work) {
		var cycle []Firings
		for _, a := range f.Terms {
			cycle = append(cycle, Firings{petri.Transition(a.Place), a.Weight})
		}
		list = append(list, cycle)
	}
	return list, nil
}

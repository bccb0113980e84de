package coloured

import (
	"context"
	"fmt"
	"math/rand/v2"

	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/symmetric"
	"pnmc/petri/symmetric/replay"
)

// bindingLimit bounds the search for an enabled binding, in steps.
const bindingLimit = 1 << 16

// Start returns a net with the initial marking of the skeleton, in which those
// transitions are enabled that are in the coloured net. Questions are simplified, and
// some decided, by it; it is of no other use. What test says of a transition must be
// so by the definitions, too, as in the replays of runs.
func Start(ctx context.Context, net *symmetric.Net, skeleton *petri.Net, test BindingTest) (*petri.Net, error) {
	w, err := net.Walk(ctx, rand.New(rand.NewPCG(1, 1)), 16*bindingLimit)
	if err != nil {
		return nil, err
	}
	again, err := replay.Start(ctx, net)
	if err != nil {
		return nil, err
	}
	var b petri.Builder
	for p := range petri.Place(skeleton.Places()) {
		if _, err := b.AddPlace(skeleton.PlaceLabel(p).ID, "", skeleton.InitialTokens(p)); err != nil {
			return nil, err
		}
	}
	never, err := b.AddPlace(" never marked", "", 0)
	if err != nil {
		return nil, err
	}
	for t := range petri.Transition(skeleton.Transitions()) {
		number, err := b.AddTransition(skeleton.TransitionLabel(t).ID, "")
		if err != nil {
			return nil, err
		}
		enabled, certain := test(w, int(t))
		really, known := again.Enabled(int(t), confirmLimit)
		switch {
		case !certain || !known:
			return nil, symmetric.ErrSearchLimit
		case enabled != really:
			return nil, fmt.Errorf("whether %q is enabled at first is not confirmed", skeleton.TransitionLabel(t).ID)
		}
		if !enabled {
			if err := b.AddInput(never, number, 1); err != nil {
				return nil, err
			}
		}
	}
	return b.Build()
}

// confirmLimit is how far it is looked for an enabled binding in a replay.
const confirmLimit = 16 * bindingLimit

// holdsIn evaluates p in the marking of a run, by the definitions and apart from the
// engines; each look for an enabled binding may take limit steps. The error says that
// this was not enough.
func holdsIn(run *replay.Run, transitions int, p *logic.Predicate, limit int) (bool, error) {
	var err error
	holds := p.Holds(run.Sums(), transitions, func(t uint32) bool {
		enabled, certain := run.Enabled(int(t), limit)
		if !certain {
			err = symmetric.ErrSearchLimit
		}
		return enabled
	})
	return holds, err
}

package told

import (
	"context"
	"unsafe"

	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// tellStep returns a transition by identifier and, if that is another, name.
func tellStep(net *petri.Net, t petri.Transition) Step {
	label := net.TransitionLabel(t)
	step := Step{Transition: label.ID}
	if label.Name != label.ID {
		step.Name = label.Name
	}
	return step
}

// Bursts returns the steps of a run in which transitions fire several times in a row.
//
// Firings of the same transition in a row are one step, also where the engine has told them
// apart: t, t, t 3 times, u becomes t 5 times, u.
func Bursts(net *petri.Net, run []witness.Burst) []Step {
	steps := make([]Step, 0, len(run))
	for _, b := range run {
		step := tellStep(net, b.Transition)
		if n := len(steps); n > 0 && steps[n-1].Transition == step.Transition {
			steps[n-1].Times = max(steps[n-1].Times, 1) + b.Times
			continue
		}
		if b.Times > 1 {
			step.Times = b.Times
		}
		steps = append(steps, step)
	}
	return steps
}

// Transitions returns the steps of a run of single firings.
func Transitions(net *petri.Net, run []petri.Transition) []Step {
	steps := make([]Step, 0, len(run))
	for _, t := range run {
		step := tellStep(net, t)
		if n := len(steps); n > 0 && steps[n-1].Transition == step.Transition {
			steps[n-1].Times = max(steps[n-1].Times, 1) + 1
			continue
		}
		steps = append(steps, step)
	}
	return steps
}

// Firings names bindings of a coloured net as its unfolding would. The run must stay as it is.
func Firings(net *symmetric.Net, run []symmetric.Firing) []Step {
	steps := make([]Step, len(run))
	for i := range run {
		t := &net.Transitions[run[i].Transition]
		steps[i] = Step{Transition: t.ID, of: t, firing: &run[i]}
	}
	return steps
}

// stepBytes is what a step takes, without names.
const stepBytes = int(unsafe.Sizeof(Step{}))

// roomForSteps asks for the room that so many steps take. An error says why a run is not shown. A
// run that takes little is shown in any case.
func roomForSteps(ctx context.Context, steps int) error {
	if steps*stepBytes <= freeSteps {
		return nil
	}
	a := account.Of(ctx)
	a.Tell(a.Context())
	return a.Reserve(steps * stepBytes)
}

// freeSteps is what the steps of a run may take without a look at the limits.
const freeSteps = 1 << 20

// RunOf returns a counterexample in terms of the document, whose transitions label names. An error
// says why the limits, which ctx carries, have no room for it.
func RunOf(ctx context.Context, label func(petri.Transition) petri.Label, c *witness.Counterexample) (*Run, error) {
	if err := roomForSteps(ctx, len(c.Prefix)+len(c.Cycle)); err != nil {
		return nil, err
	}
	steps := func(from []witness.Step) []Step {
		to := make([]Step, len(from))
		for i, s := range from {
			if s.Stutter {
				to[i].Deadlock = true
				continue
			}
			named := label(s.Transition)
			to[i].Transition = named.ID
			if named.Name != named.ID {
				to[i].Name = named.Name
			}
		}
		return to
	}
	return &Run{Prefix: steps(c.Prefix), Cycle: steps(c.Cycle)}, nil
}

package told

import (
	"pnmc/checker/witness"
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
	bursts := make([]witness.Burst, len(run))
	for i, t := range run {
		bursts[i] = witness.Burst{Transition: t, Times: 1}
	}
	return Bursts(net, bursts)
}

// Firings names bindings of a coloured net as its unfolding would.
func Firings(net *symmetric.Net, run []symmetric.Firing) []Step {
	steps := make([]Step, len(run))
	for i, f := range run {
		t := &net.Transitions[f.Transition]
		steps[i].Transition = t.ID
		if len(t.Variables) == 0 {
			continue
		}
		steps[i].Binding = make(map[string]string, len(t.Variables))
		for k, v := range t.Variables {
			steps[i].Binding[v.Name] = v.Class.Colour(f.Binding[k])
		}
		steps[i].Name = t.ID + "[" + t.Binding(f.Binding) + "]"
	}
	return steps
}

// RunOf returns a counterexample in terms of the document, whose transitions label names.
func RunOf(label func(petri.Transition) petri.Label, c *witness.Counterexample) *Run {
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
	return &Run{Prefix: steps(c.Prefix), Cycle: steps(c.Cycle)}
}

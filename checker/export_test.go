package checker

import (
	"context"
	"slices"

	"pnmc/checker/inquiry"
	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// PhasesFor are the names of the phases by which a question is decided.
func PhasesFor(q Question) (names []string) {
	for _, p := range planOf(familiesOf([]Question{q})[0]) {
		names = append(names, p.name)
	}
	return names
}

// Only has a solver run one phase of each plan.
func (s *Solver) Only(name string) {
	s.plan = func(f inquiry.Family) []phase {
		return slices.DeleteFunc(slices.Clone(planOf(f)), func(p phase) bool { return p.name != name })
	}
}

// A ColouredLane is one of those in which a coloured net is examined that is not unfolded.
type ColouredLane uint8

const (
	ColouredAll ColouredLane = iota
	ColouredProofs
	ColouredTemporal
	ColouredWalk
	ColouredRuns
)

// BindingTest is what tells engines which bindings are enabled.
type BindingTest = bindingTest

// DecideUncoloured answers what needs no unfolding, by one lane. A test that is not nil
// takes the place of the engines' own.
func (s *Solver) DecideUncoloured(ctx context.Context, questions []Question, lane ColouredLane, test BindingTest, found func(Answer)) error {
	a := newAnswers(len(questions), found)
	for _, p := range partsOf(questions, a) {
		r := s.newTask(ctx, clock{}, p, a)
		if deadline, ok := ctx.Deadline(); ok {
			r.clock = newClock(deadline)
		}
		c, err := s.coloured.newColoured(ctx, r, p, questions)
		if ctx.Err() != nil {
			return nil // nothing was answered in time
		}
		if err != nil {
			return err
		}
		if test != nil {
			c.test = test
		}
		switch lane {
		case ColouredAll:
			c.follow(ctx, func() {})
		case ColouredProofs:
			c.prove(ctx)
		case ColouredTemporal:
			c.proveTemporal(ctx)
		case ColouredWalk:
			c.walk(ctx)
		default:
			c.tryRuns(ctx)
		}
	}
	return nil
}

// ColouredStart is the net by which questions about a coloured net are simplified.
var ColouredStart = func(net *symmetric.Net, test BindingTest) (enabled []bool, err error) {
	skeleton, err := net.Skeleton()
	if err != nil {
		return nil, err
	}
	start, err := colouredStart(context.Background(), net, skeleton, test)
	if err != nil {
		return nil, err
	}
	for t := range net.Transitions {
		enabled = append(enabled, start.Enabled(start.Initial(), petri.Transition(t)))
	}
	return enabled, nil
}

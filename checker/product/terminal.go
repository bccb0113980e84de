package product

import (
	"context"
	"slices"

	"pnmc/automata"
	"pnmc/checker/product/internal/states"
	"pnmc/checker/witness"
	"pnmc/petri"
)

// terminalLasso goes to a terminal state of the automaton, and on from there for
// ever: every run that stays in terminal states is accepted. It follows one until
// it repeats itself. The walk has the time of telling, the rest that of ctx.
func (x *componentsOnTheFly) terminalLasso(ctx, telling context.Context) (*witness.Counterexample, error) {
	prefix, at, err := x.prefixTo(ctx, func(p states.Pair) bool { return x.strength[p.Q] == automata.Terminal })
	if err != nil {
		return nil, err
	}
	c := x.tell(at, prefix, nil)
	w := walker{componentsOnTheFly: x, marking: make(petri.Marking, x.kripke.Net().Places()), state: automata.State(at.Q)}
	x.kripke.Marking(at.S, w.marking)
	x.account.Tell(telling)
	before, cycle, err := w.repetition(c)
	if err != nil {
		return nil, err
	}
	c.Prefix, c.Cycle = append(c.Prefix, before...), cycle
	return c, nil
}

// walker follows a run in terminal states, always by the first transition that is
// enabled and the first edge that matches: where it is determines where it goes.
// It fires on the net itself, since in an unbounded net the state graph ends.
type walker struct {
	*componentsOnTheFly
	marking petri.Marking
	state   automata.State
}

func (w *walker) clone() *walker {
	return &walker{w.componentsOnTheFly, slices.Clone(w.marking), w.state}
}

// repetition walks on until marking and state are those of an earlier step, or in
// an unbounded net more than those and the run replays: the steps before, and the
// cycle. The step that later ones are compared with is put off to ever later ones
// (Brent, "An improved Monte Carlo factorization algorithm", 1980).
func (w *walker) repetition(prefix *witness.Counterexample) (before, cycle []witness.Step, err error) {
	start := w.clone()
	anchor, anchorAt, steps, next := w.clone(), 0, []witness.Step(nil), 1
	replayed := 0 // the steps of the run that was replayed last, in vain
	for len(steps) < states.MaxWalk {
		if err := w.account.Charge(walkWork + 2*w.kripke.Net().Transitions() + 8*len(w.marking)); err != nil {
			return nil, nil, err
		}
		s, ok := w.advance()
		if !ok {
			break
		}
		steps = append(steps, s)
		if w.state == anchor.state && w.kripke.Net().Repeats(anchor.marking, w.marking) {
			if slices.Equal(w.marking, anchor.marking) {
				length := len(steps) - anchorAt
				first, err := start.meeting(length)
				if err != nil {
					return nil, nil, err
				}
				return steps[:first], steps[first : first+length], nil
			}
			if len(steps) >= 2*replayed { // else replays would take the square of the steps
				replayed = len(steps)
				if err := w.account.Charge(walkWork * replayed); err != nil {
					return nil, nil, err
				}
				run := &witness.Counterexample{
					Start: prefix.Start, Prefix: slices.Concat(prefix.Prefix, steps[:anchorAt]), Cycle: steps[anchorAt:],
				}
				if witness.Replay(w.kripke.Net(), w.automaton, w.predicates, run) == nil {
					return steps[:anchorAt], steps[anchorAt:], nil
				}
			}
		}
		if len(steps) == next {
			anchor, anchorAt, next = w.clone(), len(steps), 2*next
		}
	}
	return nil, nil, states.ErrEndless
}

// meeting is the number of steps after which the walk is on its cycle, whose
// length is known. An error is the account's.
func (w *walker) meeting(length int) (int, error) {
	ahead := w.clone()
	work := walkWork + 2*w.kripke.Net().Transitions() + 8*len(w.marking)
	for range length {
		if err := w.account.Charge(work); err != nil {
			return 0, err
		}
		ahead.advance()
	}
	steps := 0
	for ; w.state != ahead.state || !slices.Equal(w.marking, ahead.marking); steps++ {
		if err := w.account.Charge(2 * work); err != nil {
			return 0, err
		}
		w.advance()
		ahead.advance()
	}
	return steps, nil
}

// walkWork is what a step of a walk costs beside looking at the net, in nanoseconds.
const walkWork = 512

// advance takes the first step to a terminal state, if there is one.
func (w *walker) advance() (witness.Step, bool) {
	net := w.kripke.Net()
	label := witness.Valuation(net, w.marking, w.predicates)
	first, end := w.automaton.Out(w.state)
	for e := first; e < end; e++ {
		to := w.automaton.Destination(e)
		if w.strength[to] != automata.Terminal || !w.automaton.Matches(e, label) {
			continue
		}
		w.state = to
		for t := range petri.Transition(net.Transitions()) {
			if net.Enabled(w.marking, t) {
				return witness.Step{Edge: e, Transition: t}, net.Fire(w.marking, t)
			}
		}
		return witness.Step{Edge: e, Stutter: true}, true
	}
	return witness.Step{}, false
}

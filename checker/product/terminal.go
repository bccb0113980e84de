package product

import (
	"context"
	"slices"
	"unsafe"

	"pnmc/automata"
	"pnmc/checker/product/internal/states"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/petri"
)

// terminalLasso returns a run that comes to a terminal state of the automaton. Whatever the net does
// from there is accepted, so that the search stopped at once. But a counterexample needs a cycle.
// So the net goes on, always by the first transition that is enabled, until the run repeats itself.
// The walk has the time of telling, the search for the prefix that of ctx.
//
// In a bounded net some marking comes again, as there are finitely many. In an unbounded one it may
// not. There a marking that has all tokens of an earlier one and more is enough, if the firings
// between can be repeated and predicates see no difference, which replaying the run shows.
func (x *componentsOnTheFly) terminalLasso(ctx, telling context.Context) (*witness.Counterexample, error) {
	prefix, at, err := x.prefixTo(ctx, func(p states.Pair) bool { return x.strength[p.Q] == automata.Terminal })
	if err != nil {
		return nil, err
	}
	marking := make(petri.Marking, x.kripke.Net().Places())
	x.kripke.Marking(at.S, marking)
	run := x.roads().tell(at, prefix, nil)
	if x.kripke.Folded() { // the run leads to an image of the marking
		marking = x.kripke.Net().Initial()
		for _, s := range run.Prefix {
			if !s.Stutter {
				x.kripke.Net().Fire(marking, s.Transition)
			}
		}
	}
	return x.goOn(telling, run, marking, at.Q)
}

// goOn makes a whole run of a prefix c that ends in a marking and a terminal state.
func (x *componentsOnTheFly) goOn(telling context.Context, c *witness.Counterexample, marking petri.Marking, q uint32) (*witness.Counterexample, error) {
	net := x.kripke.Net()
	w := walker{
		componentsOnTheFly: x, marking: marking, state: automata.State(q),
		work: walkWork + 2*net.Transitions() + 8*net.Places() + witness.EvaluationWork(net, x.predicates...),
	}
	x.account.Tell(telling)
	before, cycle, err := w.repetition(c)
	if err != nil {
		return nil, err
	}
	c.Prefix, c.Cycle = append(c.Prefix, before...), cycle
	return c, nil
}

// walker follows a run in terminal states, always by the first transition that is enabled and the
// first edge that matches. So where it is determines where it goes, and once it comes back it stays
// on a cycle. It fires on the net itself, since the state graph of an unbounded net ends at some
// count.
type walker struct {
	*componentsOnTheFly
	marking petri.Marking
	state   automata.State
	work    int // of a step
}

// clone returns a walker that is at the same point, and goes on by itself.
func (w *walker) clone() *walker {
	return &walker{w.componentsOnTheFly, slices.Clone(w.marking), w.state, w.work}
}

// repetition walks on until it repeats itself, and returns the steps before the cycle, and the
// cycle. Only two markings are kept: the present one, and an anchor that later ones are compared
// with (Brent, "An improved Monte Carlo factorization algorithm", 1980). After 1, 2, 4, 8, ...
// steps the anchor moves to the present marking. Let the walk have 5 steps before a cycle of 3. The
// anchors are after steps 1, 2, 4 and 8. The last lies on the cycle, and after step 11 the walk is
// there again: the cycle has 3 steps. Of two new walks, one starts 3 steps ahead. They meet after 5
// steps: there the cycle begins.
//
// In an unbounded net it also ends where the cycle can be repeated with more tokens each time, and the
// run replays.
func (w *walker) repetition(prefix *witness.Counterexample) (before, cycle []witness.Step, err error) {
	start := w.clone()
	anchor, anchorAt, steps, next := w.clone(), 0, []witness.Step(nil), 1
	replayed := 0 // the steps of the run that was replayed last, in vain
	for len(steps) < states.MaxWalk {
		if err := w.account.Charge(w.work); err != nil {
			return nil, nil, err
		}
		s, ok := w.advance()
		if !ok {
			break
		}
		if err := account.Room(w.account, steps, 1); err != nil {
			return nil, nil, err
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
				if err := w.account.Reserve(stepBytes * (len(prefix.Prefix) + anchorAt)); err != nil {
					return nil, nil, err
				}
				run := &witness.Counterexample{
					Start: prefix.Start, Prefix: slices.Concat(prefix.Prefix, steps[:anchorAt]), Cycle: steps[anchorAt:],
				}
				if witness.ReplayWithin(w.account, w.kripke.Net(), w.automaton, w.predicates, run) == nil {
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

// meeting returns the number of steps after which the walk is on its cycle, whose length is given. An
// error is the account's.
func (w *walker) meeting(length int) (int, error) {
	ahead := w.clone()
	for range length {
		if err := w.account.Charge(w.work); err != nil {
			return 0, err
		}
		ahead.advance()
	}
	steps := 0
	for ; w.state != ahead.state || !slices.Equal(w.marking, ahead.marking); steps++ {
		if err := w.account.Charge(2 * w.work); err != nil {
			return 0, err
		}
		w.advance()
		ahead.advance()
	}
	return steps, nil
}

// stepBytes is what a step of a run takes.
const stepBytes = int(unsafe.Sizeof(witness.Step{}))

// walkWork is about the time of a step of a walk beside looking at the net, in nanoseconds.
const walkWork = 512

// advance takes the first step to a terminal state. It reports false if there is none. In a
// deadlock the step is a stutter.
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

package checker

import (
	"context"
	"errors"

	"pnmc/automata"
	"pnmc/petri"
)

// errEndless tells that no way was found to show a run that goes on for ever in
// an unbounded net.
var errEndless = errors.New("a run is accepted that never comes back to a marking, and none was found that does")

// maxCycleSearch bounds the states that the search for a short cycle in a
// terminal component visits.
const maxCycleSearch = 20_000

// maxWalk bounds the steps of the walk that looks for a cycle in a terminal
// component where the search found none.
const maxWalk = 1 << 22

// terminalLasso goes to a terminal state of the automaton, and on from there for
// ever: every run that stays in terminal states is accepted. If no short way
// leads back to where it starts, it follows one run until it repeats itself.
func (x *emptiness) terminalLasso(ctx context.Context) (*Counterexample, error) {
	terminal := func(p pair) bool { return x.strength[p.q] == automata.Terminal }
	prefix, at, err := x.prefixTo(ctx, terminal)
	if err != nil {
		return nil, err
	}
	seen := map[pair]bool{}
	firstTime := func(p pair) bool {
		first := !seen[p]
		seen[p] = true
		return first
	}
	ok, cycle, err := x.breadthFirst(ctx, []pair{at}, terminal, firstTime, maxCycleSearch, func(a arc) bool { return a.to == at })
	if err != nil {
		return nil, err
	}
	if ok {
		return x.tell(at, prefix, cycle), nil
	}
	c := x.tell(at, prefix, nil)
	return c, x.walkOn(ctx, at, c)
}

// walkOn fires the first enabled transition on and on, and lets the automaton
// take the first edge to a terminal state, until marking and state are those of an earlier step, or
// in an unbounded net cover them. As the walk is determined by where it is, the
// distance to a step that is put off to later and later ones finds the cycle
// (Brent, "An improved Monte Carlo factorization algorithm", 1980).
func (x *emptiness) walkOn(ctx context.Context, at pair, c *Counterexample) error {
	net := x.kripke.Net()
	m := make(petri.Marking, net.Places())
	x.kripke.Marking(at.s, m)
	r := replay{net: net, automaton: x.automaton, predicates: x.predicates, marking: m, state: automata.State(at.q)}
	anchor, anchorState, steps := append(petri.Marking(nil), m...), r.state, []Step(nil)
	start, next := 0, 1
	for len(steps) < maxWalk {
		if len(steps)&pollMask == pollMask {
			if err := x.poll(ctx); err != nil {
				return err
			}
		}
		s, ok := r.advance(x.strength)
		if !ok {
			return errEndless
		}
		steps = append(steps, s)
		if r.state == anchorState && covers(r.marking, anchor) {
			if covered := !covers(anchor, r.marking); covered && !acceptsAll(x.automaton, r.state) {
				return errEndless
			}
			c.Prefix = append(c.Prefix, steps[:start]...)
			c.Cycle = steps[start:]
			return nil
		}
		if len(steps) == next {
			copy(anchor, r.marking)
			anchorState, start, next = r.state, len(steps), 2*next
		}
	}
	return errEndless
}

// advance takes the first step to a terminal state.
func (r *replay) advance(strength []automata.Strength) (Step, bool) {
	label := r.label()
	first, end := r.automaton.Out(r.state)
	for e := first; e < end; e++ {
		if strength[r.automaton.Destination(e)] != automata.Terminal || !r.automaton.Matches(e, label) {
			continue
		}
		s := Step{Edge: e, Stutter: true}
		for t := range petri.Transition(r.net.Transitions()) {
			if r.net.Enabled(r.marking, t) {
				s.Transition, s.Stutter = t, false
				break
			}
		}
		return s, r.step(s) == nil
	}
	return Step{}, false
}

// covers tells whether m has at least the tokens of n everywhere.
func covers(m, n petri.Marking) bool {
	for p := range m {
		if m[p] < n[p] {
			return false
		}
	}
	return true
}

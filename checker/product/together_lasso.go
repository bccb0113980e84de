package product

import (
	"cmp"
	"context"
	"errors"
	"math"

	"pnmc/automata"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/product/internal/states"
	"pnmc/checker/witness"
	"pnmc/petri"
	"pnmc/petri/multicore"
)

// counterexample turns what several threads have found into a run: a short one, if there is one near
// the initial states, or else one through the component that was found, as lasso.go has it. One
// thread looks for it, the others only meet. Far is false but in tests.
func (t *together) counterexample(ctx context.Context, far bool) (c *witness.Counterexample, err error) {
	if !far {
		c, err = t.alone.nearest(ctx)
		if c != nil || err != nil && (!isLimit(ctx, err) || t.alone.kripke.Lost()) {
			return c, err
		}
	}
	telling, cancel := tellingTime(ctx)
	defer cancel()
	var at states.Pair
	var marking petri.Marking
	err = t.kripke.Run(telling, lanes.Plain(telling), func(w *multicore.Walker) (err error) {
		if w.Number() != 0 {
			return w.Attend()
		}
		w.Account().Tell(telling)
		c, at, err = t.lasso(w)
		if err == nil && t.found.terminal {
			marking = make(petri.Marking, t.alone.kripke.Net().Places())
			w.Marking(at.S, marking)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if t.found.terminal {
		return t.alone.goOn(telling, c, marking, at.Q)
	}
	return c, nil
}

// lasso returns a shortest run to the component that was found, with a cycle there, or to a terminal
// state, without one. At is where the prefix ends.
func (t *together) lasso(w *multicore.Walker) (c *witness.Counterexample, at states.Pair, err error) {
	x := t.newSearcher(w)
	r := &roads{matching: &x.matching, graph: w, row: x.row, number: x.number, numbers: t.sets.Numbers()}
	inside := func(p states.Pair) bool {
		if t.found.terminal {
			return x.strength[p.Q] == automata.Terminal
		}
		n := x.number(p)
		return n != 0 && t.sets.Same(n, t.found.number)
	}
	// What is dead leads to dead sets only, unless it leads to states whose component is rejecting: these
	// are dead from the beginning. The set that was found may be dead: another thread may have been done with
	// it before all stopped.
	dead := !t.found.terminal && t.sets.IsDead(t.found.number)
	passing := x.passing()
	alive := func(p states.Pair) bool {
		n := x.number(p)
		return n != 0 && (t.sets.IsMet(n) && (dead || passing[p.Q] || !t.sets.IsDead(n)) || x.strength[p.Q] == automata.Terminal)
	}
	var starts []states.Pair
	for _, q := range x.automaton.Initial() {
		if p := (states.Pair{S: t.kripke.Initial(), Q: uint32(q)}); alive(p) {
			if inside(p) {
				at, starts = p, nil
				break
			}
			starts = append(starts, p)
		}
	}
	var prefix, cycle []arc
	if len(starts) > 0 {
		ok := false
		if ok, prefix, err = r.breadthFirst(starts, alive, math.MaxInt, func(a arc) bool { return inside(a.to) }); err != nil {
			return nil, at, err
		}
		if !ok {
			return nil, at, cmp.Or(x.full, errors.New("no run to an accepting component"))
		}
		at = prefix[len(prefix)-1].to
	}
	if !t.found.terminal {
		if cycle, err = r.cycleFrom(at, []uint64{uint64(t.found.marks)}[:x.acceptance.words], inside); err != nil {
			return nil, at, err
		}
	}
	return r.tell(at, prefix, cycle), at, nil
}

// passing returns for each state of the automaton whether it leads to one that is useful and whose
// component is rejecting, or is one itself.
func (p *matching) passing() []bool {
	passing := make([]bool, p.states)
	for c := range p.components.Count() { // successors have lower numbers
		any := false
		members := p.components.States(automata.Component(c))
		for _, q := range members {
			any = any || p.useful[q] && p.strength[q] == automata.Rejecting
			first, end := p.automaton.Out(q)
			for e := first; e < end; e++ {
				any = any || passing[p.automaton.Destination(e)]
			}
		}
		for _, q := range members {
			passing[q] = any
		}
	}
	return passing
}

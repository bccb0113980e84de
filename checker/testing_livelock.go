package checker

import (
	"context"

	"pnmc/automata"
	"pnmc/petri"
)

// secondPass looks for cycles that only stutter, in livelock-accepting states
// (2012, Algorithm 3). As stuttering keeps the state of the automaton, it starts
// from the product states of that kind that the first pass met; no other edge
// needs to be looked at, and any cycle will do. It is needed only if there are
// such states.
func (x *testingSearch) secondPass(ctx context.Context) (*testingFinding, error) {
	colour := numbering{states: x.numbering.states} // onTrail, then dead
	var trail []testingFrame
	push := func(p pair) error {
		slot := colour.slot(p.s, p.q)
		*slot = onTrail
		x.again.ExploredStates++
		f := testingFrame{pair: p, letter: x.letter(p.s), spill: int64(len(x.spill))}
		successors, err := x.kripke.Successors(p.s)
		x.spill = append(x.spill, successors...)
		trail = append(trail, f)
		return err
	}
	for _, start := range x.seen {
		if *colour.slot(start.s, start.q) != unmet {
			continue
		}
		if err := push(start); err != nil {
			return nil, err
		}
		for len(trail) > 0 {
			f := &trail[len(trail)-1]
			if int(f.spill)+int(f.successor) == len(x.spill) {
				*colour.slot(f.s, f.q) = dead
				x.spill = x.spill[:f.spill]
				trail = trail[:len(trail)-1]
				continue
			}
			to := x.spill[int(f.spill)+int(f.successor)]
			f.successor++
			x.again.ExploredTransitions++
			if !x.stutters(f.q, f.letter, to) {
				continue
			}
			if x.steps++; x.steps&pollMask == 0 {
				if err := x.poll(ctx); err != nil {
					return nil, err
				}
			}
			switch *colour.slot(to, f.q) {
			case unmet:
				if err := push(pair{to, f.q}); err != nil {
					return nil, err
				}
			case onTrail:
				return &testingFinding{at: pair{to, f.q}, livelock: true}, nil
			}
		}
	}
	return nil, nil
}

// onTrail is the colour of a state from which the second pass has not returned.
const onTrail = 1

// stutters tells whether going to a state of the graph is stuttering in the
// livelock-accepting node n.
func (x *testingSearch) stutters(n, letter uint32, to petri.StateID) bool {
	first, end := x.row(n, letter, x.letter(to))
	for _, step := range x.testingProduct.steps[first:end] {
		if step.To == n && step.Marks&automata.ChangeMark == 0 && step.Marks&automata.LivelockMark != 0 {
			return true
		}
	}
	return false
}

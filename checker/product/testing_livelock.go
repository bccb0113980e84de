package product

import (
	"pnmc/automata/testingautomata"
	"pnmc/internal/account"
	"pnmc/internal/growing"
	"pnmc/petri"
)

// secondPass looks for cycles that only stutter, in livelock-accepting states
// (2012, Algorithm 3). As stuttering keeps the state of the automaton, it starts
// from the product states of that kind that the first pass met; no other edge
// needs to be looked at, and any cycle will do. It is needed only if there are
// such states.
func (x *testingSearch) secondPass() (*testingFinding, error) {
	colour := numbering{states: x.numbering.states, account: x.account} // onTrail, then dead
	var trail growing.Stack[testingFrame]
	push := func(p pair) error {
		*colour.slot(p.s, p.q) = onTrail
		if colour.full != nil {
			return colour.full
		}
		x.again.ExploredStates++
		successors, err := x.kripke.Successors(p.s)
		if err == nil {
			err = x.account.Charge(account.StateWork + 4*len(successors))
		}
		if err != nil {
			return err
		}
		trail.Push(testingFrame{pair: p, letter: x.letter(p.s), spill: x.spill.push(successors)})
		return nil
	}
	edges := 0
	for i := range x.seen.Length {
		start := *x.seen.At(i)
		if *colour.slot(start.s, start.q) != unmet {
			continue
		}
		if err := push(start); err != nil {
			return nil, err
		}
		for trail.Length > 0 {
			f := trail.Top()
			successors := x.spill.top(f.spill)
			if int(f.successor) == len(successors) {
				*colour.slot(f.s, f.q) = dead
				x.spill.pop(f.spill)
				trail.Pop()
				continue
			}
			to := successors[f.successor]
			f.successor++
			if edges++; edges == account.EdgesBetweenCharges {
				edges = 0
				if err := x.account.Charge(account.EdgesBetweenCharges * account.EdgeWork); err != nil {
					return nil, err
				}
			}
			x.again.ExploredTransitions++
			if !x.stutters(f.q, f.letter, to) {
				continue
			}
			if x.steps++; x.steps&pollMask == 0 && x.progress != nil {
				x.progress(x.statistics())
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
	return nil, x.full
}

// onTrail is the colour of a state from which the second pass has not returned.
const onTrail = 1

// stutters reports whether going to a state of the graph is stuttering in the
// livelock-accepting node n.
func (x *testingSearch) stutters(n, letter uint32, to petri.StateID) bool {
	first, end := x.row(n, letter, x.letter(to))
	for _, step := range x.testingProduct.steps[first:end] {
		if step.To == n && step.Marks&testingautomata.ChangeMark == 0 && step.Marks&testingautomata.LivelockMark != 0 {
			return true
		}
	}
	return false
}

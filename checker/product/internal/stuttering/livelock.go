package stuttering

import (
	"pnmc/automata/testingautomata"
	"pnmc/checker/product/internal/states"
	"pnmc/internal/account"
	"pnmc/internal/growing"
)

// secondPass looks for cycles that only stutter, in livelock-accepting states (2012, Algorithm 3).
//
// Why a second pass: in the first, a component may have changes as well as such a cycle, and its
// marks alone do not say whether the cycle is there. Stuttering keeps the state of the automaton.
// So the second pass starts from the product states with a livelock-accepting state that the first
// pass met, and goes only along edges that stutter there. Any cycle of these edges will do, so that
// a plain depth-first search suffices: an edge back to the trail closes a cycle. A state that is
// left has none and is dead.
//
// For example, let q be livelock-accepting, let markings m1, m2 and m3 have the same label, and let
// the net go m1→m2→m3→m2. If the first pass met (m1, q), the second goes to (m2, q) and (m3, q),
// from where the edge back to (m2, q) is the finding.
//
// It costs at most the edges of the graph for each livelock-accepting state, and memory for a
// number in each pair that it meets. It is skipped if the first pass met no such state.
func (x *Search) secondPass() (*Finding, error) {
	colour := states.Numbering{States: x.numbering.States, Account: x.Account} // onTrail, then dead
	var trail growing.Stack[frame]
	push := func(p states.Pair) error {
		*colour.Slot(p.S, p.Q) = onTrail
		if colour.Full != nil {
			return colour.Full
		}
		x.again.ExploredStates++
		successors, err := x.Kripke.Successors(p.S)
		if err == nil {
			err = x.Account.Charge(account.StateWork + 4*len(successors))
		}
		if err != nil {
			return err
		}
		trail.Push(frame{Pair: p, letter: x.letter(p.S), spill: x.spill.Push(successors)})
		return nil
	}
	edges := 0
	for i := range x.seen.Length {
		start := *x.seen.At(i)
		if *colour.Slot(start.S, start.Q) != states.Unmet {
			continue
		}
		if err := push(start); err != nil {
			return nil, err
		}
		for trail.Length > 0 {
			f := trail.Top()
			successors := x.spill.Top(f.spill)
			if int(f.successor) == len(successors) {
				*colour.Slot(f.S, f.Q) = states.Dead
				x.spill.Pop(f.spill)
				trail.Pop()
				continue
			}
			to := successors[f.successor]
			f.successor++
			if edges++; edges == account.EdgesBetweenCharges || x.Account.Due() {
				if err := x.Account.Charge(edges * account.EdgeWork); err != nil {
					return nil, err
				}
				edges = 0
			}
			x.again.ExploredTransitions++
			if !x.stutters(f.Q, f.letter, x.letter(to)) {
				continue
			}
			if x.steps++; x.steps&states.PollMask == 0 && x.Progress != nil {
				x.Progress(x.Statistics())
			}
			switch *colour.Slot(to, f.Q) {
			case states.Unmet:
				if err := push(states.Pair{S: to, Q: f.Q}); err != nil {
					return nil, err
				}
			case onTrail:
				return &Finding{at: states.Pair{S: to, Q: f.Q}, livelock: true}, nil
			}
		}
	}
	return nil, x.full
}

// onTrail is the colour of a state that the second pass has entered and not left.
const onTrail = 1

// stutters reports whether node n accepts it as stuttering that the graph goes from a state with one
// letter to a state with another: n has a step to itself that is livelock-accepting and no change.
func (p *table) stutters(n, from, to uint32) bool {
	first, end := p.row(n, from, to)
	for _, step := range p.Steps[first:end] {
		if step.To == n && step.Marks&testingautomata.ChangeMark == 0 && step.Marks&testingautomata.LivelockMark != 0 {
			return true
		}
	}
	return false
}

// stuttersAccepting reports whether node n is livelock-accepting.
func (p *table) stuttersAccepting(n, letter uint32) bool {
	first, end := p.row(n, letter, letter)
	for _, step := range p.Steps[first:end] {
		if step.Marks&testingautomata.LivelockMark != 0 {
			return true
		}
	}
	return false
}

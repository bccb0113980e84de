package stuttering

import (
	"pnmc/checker/product/internal/partition"
	"pnmc/checker/product/internal/states"
	"pnmc/internal/account"
)

// Several threads look for livelocks as the second pass does (livelock.go): depth first along edges that
// stutter in livelock-accepting states. But they do it at once where they come to such a state, so that
// a livelock is found about as early as by the first pass of a search alone.
//
// They share which states are dead: those from which all such edges were followed in vain. Until a
// livelock is found there is no cycle. So each state is a set of its own, and one that the thread
// has met is on its trail as long as it is not dead.

// calmFrame is a state on the trail of a search for livelocks.
type calmFrame struct {
	states.Pair
	number    partition.Number
	letter    uint32
	successor uint32 // how many were gone to, beginning with turn
	turn      uint32
	edges     int64
}

// livelock looks for a cycle that only stutters from p on, if p accepts that. It leaves p dead. Where there
// was no room for the row that tells whether it does, run sees that next.
func (x *searcher) livelock(p states.Pair, letter uint32) error {
	if x.calm == nil || !x.stuttersAccepting(p.Q, letter) {
		return nil
	}
	if err := x.follow(p, letter); err != nil {
		return err
	}
	looked := 0 // edges that are not charged yet
	for x.trail.Length > 0 {
		if err := x.walker.Poll(); err != nil {
			return err
		}
		f := x.trail.Top()
		successors := x.successors(f.edges)
		n := uint32(len(successors))
		if f.successor == n {
			if x.calm.Finish(f.number) {
				x.exploredAgain += int64(n)
			}
			x.calm.Pick(f.number) // which makes it dead
			x.forgetEdges(f.edges)
			x.trail.Pop()
			continue
		}
		at := f.turn + f.successor
		if at >= n {
			at -= n
		}
		f.successor++
		if looked++; looked == account.EdgesBetweenCharges || x.Account.Due() {
			if err := x.Account.Charge(account.EdgeWork * looked); err != nil {
				return err
			}
			looked = 0
		}
		next := states.Pair{S: successors[at], Q: f.Q}
		letter := x.letter(next.S)
		if x.stutters(f.Q, f.letter, letter) {
			if err := x.follow(next, letter); err != nil {
				return err
			}
		} else if x.full != nil {
			return x.full
		}
	}
	return nil
}

// follow puts a state on the trail unless it is dead. If it is there already, that is a livelock.
func (x *searcher) follow(p states.Pair, letter uint32) error {
	if err := x.stutterers.Room(); err != nil {
		return err
	}
	number, err := x.stutterers.Number(p.S, p.Q)
	if err != nil {
		return err
	}
	switch claim := x.calm.Claim(number, x.path.Thread); claim {
	case partition.Dead:
		return nil
	case partition.Met:
		return x.stop(sharedFinding{Finding: Finding{at: p, livelock: true}})
	case partition.First:
		if x.enteredAgain++; x.enteredAgain&states.PollMask == 0 {
			x.tell()
		}
	}
	if err := x.Account.Charge(account.StateWork); err != nil {
		return err
	}
	edges, n, err := x.edgesOf(p.S)
	if err != nil {
		return err
	}
	x.trail.Push(calmFrame{Pair: p, number: number, letter: letter, turn: x.turnOf(p.S, n), edges: edges})
	return nil
}

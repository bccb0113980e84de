package core

import (
	"sync"

	"pnmc/checker/witness"
)

// Solutions of the state equation pass from one lane to another: what the state equation leaves of a goal
// that it does not refute leads walks to it. The state equation keeps them when it has them, and a walk
// asks for one when it begins. Neither waits for the other.

// solutions are those of each goal.
type solutions struct {
	mutex  sync.Mutex // held for a few instructions
	goals  map[int][][]witness.Burst
	counts int
}

// mostCounts bounds the counts that are kept for a net, of 16 bytes each: goals may be thousands.
const mostCounts = 1 << 18

// KeepSolutions keeps solutions of the state equation for a goal, in place of earlier ones. They are not
// to be changed any more. What is too much is left out.
func (n *Reduced) KeepSolutions(goal int, list [][]witness.Burst) {
	if len(list) == 0 {
		return
	}
	size := 0
	for _, counts := range list {
		size += len(counts)
	}
	s := &n.solutions
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, counts := range s.goals[goal] {
		size -= len(counts)
	}
	if s.counts+size > mostCounts {
		return
	}
	if s.goals == nil {
		s.goals = make(map[int][][]witness.Burst)
	}
	s.goals[goal] = list
	s.counts += size
}

// Solution returns how often each transition fires in a solution of the state equation for a goal, another
// one each turn; nil if none is known. It is not to be changed.
func (n *Reduced) Solution(goal, turn int) []witness.Burst {
	s := &n.solutions
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if list := s.goals[goal]; len(list) > 0 {
		return list[turn%len(list)]
	}
	return nil
}

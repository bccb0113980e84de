package branching

import (
	"context"
	"math/rand/v2"
	"slices"

	"pnmc/internal/account"
	"pnmc/internal/bitset"
	"pnmc/logic/ctl"
	"pnmc/petri"
	"pnmc/petri/labelling"
)

// Search decides CTL formulas on the fly: it visits only the markings that the truth in the initial
// marking depends on. Each temporal subformula is a search from the marking where it is asked. For
// E(p U q) it looks for a marking with q, through markings with p. For EG p it looks for a cycle or
// a deadlock among markings with p. All other operators come down to these (basis.go).
//
// What a search finds out about other markings on its way is kept in a memo. A search that fails
// settles all markings that it visited, one that succeeds settles those on its path.
//
// For example, EF (p & EG q) walks from the initial marking until some marking has p; there it asks
// EG q, which looks for a cycle through markings with q. If that fails, all markings that it left
// are known not to have EG q, and the walk goes on. So where a marking with p & EG q is near,
// markings beyond it are never looked at.
//
// Why it is right. A search for until that fails has visited all that can be reached through its
// first operand, and found its second nowhere. So until holds for none of these markings. One that
// succeeds has a path on which each marking leads to the second operand through the first; what
// else it visited is not known, and is forgotten. In the search for EG, depth first, a successor
// that is on the stack closes a cycle within the operand, and ends it with success. So a marking is
// left only when each successor was left before, or lacks the operand: no run from there stays
// within the operand for ever. Nested questions are asked at one marking at a time and have entries
// of their own, so that an outer search finds its own as they were.
//
// What it costs: each marking once for each subformula asked there, but for searches that succeed,
// which may visit the same markings again from another start. A byte for each pair that was met.
//
// Searches are bounded, and go in rounds (rounds.go): so the visit of one subformula that does not end
// does not hide what others show.
//
// It is the certain-zero evaluation of the dependency graph of Dalsgaard et al.
// ("Extended dependency graphs and efficient distributed fixed-point
// computation", 2017), with the strategy fixed to one component at a time.
type Search struct {
	kripke *petri.Kripke
	// deep has rounds take turns in how they go (rounds.go); otherwise all are breadth first.
	deep bool
	rng  *rand.Rand
	odd  uint64 // random

	first       int   // markings that a search may visit in the first round
	going       way   // in this round
	followed    int64 // tokens up to which unbounded places are followed
	bound, left int   // markings that a search, and all of the round, may visit
	// graph, unless nil, is the whole state graph.
	graph *Graph

	nodes        []ctlNode
	root         int32
	propositions []*labelling.Proposition
	labelling    *labelling.Labels
	account      *account.Account
	err          error
}

// ctlNode is a subformula, with what is known of it.
type ctlNode struct {
	operator    ctlBasis
	operands    []int32
	proposition int
	source      *ctl.Formula // of a state predicate of the formula
	states      stateSet     // where it holds, if a graph is at hand
	temporal    bool
	// memo has what is known of each marking, by its number; 0: nothing.
	memo    []uint8
	entries []searchEntry
	stack   []uint32
}

const (
	memoTrue uint8 = iota + 1
	memoFalse
	memoOpen    // being searched
	memoUnknown // a bounded search found neither
)

// searchEntry is a marking in a search. For an until, other is the entry it was reached from, or noEntry;
// for EG it is the number of the successor to look at next.
type searchEntry struct {
	state petri.StateID
	other uint32
}

// noEntry is the number of no entry: there are as many at most as there are numbers of markings.
const noEntry = 1<<32 - 1

// NewSearch prepares the evaluation of formulas over the net of k. Searches on the same k share the
// markings and edges that were found. With deep set, searches go depth first in most rounds, some in an
// order drawn from seed, and follow places that are unbounded.
func NewSearch(k *petri.Kripke, deep bool, seed uint64) *Search {
	s := &Search{kripke: k, deep: deep, first: firstBroadBound, rng: rand.New(rand.NewPCG(seed, 1))}
	if deep {
		s.first = firstBound
	}
	s.odd = s.rng.Uint64() | 1
	return s
}

// Decide reports whether the initial marking satisfies f. An error says why that is not known: the
// context's end, the budget, or an unbounded place.
func (s *Search) Decide(ctx context.Context, f *ctl.Formula) (bool, error) {
	s.kripke.Begin(ctx)
	s.account, s.err, s.nodes, s.propositions = s.kripke.Account(), nil, nil, nil
	s.root = s.add(f)
	if s.graph != nil {
		if err := s.labelByGraph(); err != nil {
			return false, err
		}
	}
	s.labelling = labelling.New(s.kripke, s.propositions)
	value := s.inRounds()
	if s.err == nil && s.kripke.Unbounded() != nil {
		s.err = s.kripke.Unbounded()
	}
	return value == memoTrue, s.err
}

// evaluate returns what is known of node i in a marking, after a search if that is needed: memoTrue,
// memoFalse, or memoUnknown if a bounded search ended before, or once s.err is set.
func (s *Search) evaluate(i int32, at petri.StateID) uint8 {
	n := &s.nodes[i]
	switch n.operator {
	case basisState:
		if n.states != nil {
			return truthOf(n.states.has(uint32(at)))
		}
		label := s.labelling.Label(s.labelling.Of(at))
		return truthOf(bitset.Has(label, n.proposition))
	case basisNot:
		return opposite(s.evaluate(n.operands[0], at))
	case basisAnd, basisOr:
		return s.combined(n, at)
	}
	if known := n.known(at); known != 0 {
		return known
	}
	value := memoUnknown
	switch n.operator {
	case basisNext:
		value = s.next(n, at)
	case basisUntil:
		value = s.until(n, at)
	case basisGlobally:
		value = s.globally(n, at)
	}
	if s.err != nil {
		return memoUnknown
	}
	s.set(n, at, value)
	return value
}

// combined returns what is known of a conjunction or disjunction: what one operand decides, else that
// it has no operand which does.
func (s *Search) combined(n *ctlNode, at petri.StateID) uint8 {
	if !s.charge(operandWork * len(n.operands)) {
		return memoUnknown
	}
	decisive := truthOf(n.operator == basisOr)
	value := opposite(decisive)
	for _, o := range n.operands {
		switch v := s.evaluate(o, at); {
		case s.err != nil:
			return memoUnknown
		case v == decisive:
			return v
		case v == memoUnknown:
			value = v
		}
	}
	return value
}

// known returns what the memo has of a marking.
func (n *ctlNode) known(at petri.StateID) uint8 {
	if int(at) < len(n.memo) {
		return n.memo[at]
	}
	return 0
}

// set notes v for a marking. If there is no room for it, the search ends.
func (s *Search) set(n *ctlNode, at petri.StateID, v uint8) {
	if int(at) >= len(n.memo) {
		more := int(at) + 1 - len(n.memo) + len(n.memo)/2
		if err := account.Room(s.account, n.memo, more); err != nil {
			s.fail(err)
			return
		}
		n.memo = append(n.memo, make([]uint8, more)...)
	}
	n.memo[at] = v
}

// fail ends the search. The first error is the one that is kept.
func (s *Search) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// charge counts work, and reports false when the search must end.
func (s *Search) charge(work int) bool {
	if err := s.account.Charge(work); err != nil {
		s.fail(err)
	}
	return s.err == nil
}

// ctlWork is about what it costs to look at a marking for a subformula, in nanoseconds.
const ctlWork = 32

// operandWork is about what it costs to ask an operand that knows its value, in nanoseconds.
const operandWork = 8

// successors returns the markings one firing further, none in a deadlock, valid until the next call.
// It reports false when the search must end.
func (s *Search) successors(at petri.StateID) ([]petri.StateID, bool) {
	if !s.charge(ctlWork) {
		return nil, false
	}
	next, err := s.kripke.Successors(at)
	for err == nil && s.kripke.Unbounded() != nil {
		if !s.followsFurther() {
			err = s.kripke.Unbounded()
			break
		}
		next, err = s.kripke.Successors(at)
	}
	if err != nil {
		s.err = err
		return nil, false
	}
	if len(next) == 1 && next[0] == at && s.kripke.Deadlock(at) {
		return nil, true
	}
	return next, true
}

// next returns whether some successor satisfies the operand of n.
func (s *Search) next(n *ctlNode, at petri.StateID) uint8 {
	next, ok := s.successors(at)
	if !ok {
		return memoUnknown
	}
	next = append([]petri.StateID(nil), next...) // evaluation asks for others
	if !s.charge(4 * len(next)) {
		return memoUnknown
	}
	value := memoFalse
	for _, u := range next {
		switch s.evaluate(n.operands[0], u) {
		case memoTrue:
			return memoTrue
		case memoUnknown:
			value = memoUnknown
		}
		if !s.charge(ctlWork) {
			return memoUnknown
		}
	}
	return value
}

// until returns whether it finds a marking with the second operand of n, through markings with the
// first.
func (s *Search) until(n *ctlNode, at petri.StateID) uint8 {
	here, doubtful := s.enters(n, at)
	if here != 0 {
		return here
	}
	n.entries = append(n.entries[:0], searchEntry{at, noEntry})
	n.stack = append(n.stack[:0], 0)
	s.set(n, at, memoOpen)
	var next []petri.StateID
	cut, head := false, 0
	for visited := 0; ; visited++ {
		if s.going != breadthFirst && len(n.stack) == 0 || s.going == breadthFirst && head == len(n.entries) {
			break
		}
		if cut = s.isOver(visited); cut {
			break
		}
		i := uint32(head)
		if s.going != breadthFirst {
			i = n.stack[len(n.stack)-1]
			n.stack = n.stack[:len(n.stack)-1]
		} else {
			head++
		}
		found, ok := s.successors(n.entries[i].state)
		if !ok {
			return memoUnknown
		}
		next = append(next[:0], found...)
		switch s.going {
		case depthFirstAtRandom:
			s.rng.Shuffle(len(next), func(a, b int) { next[a], next[b] = next[b], next[a] })
		case depthFirst: // what is pushed last comes first
			slices.Reverse(next)
		}
		for _, u := range next {
			if !s.charge(ctlWork) {
				return memoUnknown
			}
			known := n.known(u)
			if known == 0 {
				var doubt bool
				if known, doubt = s.enters(n, u); s.err != nil {
					return memoUnknown
				}
				doubtful = doubtful || doubt
				if known != 0 {
					s.set(n, u, known)
				}
			}
			switch known {
			case memoTrue:
				s.succeed(n, i)
				return memoTrue
			case memoUnknown:
				doubtful = true
			case 0:
				if !s.roomFor(n) {
					return memoUnknown
				}
				s.set(n, u, memoOpen)
				n.stack = append(n.stack, uint32(len(n.entries)))
				n.entries = append(n.entries, searchEntry{u, i})
			}
		}
	}
	if !cut && !doubtful {
		for _, e := range n.entries {
			s.set(n, e.state, memoFalse)
		}
		return memoFalse
	}
	s.doubt(n, head)
	return memoUnknown
}

// enters returns what the operands of an until tell of a marking at once, or 0 if paths through it are
// to be looked at. It reports doubt if its second operand may hold there.
func (s *Search) enters(n *ctlNode, at petri.StateID) (value uint8, doubt bool) {
	reach := s.evaluate(n.operands[1], at)
	if reach == memoTrue || s.err != nil {
		return reach, false
	}
	switch s.evaluate(n.operands[0], at) {
	case memoTrue:
		return 0, reach == memoUnknown
	case memoFalse:
		return reach, false
	}
	return memoUnknown, false
}

// doubt notes what a search for an until leaves that found neither its second operand nor that it is
// nowhere. Of markings whose successors it has seen, no more is found out in this round. Those that
// it did not come to, from the entry head on or on the stack, are as before.
func (s *Search) doubt(n *ctlNode, head int) {
	for i, e := range n.entries {
		if s.going != breadthFirst || i < head {
			s.set(n, e.state, memoUnknown)
		} else {
			s.set(n, e.state, 0)
		}
	}
	if s.going != breadthFirst {
		for _, i := range n.stack {
			s.set(n, n.entries[i].state, 0)
		}
	}
}

// roomFor reports whether there is room for another entry, and ends the search if not.
func (s *Search) roomFor(n *ctlNode) bool {
	if err := account.Room(s.account, n.entries, 1); err != nil {
		s.fail(err)
	} else if err := account.Room(s.account, n.stack, 1); err != nil {
		s.fail(err)
	}
	return s.err == nil
}

// succeed notes that the until holds on the path that ends with entry i. Of the other markings
// nothing is known: they are forgotten.
func (s *Search) succeed(n *ctlNode, i uint32) {
	for _, e := range n.entries {
		s.set(n, e.state, 0)
	}
	for ; i != noEntry; i = n.entries[i].other {
		s.set(n, n.entries[i].state, memoTrue)
	}
}

// globally returns whether it finds a cycle or a deadlock among markings with the operand of n. The
// search is depth first. If it leaves a marking without having found one, no run from there stays
// among them for ever. That is not known if the operand is not known of a successor.
func (s *Search) globally(n *ctlNode, at petri.StateID) uint8 {
	if here := s.evaluate(n.operands[0], at); here != memoTrue {
		return here
	}
	n.entries = append(n.entries[:0], searchEntry{at, 0})
	s.set(n, at, memoOpen)
	// The first so many entries have a successor of which nothing is known, or will have when those
	// above them are left.
	doubtful := 0
	for visited := 1; len(n.entries) > 0; {
		top := &n.entries[len(n.entries)-1]
		next, ok := s.successors(top.state)
		if !ok {
			return memoUnknown
		}
		if len(next) == 0 {
			return s.succeedStack(n)
		}
		if int(top.other) == len(next) {
			left := memoFalse
			if len(n.entries) <= doubtful {
				left, doubtful = memoUnknown, len(n.entries)-1
			}
			s.set(n, top.state, left)
			n.entries = n.entries[:len(n.entries)-1]
			continue
		}
		u := next[s.turn(top.state, int(top.other), len(next))]
		top.other++
		switch n.known(u) {
		case memoTrue, memoOpen:
			return s.succeedStack(n)
		case memoFalse:
			continue
		case memoUnknown:
			doubtful = len(n.entries)
			continue
		}
		here := s.evaluate(n.operands[0], u)
		if s.err != nil {
			return memoUnknown
		}
		switch here {
		case memoFalse:
			s.set(n, u, memoFalse)
		case memoUnknown:
			s.set(n, u, memoUnknown)
			doubtful = len(n.entries)
		default:
			if s.isOver(visited) {
				for _, e := range n.entries {
					s.set(n, e.state, memoUnknown)
				}
				return memoUnknown
			}
			if visited++; !s.roomFor(n) {
				return memoUnknown
			}
			s.set(n, u, memoOpen)
			n.entries = append(n.entries, searchEntry{u, 0})
		}
		if s.err != nil {
			return memoUnknown
		}
	}
	return n.known(at)
}

// succeedStack notes that EG holds on the whole path, since each marking leads to the cycle or
// deadlock. It returns memoTrue.
func (s *Search) succeedStack(n *ctlNode) uint8 {
	for _, e := range n.entries {
		s.set(n, e.state, memoTrue)
	}
	return memoTrue
}

package product

import (
	"pnmc/automata"
	"pnmc/checker/product/internal/partition"
	"pnmc/checker/product/internal/states"
	"pnmc/internal/account"
)

// This file explores states in which the automaton's component is rejecting, by several threads.
//
// Such a state is in no accepting component, and what comes after it has no way back to another
// automaton component. So nobody asks when it is done, and no depth-first order is needed: it is
// enough that somebody explores its edges some time. The thread that meets it first keeps it until it has
// nothing else to do. It is dead for all others at once, which costs one compare-and-swap, and what
// unites sets never sees it.
//
// For example, let the automaton of G(a → F b), negated, wait in state 0 for a, and see to it in state
// 1 that b stays away. The product with state 0 is all of the state graph. Threads share it as
// they do where markings are counted, and search for components where the automaton is in state 1.
//
// A thread without work takes some of these states from another one. If nobody has any to give, it joins
// another thread at the state where the path of that one begins. When no thread has anything to do, all
// is explored.

const (
	// offeredAfter is after how many states a thread looks whether another one rests.
	offeredAfter = 64
	// mostOffered is how many states it gives away at a time.
	mostOffered = 1 << 10
)

// keep keeps a state for later.
func (x *searcher) keep(p states.Pair) {
	if x.entered++; x.entered&states.PollMask == 0 {
		x.tell()
	}
	x.pending.Push(p)
}

// pass explores all states that are kept, and those that others give away, until no thread has
// anything to do.
func (x *searcher) pass() error {
	for {
		for x.pending.Length > 0 {
			p := *x.pending.Top()
			x.pending.Pop()
			if err := x.expand(p); err != nil {
				return err
			}
			x.offer()
		}
		x.joined = 0
		done, err := x.walker.Rest(x.take)
		if done || err != nil {
			return err
		}
		if n := x.joined; n != 0 {
			if err := x.enter(x.sets.Pair(n), n, partition.Fresh, 0); err != nil {
				return err
			}
			if err := x.run(); err != nil {
				return err
			}
		}
	}
}

// expand looks at the edges of a state whose component is rejecting. The path is empty. First come the
// edges to other components: an accepted run may be near.
func (x *searcher) expand(p states.Pair) error {
	if err := x.walker.Poll(); err != nil {
		return err
	}
	var f step
	if err := x.goTo(&f, p); err != nil {
		return err
	}
	end := x.rowEnd(f.row)
	successors := x.successors(&f)
	n := uint32(len(successors))
	if err := x.account.Charge(account.EdgeWork * int(end-f.row+1) * len(successors)); err != nil {
		return err
	}
	inside := uint32(0) // edges to rejecting components
	for i := range n {
		for at := f.row; at < end; at += 2 {
			q, e := x.edges[at], automata.Edge(x.edges[at+1])
			if x.strength[q] == automata.Rejecting {
				inside++
				continue
			}
			s := successors[(f.first+i)%n]
			number, err := x.path.Number(s, q)
			if err != nil {
				return err
			}
			claim := x.sets.Claim(number, x.path.Thread)
			if claim == partition.Dead {
				continue
			}
			if err := x.enter(states.Pair{S: s, Q: q}, number, claim, x.marksOf(e)); err != nil {
				return err
			}
			if err := x.run(); err != nil {
				return err
			}
		}
	}
	if inside > 0 { // the last one that is kept is the first to be explored
		for i := n; i > 0; i-- {
			for at := end; at > f.row; at -= 2 {
				q := x.edges[at-2]
				if x.strength[q] != automata.Rejecting {
					continue
				}
				s := successors[(f.first+i-1)%n]
				number, err := x.path.Number(s, q)
				if err != nil {
					return err
				}
				if x.sets.Bury(number) {
					x.keep(states.Pair{S: s, Q: q})
				}
			}
		}
	}
	x.explored += int64(end-f.row) / 2 * int64(n)
	if f.edges >= 0 {
		x.spill.Pop(f.edges)
	}
	return nil
}

// offer gives some of what is kept to threads that rest, now and then, and tells them where the path
// begins.
func (x *searcher) offer() {
	if x.quiet++; x.quiet < x.offered {
		return
	}
	x.quiet = 0
	if !x.walker.Resting() {
		return
	}
	x.mutex.Lock()
	for range min(x.pending.Length/2, mostOffered) {
		x.pool = append(x.pool, *x.pending.Top())
		x.pending.Pop()
	}
	x.mutex.Unlock()
	if x.path.Len() > 0 {
		x.begins.Store(x.path.Bottom())
	}
	x.walker.Wake()
}

// take finds something to do, for a thread that rests: states that another one has given away, or a path
// to join.
func (x *searcher) take() bool {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	if n := len(x.pool); n > 0 {
		for _, p := range x.pool[n-min(n, mostOffered):] {
			x.pending.Push(p)
		}
		x.pool = x.pool[:n-min(n, mostOffered)]
		return true
	}
	for _, other := range x.threads {
		n := other.begins.Load()
		if n != 0 && x.sets.Claim(n, x.path.Thread) != partition.Dead {
			x.joined = n
			return true
		}
	}
	return false
}

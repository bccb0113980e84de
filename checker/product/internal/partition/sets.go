package partition

import (
	"runtime"
	"sync/atomic"
)

// This file is the union-find structure. A set is a part of a strongly connected component: its
// states are known to reach each other. Sets grow by union until each is a whole component, and
// die when all edges of all their states were explored.
//
// The state of lower number becomes the root of two sets that unite. Numbers are given in the order
// in which blocks are met. So a large set keeps its root, which is read by all threads and hardly
// ever written to.
//
// What is added to a root while that unites with another: who adds first writes, then looks whether
// the root is still one, and if not adds to the new root, too. Who unites first links the roots, and
// then adds what the old one has to the new one. So one of them passes it on.

// A node's state is one word: who has met the set, of a root, and four bits.
const (
	// MostThreads is how many threads may search together.
	MostThreads = 28

	done    = 1 << 28 // all edges of the state were explored
	held    = 1 << 29 // the state's place in the list is being changed
	dead    = 1 << 30 // of a root: no edge of the set is left to explore
	uniting = 1 << 31 // of a root: it is being linked to another one
	met     = 1<<MostThreads - 1
)

// Claim is what a state is to a thread that comes to it by an edge.
type Claim uint8

// What a state may be.
const (
	// Fresh: the thread has not met the state's set. From now on it has.
	Fresh Claim = iota
	// First is Fresh, and no other thread has met the set either, which is a single state.
	First
	// Met: the set has a state that is on the thread's path.
	Met
	// Dead: all that can be reached from the state was explored.
	Dead
)

// Claim tells what n is to a thread.
func (s *Sets) Claim(n Number, thread uint) Claim {
	bit := uint32(1) << thread
	root := s.find(n)
	r := s.at(root)
	before := atomic.LoadUint32(&r.state)
	switch {
	case before&dead != 0:
		return Dead
	case before&bit != 0:
		return Met
	}
	s.giveWay()
	before = atomic.OrUint32(&r.state, bit)
	first := before&met == 0 && root == n
	s.follow(root, func(r *node) { atomic.OrUint32(&r.state, bit) })
	if first {
		return First
	}
	return Fresh
}

// Bury says that n need not be in any set, and that it is dead for all threads from now on. It reports
// whether nobody had met n. Whoever buries a state sees to its edges.
func (s *Sets) Bury(n Number) bool {
	x := s.at(n)
	return atomic.LoadUint32(&x.state) == 0 && atomic.CompareAndSwapUint32(&x.state, 0, dead|done|met)
}

// IsDone reports whether all edges of n were explored, by some thread.
func (s *Sets) IsDone(n Number) bool { return atomic.LoadUint32(&s.at(n).state)&done != 0 }

// follow calls add with the roots that took the place of one that was just added to.
func (s *Sets) follow(root Number, add func(r *node)) {
	for atomic.LoadUint32(s.parent(root)) != 0 {
		root = s.find(root)
		add(s.at(root))
	}
}

// find returns the root of n's set. On its way it halves the path: each second state gets the parent
// of its parent. Threads may do that at the same time, as each of these is an ancestor for ever.
func (s *Sets) find(n Number) Number {
	for {
		x := s.parent(n)
		p := atomic.LoadUint32(x)
		if p == 0 {
			return n
		}
		above := atomic.LoadUint32(s.parent(p))
		if above == 0 {
			return p
		}
		atomic.StoreUint32(x, above)
		n = above
	}
}

// Same reports whether two states are in the same set.
func (s *Sets) Same(a, b Number) bool {
	for {
		a, b = s.find(a), s.find(b)
		if a == b {
			return true
		}
		if atomic.LoadUint32(s.parent(a)) == 0 {
			return false // a was a root all the time since b was found
		}
	}
}

// IsDead reports whether all edges of n's set were explored.
func (s *Sets) IsDead(n Number) bool { return atomic.LoadUint32(&s.at(s.find(n)).state)&dead != 0 }

// IsMet reports whether some thread has met n.
func (s *Sets) IsMet(n Number) bool {
	x := s.at(n)
	return atomic.LoadUint32(&x.state)&met != 0 || atomic.LoadUint32(s.parent(n)) != 0
}

// Unite makes one set of those of a and b, which reach each other.
func (s *Sets) Unite(a, b Number) {
	root, other := s.hold(a, b)
	if other == 0 {
		return
	}
	r, o := s.at(root), s.at(other)
	if s.find(a) == other { // which nobody else links
		a, b = b, a
	}
	s.splice(a, b, other, root)
	s.giveWay()
	passed := atomic.LoadUint32(&o.state) & met
	if passed&^atomic.LoadUint32(&r.state) != 0 {
		atomic.OrUint32(&r.state, passed)
		s.follow(root, func(r *node) { atomic.OrUint32(&r.state, passed) })
	}
	s.Mark(root, atomic.LoadUint32(&o.marks))
	clearBits(&o.state, uniting)
}

// hold finds the roots of a and b, and holds the one of higher number: nobody else links it. Other is
// 0 if they are the same.
func (s *Sets) hold(a, b Number) (root, other Number) {
	for tries := 0; ; tries++ {
		root, other = s.find(a), s.find(b)
		if root == other {
			return root, 0
		}
		if root > other {
			root, other = other, root
		}
		o := s.at(other)
		before := atomic.LoadUint32(&o.state)
		if before&uniting == 0 && atomic.CompareAndSwapUint32(&o.state, before, before|uniting) {
			if atomic.LoadUint32(s.parent(other)) == 0 {
				return root, other
			}
			clearBits(&o.state, uniting)
		}
		s.wait(tries)
	}
}

// Mark adds marks of edges within n's set, and returns those that it has then.
func (s *Sets) Mark(n Number, marks uint32) uint32 {
	for {
		root := s.find(n)
		r := s.at(root)
		all := atomic.LoadUint32(&r.marks) | marks
		if atomic.LoadUint32(&r.marks) != all {
			all = atomic.OrUint32(&r.marks, marks) | marks
			s.giveWay()
		}
		if atomic.LoadUint32(s.parent(root)) == 0 {
			return all
		}
	}
}

// clearBits clears some bits of a word that others change meanwhile.
func clearBits(word *uint32, bits uint32) { atomic.AndUint32(word, ^bits) }

// wait lets the thread go on that holds what is waited for. It holds it for some hundred nanoseconds
// only, but may have lost its processor meanwhile.
func (s *Sets) wait(tries int) {
	if s.giveWay(); tries > 4 {
		runtime.Gosched()
	}
}

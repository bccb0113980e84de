package partition

import (
	"runtime"
	"sync/atomic"
)

// This file is the union-find structure. A set is a part of a strongly connected component: its
// states are known to reach each other. Sets grow by union until each is a whole component, and
// die when all edges of all their states were explored.
//
// Most states join a large set soon after one thread has met them, or are a component of their own. So a
// state that one thread alone has met is that thread's single: one word says whose. It becomes dead
// by one compare-and-swap, and joins a set by few. Only a set of several states, or one that several
// threads have met, has a record. States of the set lead to its record, and records of sets that were
// united lead to each other.
//
// The older record becomes the root of two that unite. So a large set keeps its root, which is read by
// all threads and hardly ever written to.
//
// What is added to a root while that unites with another: who adds first writes, then looks whether
// the root is still one, and if not adds to the new root, too. Who unites first links the roots, and
// then adds what the old one has to the new one. So one of them passes it on.

// A state's word has the number of the state that comes next in the list of its set (list.go) in its
// upper half. The lower half is 0 if nobody has met the state, or buried, or single with the number of a
// thread, or the number of a record with these bits.
const (
	// MostThreads is how many threads may search together.
	MostThreads = 28

	single   = 1 << 31
	done     = 1 << 30 // all edges of the state were explored
	held     = 1 << 29 // one thread alone may change the word; others wait
	recorded = 1<<29 - 1
	buried   = single | recorded // no set of several states has the state, and it is dead
	// nextShift is where the number of the next state begins.
	nextShift = 32
)

// A record's state has who has met the set in its lower bits, and these.
const (
	dead    = 1 << 30 // no edge of the set is left to explore
	uniting = 1 << 31 // it is being linked to another one
	met     = 1<<MostThreads - 1
)

// record is what is known of a set, if it is a root. All is read and written atomically.
type record struct {
	parent uint32 // the record of a set that this one is a part of, or 0
	state  uint32
	marks  uint32 // of edges within the set
	_      uint32
}

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
	// Others: only other threads have met the set. Nothing was claimed, as that was to be left to them.
	Others
)

// Claim tells what n is to a thread.
func (s *Sets) Claim(n Number, thread uint) Claim { return s.claim(n, uint32(thread), false) }

// ClaimUnlessOthers tells the same, but does not claim what only others have met.
func (s *Sets) ClaimUnlessOthers(n Number, thread uint) Claim {
	return s.claim(n, uint32(thread), true)
}

func (s *Sets) claim(n Number, thread uint32, leave bool) Claim {
	x := s.at(n)
	for tries := 0; ; tries++ {
		v := atomic.LoadUint64(x)
		switch tag := uint32(v); {
		case tag == 0:
			if atomic.CompareAndSwapUint64(x, v, uint64(single|thread)) {
				return First
			}
		case tag == buried:
			return Dead
		case tag == single|thread:
			return Met
		case tag&single != 0:
			if leave {
				return Others
			}
			r := s.newRecord(1<<(tag&^single) | 1<<thread)
			s.giveWay()
			if atomic.CompareAndSwapUint64(x, v, uint64(r)) {
				return Fresh
			}
		case tag&held == 0:
			return s.claimSet(s.rootOf(x, v), thread, leave)
		default:
			// It joins a set, and is in its list only once the word is released.
			s.wait(tries)
		}
	}
}

// claimSet is claim for a state of the set with this root.
func (s *Sets) claimSet(root, thread uint32, leave bool) Claim {
	bit := uint32(1) << thread
	r := s.record(root)
	switch before := atomic.LoadUint32(&r.state); {
	case before&dead != 0:
		return Dead
	case before&bit != 0:
		return Met
	case leave && before&met != 0:
		return Others
	}
	s.giveWay()
	s.meet(root, bit)
	return Fresh
}

// meet says that threads have met the set of a root.
func (s *Sets) meet(root, bits uint32) {
	r := s.record(root)
	if atomic.LoadUint32(&r.state)&bits != bits {
		atomic.OrUint32(&r.state, bits)
	}
	for atomic.LoadUint32(&r.parent) != 0 {
		root = s.find(root)
		r = s.record(root)
		atomic.OrUint32(&r.state, bits)
	}
}

// Bury says that n need not be in any set, and that it is dead for all threads from now on. It reports
// whether nobody had met n. Whoever buries a state sees to its edges.
func (s *Sets) Bury(n Number) bool {
	x := s.at(n)
	return atomic.LoadUint64(x) == 0 && atomic.CompareAndSwapUint64(x, 0, buried)
}

// rootOf returns the root of a state's set, if it has a record: where its word lies, and what that was.
func (s *Sets) rootOf(x *uint64, v uint64) uint32 {
	r := uint32(v) & recorded
	if atomic.LoadUint32(&s.record(r).parent) == 0 {
		return r
	}
	root := s.find(r)
	if v&held == 0 { // the next time the way is shorter
		atomic.CompareAndSwapUint64(x, v, v&^recorded|uint64(root))
	}
	return root
}

// root returns the root of n's set, or 0 if n is alone in a set without record.
func (s *Sets) root(n Number) uint32 {
	x := s.at(n)
	if v := atomic.LoadUint64(x); v&recorded != 0 && v&single == 0 {
		return s.rootOf(x, v)
	}
	return 0
}

// find returns the root of a record. On its way it halves the path: each second record gets the parent
// of its parent. Threads may do that at the same time, as each of these is an ancestor for ever.
func (s *Sets) find(r uint32) uint32 {
	for {
		x := &s.record(r).parent
		p := atomic.LoadUint32(x)
		if p == 0 {
			return r
		}
		above := atomic.LoadUint32(&s.record(p).parent)
		if above == 0 {
			return p
		}
		atomic.StoreUint32(x, above)
		r = above
	}
}

// Same reports whether two states are in the same set.
func (s *Sets) Same(a, b Number) bool {
	for a != b {
		r := s.root(a)
		if r == 0 {
			return false
		}
		switch s.root(b) {
		case 0:
			return false
		case r:
			return true
		}
		if atomic.LoadUint32(&s.record(r).parent) == 0 {
			return false // r was a root all the time since that of b was found
		}
	}
	return true
}

// IsDead reports whether all edges of n's set were explored.
func (s *Sets) IsDead(n Number) bool {
	if r := s.root(n); r != 0 {
		return atomic.LoadUint32(&s.record(r).state)&dead != 0
	}
	return uint32(atomic.LoadUint64(s.at(n))) == buried
}

// IsMet reports whether some thread has met n.
func (s *Sets) IsMet(n Number) bool { return atomic.LoadUint64(s.at(n)) != 0 }

// ensureRecord returns the root of n's set, which gets a record if it has none. N must not be buried.
func (s *Sets) ensureRecord(n Number) uint32 {
	x := s.at(n)
	for {
		v := atomic.LoadUint64(x)
		tag := uint32(v)
		threads := uint32(0)
		switch {
		case tag == buried:
			panic("partition: a set that is done unites with another one")
		case tag&single != 0:
			threads = 1 << (tag &^ single)
		case tag != 0:
			return s.rootOf(x, v)
		}
		r := s.newRecord(threads)
		s.giveWay()
		if atomic.CompareAndSwapUint64(x, v, uint64(r)) {
			return r
		}
	}
}

// Unite makes one set of those of a and b, which reach each other.
func (s *Sets) Unite(a, b Number) {
	if a == b {
		return
	}
	if isSingle(atomic.LoadUint64(s.at(a))) {
		a, b = b, a
	}
	s.ensureRecord(a)
	if s.join(b, a) {
		return
	}
	root, other := s.hold(a, b)
	if other == 0 {
		return
	}
	o := s.record(other)
	if s.root(a) == other { // which nobody else links
		a, b = b, a
	}
	s.splice(a, b, other, root)
	s.giveWay()
	s.meet(root, atomic.LoadUint32(&o.state)&met)
	s.mark(root, atomic.LoadUint32(&o.marks))
	clearBits(&o.state, uniting)
}

// isSingle reports whether a state with this word is the single of a thread.
func isSingle(v uint64) bool { return v&single != 0 && uint32(v) != buried }

// hold finds the roots of a and b, and holds the one of higher number: nobody else links it. Other is
// 0 if they are the same.
func (s *Sets) hold(a, b Number) (root, other uint32) {
	for tries := 0; ; tries++ {
		root, other = s.ensureRecord(a), s.ensureRecord(b)
		if root == other {
			return root, 0
		}
		if root > other {
			root, other = other, root
		}
		o := s.record(other)
		before := atomic.LoadUint32(&o.state)
		if before&uniting == 0 && atomic.CompareAndSwapUint32(&o.state, before, before|uniting) {
			if atomic.LoadUint32(&o.parent) == 0 {
				return root, other
			}
			clearBits(&o.state, uniting)
		}
		s.wait(tries)
	}
}

// Mark adds marks of edges within n's set, and returns those that it has then.
func (s *Sets) Mark(n Number, marks uint32) uint32 {
	root := s.root(n)
	if root == 0 {
		if marks == 0 {
			return 0 // where another thread unites n meanwhile, it was alone before
		}
		root = s.ensureRecord(n)
	}
	return s.mark(root, marks)
}

// mark is Mark for the set of a root.
func (s *Sets) mark(root, marks uint32) uint32 {
	for {
		r := s.record(root)
		all := atomic.LoadUint32(&r.marks) | marks
		if atomic.LoadUint32(&r.marks) != all {
			all = atomic.OrUint32(&r.marks, marks) | marks
			s.giveWay()
		}
		if atomic.LoadUint32(&r.parent) == 0 {
			return all
		}
		root = s.find(root)
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

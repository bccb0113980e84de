package partition

import "sync/atomic"

// The states of a set form a cyclic list. Those that are done are left out little by little; the
// others still have edges to explore. Threads that have nothing else to do on their path pick one of
// them. So all threads work on one large component.
//
// A state is live until it is done. Two lists become one when a live state of each, which the thread
// holds, exchange their next ones. The next of a state that is done changes only to one further on,
// and what is done stays so. So whoever goes along a list comes to each live state of it.

// Pick returns a state of n's set whose edges are still to be explored; ok is false if there is
// none, and the set is dead then.
func (s *Sets) Pick(n Number) (picked Number, ok bool) {
	if picked = s.live(n); picked != 0 {
		return picked, true
	}
	root := s.find(n)
	atomic.OrUint32(&s.at(root).state, dead)
	return 0, false
}

// live returns a live state in the list of n, or 0 if all are done.
func (s *Sets) live(n Number) Number {
	for {
		x := s.at(n)
		if atomic.LoadUint32(&x.state)&done == 0 {
			return n
		}
		after := s.after(n)
		if after == n {
			return 0
		}
		y := s.at(after)
		if atomic.LoadUint32(&y.state)&done == 0 {
			return after
		}
		beyond := s.after(after)
		s.giveWay()
		atomic.StoreUint32(&x.next, beyond)
		n = beyond
	}
}

// after returns the state that comes next in the list.
func (s *Sets) after(n Number) Number {
	if next := atomic.LoadUint32(&s.at(n).next); next != 0 {
		return next
	}
	return n
}

// Finish says that all edges of n were explored. It reports whether this thread was the first to say
// so.
func (s *Sets) Finish(n Number) bool {
	x := s.at(n)
	for tries := 0; ; tries++ {
		before := atomic.LoadUint32(&x.state)
		switch {
		case before&done != 0:
			return false
		case before&held != 0:
			s.wait(tries)
		case atomic.CompareAndSwapUint32(&x.state, before, before|done):
			return true
		}
	}
}

// splice makes one list of those of a and b, and links the root of b's set to that of a's. A state that
// is picked has to be in the set of the one that it is picked for. So the lists are released only when
// the sets are one: nobody goes past a state that is held, as it is live.
//
// Threads hold a state of the set with the lower root first. The other root is linked by nobody else
// meanwhile. So who waits for a state waits for a thread that has its eye on a set with a higher root,
// and never in a circle.
func (s *Sets) splice(a, b, other, root Number) {
	a, b = s.holdLive(a), s.holdLive(b)
	x, y := s.at(a), s.at(b)
	afterA, afterB := s.after(a), s.after(b)
	atomic.StoreUint32(&x.next, afterB)
	s.giveWay()
	atomic.StoreUint32(&y.next, afterA)
	s.giveWay()
	atomic.StoreUint32(s.parent(other), root)
	clearBits(&x.state, held)
	clearBits(&y.state, held)
}

// holdLive holds a live state of n's list.
func (s *Sets) holdLive(n Number) Number {
	for tries := 0; ; tries++ {
		// A set that unites with another one has a live state: its states reach those of the other,
		// of which some are not in the set yet.
		n = s.live(n)
		if n == 0 {
			panic("partition: a set that is done unites with another one")
		}
		x := s.at(n)
		before := atomic.LoadUint32(&x.state)
		if before&(held|done) == 0 && atomic.CompareAndSwapUint32(&x.state, before, before|held) {
			return n
		}
		s.wait(tries)
	}
}

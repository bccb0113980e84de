package partition

import "sync/atomic"

// The states of a set form a cyclic list. Those that are done are left out little by little; the
// others still have edges to explore. Threads that have nothing else to do on their path pick one of
// them. So all threads work on one large component.
//
// A state is live until it is done. A single joins a list behind a live state of it. Two lists become
// one when a live state of each, which the thread holds, exchange their next ones. The next of a state
// that is done changes only to one further on, and what is done stays so. So whoever goes along a list
// comes to each live state of it.
//
// A set must not seem done while a state joins it. The states of the set that lead to the one that joins
// are not done before it has: whoever explores their edges waits until its word is released, when it
// is in the list.

// Pick returns a state of n's set whose edges are still to be explored; ok is false if there is
// none, and the set is dead then.
func (s *Sets) Pick(n Number) (picked Number, ok bool) {
	if picked = s.live(n); picked != 0 {
		return picked, true
	}
	if root := s.root(n); root != 0 {
		atomic.OrUint32(&s.record(root).state, dead)
	}
	return 0, false
}

// someLive returns a live state in the list of n. A set that unites with another one has one: its states
// reach those of the other, of which some are not in the set yet.
func (s *Sets) someLive(n Number) Number {
	if n = s.live(n); n == 0 {
		panic("partition: a set that is done unites with another one")
	}
	return n
}

// live returns a live state in the list of n, or 0 if all are done.
func (s *Sets) live(n Number) Number {
	for {
		x := s.at(n)
		v := atomic.LoadUint64(x)
		if v&(done|single) != done && uint32(v) != buried {
			return n
		}
		after := next(v, n)
		if after == n || uint32(v) == buried {
			return 0
		}
		u := atomic.LoadUint64(s.at(after))
		if u&(done|single) != done {
			return after
		}
		beyond := next(u, after)
		s.giveWay()
		atomic.CompareAndSwapUint64(x, v, v&(1<<nextShift-1)|uint64(beyond)<<nextShift)
		n = beyond
	}
}

// next returns the state that comes after n, whose word is v, in the list.
func next(v uint64, n Number) Number {
	if after := Number(v >> nextShift); after != 0 {
		return after
	}
	return n
}

// withNext returns the word v with another state as the next one.
func withNext(v uint64, after Number) uint64 { return v&(1<<nextShift-1) | uint64(after)<<nextShift }

// Finish says that all edges of n were explored. It reports whether this thread was the first to say
// so.
func (s *Sets) Finish(n Number) bool {
	x := s.at(n)
	for tries := 0; ; tries++ {
		v := atomic.LoadUint64(x)
		tag := uint32(v)
		finished := v | done
		switch {
		case tag == 0 || tag&single != 0 && tag != buried:
			finished = buried // it is a whole component
		case tag == buried || tag&done != 0:
			return false
		case tag&held != 0:
			s.wait(tries)
			continue
		}
		if atomic.CompareAndSwapUint64(x, v, finished) {
			return true
		}
	}
}

// IsDone reports whether all edges of n were explored, by some thread.
func (s *Sets) IsDone(n Number) bool {
	v := atomic.LoadUint64(s.at(n))
	return uint32(v) == buried || v&(done|single) == done
}

// join puts b into the set of a, which has a record, if b is the single of a thread. It reports whether
// that was so. The word of b is held until b is in the list. The thread waits for others, but nobody
// waits for b who holds anything: b is in no list yet.
func (s *Sets) join(b, a Number) bool {
	y := s.at(b)
	v := atomic.LoadUint64(y)
	if !isSingle(v) {
		return false
	}
	root := s.ensureRecord(a)
	s.meet(root, 1<<(uint32(v)&^single))
	if a = s.live(a); a == 0 {
		return false // another thread has met b since, and united it
	}
	before := atomic.LoadUint64(s.at(a))
	word := withNext(uint64(root|held), next(before, a))
	if !atomic.CompareAndSwapUint64(y, v, word) {
		return false
	}
	for tries := 0; ; tries++ {
		s.giveWay()
		if before&(held|done) == 0 && atomic.CompareAndSwapUint64(s.at(a), before, withNext(before, b)) {
			break
		}
		s.wait(tries)
		a = s.someLive(a)
		before = atomic.LoadUint64(s.at(a))
		word = withNext(word, next(before, a))
		atomic.StoreUint64(y, word)
	}
	s.giveWay()
	atomic.StoreUint64(y, word&^held)
	return true
}

// splice makes one list of those of a and b, and links the root of b's set to that of a's. A state that
// is picked has to be in the set of the one that it is picked for. So the lists are released only when
// the sets are one: nobody goes past a state that is held, as it is live.
//
// Threads hold a state of the set with the lower root first. The other root is linked by nobody else
// meanwhile. So who waits for a state waits for a thread that has its eye on a set with a higher root,
// and never in a circle.
func (s *Sets) splice(a, b Number, other, root uint32) {
	a, x := s.holdLive(a)
	b, y := s.holdLive(b)
	atomic.StoreUint64(s.at(a), withNext(x, next(y, b))|held)
	s.giveWay()
	atomic.StoreUint64(s.at(b), withNext(y, next(x, a))|held)
	s.giveWay()
	atomic.StoreUint32(&s.record(other).parent, root)
	atomic.StoreUint64(s.at(a), withNext(x, next(y, b)))
	atomic.StoreUint64(s.at(b), withNext(y, next(x, a)))
}

// holdLive holds a live state of n's list, and returns what its word was.
func (s *Sets) holdLive(n Number) (Number, uint64) {
	for tries := 0; ; tries++ {
		n = s.someLive(n)
		x := s.at(n)
		v := atomic.LoadUint64(x)
		if v&(held|done) == 0 && atomic.CompareAndSwapUint64(x, v, v|held) {
			return n, v
		}
		s.wait(tries)
	}
}

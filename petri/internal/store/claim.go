package store

import "sync/atomic"

// Chunks are the queue, too: markings are gone on from in the order in which they lie there.
// The owner of a chunk publishes how far it is filled, once a batch; whoever has nothing to do
// claims some of the markings that nobody has claimed yet.

// share is how far a chunk is. The two are used atomically.
type share struct {
	filled  uint32 // markings that may be claimed: those before it are published
	claimed uint32 // markings that were
	_       [cacheLine - 8]byte
}

// Publish lets all threads claim what was interned.
func (a *Arena) Publish() {
	if a.chunk != noChunk {
		atomic.StoreUint32(&a.store.shares[a.chunk].filled, a.at)
	}
}

// Backlog returns how many of the markings that the arena has published last were not claimed, as far
// as that is known without looking at all chunks.
func (a *Arena) Backlog() int {
	if a.chunk == noChunk {
		return 0
	}
	open := int(a.at) - int(atomic.LoadUint32(&a.store.shares[a.chunk].claimed))
	return open + (len(a.own)-1-a.head)<<a.store.shift
}

// Claim gives the thread up to most markings from its own chunks to go on from, the oldest first: n
// of them, with numbers from first on. There are none if n is 0.
func (a *Arena) Claim(most uint32) (first Number, n uint32) {
	s := a.store
	for a.head < len(a.own) {
		c := a.own[a.head]
		if first, n := a.claim(c, most); n > 0 {
			return first, n
		}
		if atomic.LoadUint32(&s.shares[c].claimed) < 1<<s.shift {
			break // it is the one that is being filled
		}
		a.head++
	}
	return 0, 0
}

// Steal claims as Claim does, from the chunks of all: the one that something was taken from
// last, then the oldest.
func (a *Arena) Steal(most uint32) (first Number, n uint32) {
	s := a.store
	used, oldest := s.used.Load(), s.oldest.Load()
	if a.victim < used {
		if first, n := a.claim(a.victim, most); n > 0 {
			return first, n
		}
	}
	over := oldest // the chunks before it have nothing left
	for c := oldest; c < used; c++ {
		if first, n = a.claim(c, most); n > 0 {
			a.victim = c
			break
		}
		if over == c && atomic.LoadUint32(&s.shares[c].claimed) == 1<<s.shift {
			over++
		}
	}
	if over > oldest {
		s.oldest.CompareAndSwap(oldest, over)
	}
	return first, n
}

// claim claims from chunk c.
func (a *Arena) claim(c, most uint32) (first Number, n uint32) {
	h := &a.store.shares[c]
	for {
		claimed := atomic.LoadUint32(&h.claimed)
		n := min(most, atomic.LoadUint32(&h.filled)-claimed)
		if n == 0 {
			return 0, 0
		}
		if a.yield != nil {
			a.yield()
		}
		if atomic.CompareAndSwapUint32(&h.claimed, claimed, claimed+n) {
			return c<<a.store.shift | claimed, n
		}
	}
}

// Left reports whether there is something to claim.
func (s *Shared) Left() bool {
	for c := s.oldest.Load(); c < s.used.Load(); c++ {
		if h := &s.shares[c]; atomic.LoadUint32(&h.claimed) < atomic.LoadUint32(&h.filled) {
			return true
		}
	}
	return false
}

package labelling

import (
	"slices"
	"sync"

	"pnmc/internal/account"
	"pnmc/internal/bitset"
	"pnmc/petri"
)

// Shared numbers the distinct labels that several threads meet, from 0 on. Each thread has a Reader.
type Shared struct {
	mutex  sync.Mutex
	number map[string]uint32
	labels [][]uint64
}

// NewShared returns one without labels.
func NewShared() *Shared { return &Shared{number: map[string]uint32{}} }

// Label returns the label with number n; not to be modified.
func (s *Shared) Label(n uint32) []uint64 {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.labels[n]
}

// intern returns the number of a label, whose bytes are key.
func (s *Shared) intern(key []byte, label []uint64) uint32 {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	n, known := s.number[string(key)]
	if !known {
		n = uint32(len(s.labels))
		s.number[string(key)] = n
		s.labels = append(s.labels, slices.Clone(label))
	}
	return n
}

// Graph is what a Reader asks of a state graph.
type Graph interface {
	// Tokens writes the tokens that some places have in s to counts.
	Tokens(s petri.StateID, places []petri.Place, counts []int64)
	// Deadlock reports whether s enables no transition.
	Deadlock(s petri.StateID) bool
	// Account returns what the work is charged to.
	Account() *account.Account
}

// Reader computes labels for one thread. It remembers their numbers, so that threads seldom wait for
// each other.
type Reader struct {
	shared *Shared
	graph  Graph
	evaluator
	first  [][]uint64 // that the thread has met
	number []uint32   // of these
	others map[string]uint32
	key    []byte
}

// NewReader returns one of labels of these propositions: proposition i is bit i%64 of word i/64 of a
// label, which has at least one word. All readers of s are of the same propositions, but do not share
// any of them.
func (s *Shared) NewReader(g Graph, propositions []*Proposition) *Reader {
	return &Reader{shared: s, graph: g, evaluator: newEvaluator(propositions), others: map[string]uint32{}}
}

// Of computes the label of s, and returns its number.
func (r *Reader) Of(s petri.StateID) uint32 {
	r.graph.Account().Add(r.cost)
	r.graph.Tokens(s, r.places, r.counts)
	clear(r.label)
	for i, p := range r.propositions {
		if r.holds(i, p.deadlock && r.graph.Deadlock(s)) {
			bitset.Add(r.label, i)
		}
	}
	for i, known := range r.first {
		if slices.Equal(known, r.label) {
			return r.number[i]
		}
	}
	r.key = appendLabel(r.key[:0], r.label)
	n, known := r.others[string(r.key)]
	if known {
		return n
	}
	n = r.shared.intern(r.key, r.label)
	r.graph.Account().Add(24*r.words + 2*indexBytes)
	if len(r.first) < linear {
		r.first, r.number = append(r.first, slices.Clone(r.label)), append(r.number, n)
	} else {
		r.others[string(r.key)] = n
	}
	return n
}

package labelling

import (
	"math"
	"slices"

	"pnmc/internal/bitset"
	"pnmc/internal/growing"
	"pnmc/petri"
)

// Labels gives the states of a Kripke structure their labels: which of some
// propositions hold. Distinct labels are numbered in the order in which they are
// met, so that an automaton can look up what it may do instead of comparing bits.
//
// Two layers remember them. The label computed last is at hand, with its marking. A
// product asks for it again when it goes on to the state that it has just seen. Behind
// it a table has the labels of states, as long as its share of memory lasts; labels of
// other states are computed anew each time. Not safe for concurrent use.
type Labels struct {
	kripke *petri.Kripke
	evaluator

	last       petri.StateID // whose label was computed last, plus one, or 0
	lastNumber uint32        // of that label

	number    growing.Numbers // of each state's label, plus one
	maxStates int             // in number
	count     int
	labels    [][]uint64 // chunks of labelsPerChunk
	index     map[string]uint32

	// Hits are the questions answered from memory, LastHits those of them about the
	// label computed last, Misses those that evaluated the propositions.
	Hits, LastHits, Misses int64

	key []byte
}

// New prepares labels of these propositions: proposition i is bit i%64
// of word i/64 of a label, which has at least one word.
func New(k *petri.Kripke, propositions []*Proposition) *Labels {
	l := &Labels{
		kripke: k, evaluator: newEvaluator(propositions), index: map[string]uint32{}, maxStates: math.MaxInt,
	}
	if budget := k.Account().Budget(); budget.LabelBytes > 0 {
		l.maxStates = int(budget.LabelBytes / 4)
	} else if budget.MemoryBytes > 0 {
		l.maxStates = int(budget.MemoryBytes / 16 / 4)
	}
	return l
}

// NewForOnce prepares labels that are asked for once for each state: none is remembered.
func NewForOnce(k *petri.Kripke, propositions []*Proposition) *Labels {
	l := New(k, propositions)
	l.maxStates = 0
	return l
}

// Count returns the number of distinct labels met so far.
func (l *Labels) Count() int { return l.count }

// labelsPerChunk is how many labels lie together: chunks never move.
const labelsPerChunk = 1 << 6

// Label returns the label with number n; not to be modified.
func (l *Labels) Label(n uint32) []uint64 {
	at := int(n%labelsPerChunk) * l.words
	return l.labels[n/labelsPerChunk][at : at+l.words]
}

// Of returns the number of the label of s.
func (l *Labels) Of(s petri.StateID) uint32 {
	if s+1 == l.last {
		l.Hits++
		l.LastHits++
		return l.lastNumber
	}
	if int(s) < l.number.Length {
		if n := l.number.At(s); n != 0 {
			l.Hits++
			return n - 1
		}
	}
	l.Misses++
	n := l.evaluate(s)
	l.last, l.lastNumber = s+1, n
	if int(s) < l.maxStates {
		l.number.GrowTo(min(l.kripke.Len(), l.maxStates))
		l.number.Set(s, n+1)
	}
	return n
}

// MemoryBytes returns the space that the labels take.
func (l *Labels) MemoryBytes() int64 { return l.number.MemoryBytes() }

// evaluate computes the label of s anew, and returns its number.
func (l *Labels) evaluate(s petri.StateID) uint32 {
	l.kripke.Account().Add(l.cost)
	l.kripke.Tokens(s, l.places, l.counts)
	clear(l.label)
	for i, p := range l.propositions {
		if l.holds(i, p.deadlock && l.kripke.Deadlock(s)) {
			bitset.Add(l.label, i)
		}
	}
	return l.intern()
}

// linear is how many labels are compared one by one, before a map is asked.
const linear = 16

// indexBytes is about what an entry of the index takes beside its key, and its slices.
const indexBytes = 64

// intern numbers the label in l.label. Few distinct labels occur: the first ones
// are compared one by one, which is cheaper than a map.
func (l *Labels) intern() uint32 {
	for n := range min(l.Count(), linear) {
		if slices.Equal(l.Label(uint32(n)), l.label) {
			return uint32(n)
		}
	}
	l.key = appendLabel(l.key[:0], l.label)
	if n, known := l.index[string(l.key)]; known {
		return n
	}
	n := uint32(l.count)
	if n%labelsPerChunk == 0 {
		l.labels = append(l.labels, make([]uint64, 0, labelsPerChunk*l.words))
	}
	last := &l.labels[n/labelsPerChunk]
	*last = append(*last, l.label...)
	l.count++
	l.index[string(l.key)] = n
	l.kripke.Account().Add(24*l.words + indexBytes)
	return n
}

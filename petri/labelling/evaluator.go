package labelling

import (
	"pnmc/internal/bitset"
	"pnmc/petri"
)

// evaluator computes labels from the tokens in the places that some proposition reads.
type evaluator struct {
	propositions []*Proposition
	words        int // of a label
	cost         int // of evaluating a label, in nanoseconds about

	places []petri.Place // read by some proposition
	counts []int64       // of places
	slots  [][]int       // proposition's place number -> position in counts
	view   []int64
	stack  []bool
	label  []uint64
}

// newEvaluator prepares labels of these propositions.
func newEvaluator(propositions []*Proposition) evaluator {
	l := evaluator{propositions: propositions, words: max(1, bitset.WordsFor(len(propositions)))}
	position := map[petri.Place]int{}
	stack, view := 1, 0
	for _, p := range propositions {
		var slots []int
		for _, place := range p.places {
			i, known := position[place]
			if !known {
				i = len(l.places)
				position[place] = i
				l.places = append(l.places, place)
			}
			slots = append(slots, i)
		}
		l.slots = append(l.slots, slots)
		stack, view = max(stack, p.stackSize), max(view, len(p.places))
		l.cost += p.cost()
	}
	l.cost += 16*len(l.places) + 16*len(propositions)
	l.counts = make([]int64, len(l.places))
	l.view = make([]int64, view)
	l.stack = make([]bool, stack)
	l.label = make([]uint64, l.words)
	return l
}

// holds reports whether proposition i holds where its places have counts.
func (l *evaluator) holds(i int, deadlock bool) bool {
	for j, at := range l.slots[i] {
		l.view[j] = l.counts[at]
	}
	return l.propositions[i].holds(l.view, deadlock, l.stack)
}

// appendLabel appends the bytes of a label to key.
func appendLabel(key []byte, label []uint64) []byte {
	for _, w := range label {
		for shift := 0; shift < 64; shift += 8 {
			key = append(key, byte(w>>shift))
		}
	}
	return key
}

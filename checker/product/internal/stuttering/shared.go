package stuttering

import (
	"sync"

	"pnmc/automata"
	"pnmc/automata/testingautomata"
)

// sharedReader is a reader that several threads ask, one at a time. What a row takes long for is found
// once: each thread remembers what it has asked for in a table of its own (rows.go), and this one what
// any has asked for.
type sharedReader struct {
	mutex  sync.Mutex
	reader Reader
	steps  map[rowKey][]testingautomata.Step
}

// rowKey is what a row is of.
type rowKey struct{ n, from, to uint32 }

// newSharedReader returns one of which nothing was asked.
func newSharedReader(reader Reader) *sharedReader {
	return &sharedReader{reader: reader, steps: map[rowKey][]testingautomata.Step{}}
}

// Letter numbers a valuation.
func (r *sharedReader) Letter(v automata.Valuation) uint32 {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.reader.Letter(v)
}

// Initial returns the states where a run starts whose first letter is l.
func (r *sharedReader) Initial(l uint32) []uint32 {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.reader.Initial(l)
}

// Steps returns the steps of n for the change. They are not to be modified.
func (r *sharedReader) Steps(n, from, to uint32) []testingautomata.Step {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	key := rowKey{n, from, to}
	steps, known := r.steps[key]
	if !known {
		steps = r.reader.Steps(n, from, to)
		r.steps[key] = steps
	}
	return steps
}

// Universal reports whether n is known to accept whatever follows l.
func (r *sharedReader) Universal(n, l uint32) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.reader.Universal(n, l)
}

// States returns the number of states that were met.
func (r *sharedReader) States() int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.reader.States()
}

package store

import "sync"

// rounds is the order in which a thread goes through parts that have a lock each. Threads begin with
// different parts. One that another thread is busy with is left for the end, as it may be growing.
type rounds struct {
	first int   // the part to begin with
	late  []int // parts that others were busy with
}

// newRounds returns those of thread i through n parts, a power of two: multiples of the golden ratio lie far
// apart, however many there are.
func newRounds(i uint32, n int) rounds {
	return rounds{first: int(uint64(i*0x9e3779b9) * uint64(n) >> 32)}
}

// each calls work with each part for which there is something, from one of starts to the next, while its
// lock is held. It ends with the first error.
func (r *rounds) each(starts []int, lock func(part int) *sync.Mutex, work func(part int) error) error {
	r.late = r.late[:0]
	parts := len(starts) - 1
	for k := range parts {
		part := (r.first + k) & (parts - 1)
		if starts[part] == starts[part+1] {
			continue
		}
		if !lock(part).TryLock() {
			r.late = append(r.late, part)
			continue
		}
		if err := unlocking(lock(part), part, work); err != nil {
			return err
		}
	}
	for _, part := range r.late {
		lock(part).Lock()
		if err := unlocking(lock(part), part, work); err != nil {
			return err
		}
	}
	return nil
}

// unlocking calls work with a part, and unlocks it.
func unlocking(lock *sync.Mutex, part int, work func(part int) error) error {
	defer lock.Unlock()
	return work(part)
}

package turns

import (
	"context"
	"time"

	"pnmc/checker/internal/lanes"
)

// Room decides which searches that failed for want of memory may be tried again. A search may if there
// is more than a quarter more memory than when it began last. Until then it would fail as before, and
// take time and memory from others.
//
// For example, two searches share 800 MB. One begins with 500 MB free, and fills them. It is
// dropped, and waits. When the other ends, 800 MB are free, which is more than 625 MB, and it is
// tried again. If nobody is left who might free memory, there is one more try, and then the queue
// gives up.
type Room[K comparable] struct {
	free func() int64 // bytes
	had  map[K]int64  // when the search began that failed last
	drop func()       // what could be made again
	// resting says that nothing can be tried, and lastTry that nobody is left who might
	// free memory.
	resting, lastTry bool
	Prospects        *Prospects
}

// NewRoom returns a room of which free returns how many bytes are free, and drop makes room.
func NewRoom[K comparable](free func() int64, drop func(), p *Prospects) *Room[K] {
	return &Room[K]{free: free, had: make(map[K]int64), drop: drop, Prospects: p}
}

// failed notes that the search for k filled the memory; had was free when it began.
func (m *Room[K]) failed(k K, had int64) {
	// It leaves garbage behind, which would count as memory in use.
	m.drop()
	m.had[k] = had
}

// suffices reports whether k may be searched for, again or for the first time.
func (m *Room[K]) suffices(k K) bool {
	had, failed := m.had[k]
	return !failed || m.free() > had+had/4
}

// roomLook is the time between two looks whether memory has come free.
const roomLook = 100 * time.Millisecond

// wait waits until it is time to look again. It reports false if that is of no use: nobody
// is at work who might free memory.
func (m *Room[K]) wait(ctx context.Context) bool {
	if m != nil {
		if !m.resting {
			m.resting = true
			m.Prospects.Rest()
		}
		over := m.Prospects.isOver()
		if over && m.lastTry {
			return false
		}
		m.lastTry = over
	}
	lanes.Rest(ctx, func() {
		select {
		case <-ctx.Done():
		case <-time.After(roomLook):
		}
	})
	return true
}

// resume notes that something is tried, or that nothing will be.
func (m *Room[K]) resume() {
	if m != nil && m.resting {
		m.resting, m.lastTry = false, false
		m.Prospects.resume()
	}
}

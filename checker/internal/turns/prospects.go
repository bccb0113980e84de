package turns

import (
	"context"
	"sync"
	"time"

	"pnmc/checker/internal/lanes"
)

// Prospects decide when a search without any limit of time is given up. Random runs and walks
// never come to an end by themselves. As long as another engine may still prove something
// they go on; after that for as long again as all took until then, and a while at least.
// Without this a question about an unbounded net might never be answered, not even by
// "unknown".
//
// Where there is a deadline prospects are nil, and it alone ends the search.
type Prospects struct {
	patience time.Duration
	reason   error
	begun    time.Time

	mutex     sync.Mutex
	provers   int // lanes at work that can prove something
	searchers int // lanes that search
	timer     *time.Timer
	giveUp    []context.CancelCauseFunc // of searchers
}

// NewProspects returns those of no lane yet. A search that is given up ends with reason.
func NewProspects(patience time.Duration, reason error) *Prospects {
	return &Prospects{patience: patience, begun: time.Now(), reason: reason}
}

// Search returns the context of a searching lane, which ends when it is given up. done is to be
// called when the lane has ended.
func (p *Prospects) Search(ctx context.Context) (searching context.Context, done func()) {
	if p == nil {
		return ctx, func() {}
	}
	inner, cancel := context.WithCancelCause(lanes.Plain(ctx))
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.searchers++
	p.giveUp = append(p.giveUp, cancel)
	p.look()
	return lanes.Of(ctx, inner), func() {
		cancel(nil)
		p.mutex.Lock()
		defer p.mutex.Unlock()
		p.searchers--
	}
}

// Rest notes that a lane that can prove something has ended, or waits for memory.
func (p *Prospects) Rest() { p.Add(-1) }

// resume notes that it is at work again.
func (p *Prospects) resume() { p.Add(1) }

// Add notes how many lanes more, or fewer, are at work that can prove something.
func (p *Prospects) Add(provers int) {
	if p == nil {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.provers += provers
	p.look()
}

// look sets the time of giving up, if there is no prover, or takes it back. Its caller
// holds the mutex.
func (p *Prospects) look() {
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
	if p.provers > 0 {
		return
	}
	cancels, reason := p.giveUp, p.reason
	p.timer = time.AfterFunc(max(p.patience, time.Since(p.begun)), func() {
		for _, cancel := range cancels {
			cancel(reason)
		}
	})
}

// isOver reports whether no lane is at work that might free memory, or decide something.
func (p *Prospects) isOver() bool {
	if p == nil {
		return false
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.provers <= 0 && p.searchers == 0
}

// Stop ends the timer when all lanes have ended.
func (p *Prospects) Stop() {
	if p == nil {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.timer != nil {
		p.timer.Stop()
	}
}

package account

import (
	"context"
	"sync/atomic"
	"time"
)

// A Pace slows work down while other work on the same processor is more promising. It never stops it:
// what is slow may hold a lock that the other work waits for.
//
// For example, three searches share a processor, and one of them has come so far that it answers a
// question every tenth of a second. The others carry a pace in their contexts. While they are to give
// way, each of their looks is followed by a rest three times as long as the work between two looks. So
// each takes a quarter of the processor at most, and of three the first gets more than half.
type Pace struct{ slow atomic.Bool }

// restAfterLook is three times what lies between two looks.
const restAfterLook = 3 * time.Millisecond

// GiveWay says whether work that carries the pace is to be slow from now on.
func (p *Pace) GiveWay(slow bool) { p.slow.Store(slow) }

// PaceKey is the key under which a context carries its pace.
type PaceKey struct{}

// WithPace returns ctx for work that gives way when the pace says so.
func WithPace(ctx context.Context, p *Pace) context.Context {
	return context.WithValue(ctx, PaceKey{}, p)
}

// rest rests if ctx carries a pace that asks for it.
func rest(ctx context.Context) {
	if p, _ := ctx.Value(PaceKey{}).(*Pace); p != nil && p.slow.Load() {
		time.Sleep(restAfterLook)
	}
}

package lanes

import (
	"context"
	"math"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"pnmc/internal/account"
)

// Lanes are engines that work at the same time. If Options.Threads bounds how many do, they take
// turns. An engine looks at its context after each piece of work, and after some looks it hands its
// turn over to the lane that has waited longest. Nothing else is asked of an engine: the context
// that it looks at anyway does it (laneContext).
//
// Looks follow from the work that is done, not from the clock. So with one thread the same lanes do
// the same work in the same order in each run, until a share of the whole time ends one of them.
// For example, with one thread and three lanes, the first does 16 pieces of work, then the second,
// then the third, then the first again, however fast the machine is. Slices of time are counted in
// looks as well.
//
// An engine must not wait for another while it has the turn, else both wait for ever. It locks by
// Lock, and waits by Rest, which hand the turn over meanwhile.

// Slices of time are counted in looks where one lane works at a time: about two looks are made in a
// millisecond. A slice ends by the clock if it takes slowest times as long, as on a busy machine,
// or in an engine that looks seldom.
const (
	looksPerMillisecond = 2
	slowest             = 8
)

// looksPerTurn is after how many looks at the context a turn ends.
const looksPerTurn = 16

// LongestSlice is time that nobody has, and which grown is still a duration.
const LongestSlice = 1000 * time.Hour

// Turnstile lets so many lanes work at the same time. Nil bounds nothing.
type Turnstile struct {
	mutex   sync.Mutex
	free    int             // turns that nobody has
	looks   atomic.Int64    // of all lanes
	threads int             // turns in all; 0: no bound
	lanes   int             // that are at work or wait
	waiting []chan struct{} // who waits, longest first
	busy    atomic.Int64    // lanes, less those that wait for another, and the threads that engines took
	soon    atomic.Int64    // lanes that wait for a mutex, and are at work as soon as they have it
	teams   []*Team         // of lanes
}

// NewTurnstile returns a turnstile for so many threads. It bounds nothing for 0 or less.
func NewTurnstile(threads int) *Turnstile {
	threads = max(0, threads)
	return &Turnstile{free: threads, threads: threads}
}

// queue takes a place in the queue; the channel is closed when it is its turn.
func (t *Turnstile) queue() chan struct{} {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	place := make(chan struct{})
	if t.free > 0 {
		t.free--
		close(place)
	} else {
		t.waiting = append(t.waiting, place)
	}
	return place
}

// release gives a turn to who has waited longest.
func (t *Turnstile) release() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if len(t.waiting) == 0 {
		t.free++
		return
	}
	close(t.waiting[0])
	t.waiting = t.waiting[1:]
}

// pass gives the turn to who has waited longest, if anybody waits, and takes the last place
// in the queue.
func (t *Turnstile) pass() {
	t.mutex.Lock()
	if len(t.waiting) == 0 {
		t.mutex.Unlock()
		return
	}
	place := make(chan struct{})
	next := t.waiting[0]
	t.waiting = append(t.waiting[1:], place)
	t.mutex.Unlock()
	close(next)
	<-place
}

// count notes that so many more lanes, or fewer, are at work or wait.
func (t *Turnstile) count(lanes int) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.lanes += lanes
}

// stretched returns the time in which a lane gets to work for d.
func (t *Turnstile) stretched(d time.Duration) time.Duration {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	factor := max(1, (t.lanes+t.threads-1)/t.threads)
	return min(d, LongestSlice) * time.Duration(factor)
}

// laneContext is the context of a lane that takes turns with others, or one derived of it.
// It is used by one goroutine.
type laneContext struct {
	context.Context
	*laneState
}

// laneState is what the contexts of a lane share.
type laneState struct {
	turns  *Turnstile
	looks  int // in this turn
	total  int
	slices []*slice
}

// slice is a slice of time that ends at a number of looks.
type slice struct {
	context.Context
	deadline time.Time
	looks    int
	ofAll    bool // the looks are those of all lanes
	cancel   context.CancelCauseFunc
	over     atomic.Bool
}

// Deadline returns when the slice would end by the clock. It may end later.
func (s *slice) Deadline() (time.Time, bool) { return s.deadline, true }

// Err returns that of a deadline where the slice ended by itself.
func (s *slice) Err() error {
	err := s.Context.Err()
	if err != nil && context.Cause(s.Context) == context.DeadlineExceeded {
		return context.DeadlineExceeded
	}
	return err
}

// Err counts as a look, which may end the turn.
func (c *laneContext) Err() error {
	c.look()
	return c.Context.Err()
}

// Value counts as a look, too: context.Cause calls it. To ask for a pace is part of a look that was
// counted.
func (c *laneContext) Value(key any) any {
	switch key {
	case laneKey{}:
		return c.turns
	case account.PaceKey{}, teamKey{}:
		return c.Context.Value(key)
	}
	c.look()
	return c.Context.Value(key)
}

// look counts a look, ends slices that have had theirs, and hands the turn over when it is due.
func (l *laneState) look() {
	l.total++
	all := int(l.turns.looks.Add(1))
	if len(l.slices) > 0 {
		l.slices = slices.DeleteFunc(l.slices, func(s *slice) bool {
			made := l.total
			if s.ofAll {
				made = all
			}
			if s.looks <= made {
				s.cancel(context.DeadlineExceeded)
				return true
			}
			return s.over.Load()
		})
	}
	if l.looks++; l.looks >= looksPerTurn {
		l.looks = 0
		l.turns.pass()
	}
}

// slice returns a part of ctx that ends after as many looks as are made in d, if only one lane
// works at a time.
func (c *laneContext) slice(d time.Duration) (context.Context, context.CancelFunc) {
	stretched := c.turns.stretched(d)
	timed, end := context.WithTimeout(c.Context, slowest*min(stretched, LongestSlice))
	part, cancel := context.WithCancelCause(timed)
	s := &slice{
		Context: part, deadline: time.Now().Add(stretched), cancel: cancel,
		looks: c.total + max(1, int(looksPerMillisecond*d/time.Millisecond)),
	}
	if outer, ok := c.Deadline(); ok && outer.Before(s.deadline) {
		s.deadline = outer
	}
	c.slices = append(c.slices, s)
	return &laneContext{s, c.laneState}, func() {
		s.over.Store(true)
		cancel(nil)
		end()
	}
}

// Run runs functions at the same time, as far as the turnstile lets them, and returns
// when all have ended. They begin in their order.
func (t *Turnstile) Run(ctx context.Context, lanes ...func(ctx context.Context)) {
	var group sync.WaitGroup
	defer idle(ctx)() // before lanes ask how many there are
	defer func() { rest(ctx, group.Wait) }()
	if t == nil {
		for _, lane := range lanes {
			group.Go(func() { lane(ctx) })
		}
		return
	}
	t.busy.Add(int64(len(lanes)))
	if t.threads == 0 {
		inner := context.WithValue(ctx, laneKey{}, t)
		for _, lane := range lanes {
			group.Go(func() {
				defer t.busy.Add(-1)
				lane(inner)
			})
		}
		return
	}
	inner := Plain(ctx)
	t.count(len(lanes))
	for _, lane := range lanes {
		place := t.queue()
		group.Go(func() {
			<-place
			defer t.release()
			defer t.count(-1)
			defer t.busy.Add(-1)
			lane(&laneContext{inner, &laneState{turns: t}})
		})
	}
}

// Rest calls wait, which waits for something, and lets another lane work meanwhile.
func Rest(ctx context.Context, wait func()) {
	defer idle(ctx)()
	rest(ctx, wait)
}

// idle notes that the lane of ctx is not at work until it is at work again.
func idle(ctx context.Context) (again func()) {
	t := turnstileOf(ctx)
	if t == nil {
		return func() {}
	}
	t.busy.Add(-1)
	return func() { t.busy.Add(1) }
}

// rest calls wait, and lets another lane work meanwhile.
func rest(ctx context.Context, wait func()) {
	c, ok := ctx.(*laneContext)
	if !ok {
		wait()
		return
	}
	c.turns.release()
	wait()
	<-c.turns.queue()
}

// Lock locks a mutex that another lane may hold for long. Meanwhile another lane works, and teams may have
// the thread, of which they give back what they are asked for. Engines may not: they keep what they take
// (Take), and whoever waits here needs its thread again soon.
func Lock(ctx context.Context, mutex *sync.Mutex) {
	c, ok := ctx.(*laneContext)
	if !ok {
		mutex.Lock()
		return
	}
	for !mutex.TryLock() {
		c.turns.mutex.Lock()
		others := len(c.turns.waiting) > 0
		c.turns.mutex.Unlock()
		if !others { // who has it is at work, or waits for something else
			c.turns.soon.Add(1)
			defer c.turns.soon.Add(-1) // once it is at work again
			Rest(ctx, mutex.Lock)
			return
		}
		c.turns.pass()
	}
}

// Plain returns ctx for work that is not a part of its lane: looks at it do not count.
func Plain(ctx context.Context) context.Context {
	if c, ok := ctx.(*laneContext); ok {
		return c.Context
	}
	return ctx
}

// Of returns inner as a context of the lane of ctx, if ctx has one: looks at it count.
func Of(ctx, inner context.Context) context.Context {
	if c, ok := ctx.(*laneContext); ok {
		return &laneContext{inner, c.laneState}
	}
	return inner
}

// Half returns ctx with half of the time that is left.
func Half(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return ctx, func() {}
	}
	return Sliced(ctx, time.Until(deadline)/2)
}

// Sliced returns a context that ends when the lane of ctx has had so much time.
func Sliced(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	c, ok := ctx.(*laneContext)
	if !ok {
		return context.WithTimeout(ctx, d)
	}
	if c.turns.threads == 1 {
		return c.slice(d)
	}
	part, cancel := context.WithTimeout(c.Context, c.turns.stretched(d))
	return &laneContext{part, c.laneState}, cancel
}

// Looks returns those that all lanes have made; none without a bound.
func (t *Turnstile) Looks() int {
	if t == nil {
		return 0
	}
	return int(t.looks.Load())
}

// Elapsed returns the time since start: where one lane works at a time, as the looks tell it that
// all lanes have made from began on.
func (t *Turnstile) Elapsed(start time.Time, began int) time.Duration {
	if t == nil || t.threads != 1 {
		return time.Since(start)
	}
	return time.Duration(t.Looks()-began) * time.Millisecond / looksPerMillisecond
}

// UntilAfter returns Until(ctx, start.Add(d)) as a rule. Where one lane works at a time,
// it returns a context that counts looks instead: it ends when all lanes together have
// made as many looks since began as are made in d. By the clock that context ends when
// twice d is over.
func UntilAfter(ctx context.Context, start time.Time, d time.Duration, began int) (context.Context, context.CancelFunc) {
	c, ok := ctx.(*laneContext)
	if !ok || c.turns.threads != 1 {
		return Until(ctx, start.Add(d))
	}
	timed, end := context.WithDeadline(c.Context, start.Add(min(d, LongestSlice)*2))
	part, cancel := context.WithCancelCause(timed)
	s := &slice{
		Context: part, deadline: start.Add(d), cancel: cancel, ofAll: true,
		looks: began + rounded(int(looksPerMillisecond*min(d, LongestSlice)/time.Millisecond)),
	}
	c.slices = append(c.slices, s)
	return &laneContext{s, c.laneState}, func() {
		s.over.Store(true)
		cancel(nil)
		end()
	}
}

// rounded returns n with zeros for all digits but the first two. So a share of a time that began some
// milliseconds earlier or later is mostly the same.
func rounded(n int) int {
	unit := int(math.Pow10(max(0, len(strconv.Itoa(n))-2)))
	return n / unit * unit
}

// Until returns a context that ends at a time.
func Until(ctx context.Context, end time.Time) (context.Context, context.CancelFunc) {
	c, ok := ctx.(*laneContext)
	if !ok {
		return context.WithDeadline(ctx, end)
	}
	part, cancel := context.WithDeadline(c.Context, end)
	return &laneContext{part, c.laneState}, cancel
}

package questions

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"pnmc/cmd/pnmc/internal/asked"
)

// If questions come from a pipe and have one limit for all, easy ones are decided as they come.
// The share firstLooks of the time is for that. Each question has lookShare of what is left of
// it, and at most longestLook. The others are decided at the end, together. Where something is,
// reading ends when readingEnds of the time is over: a pipe may have no end.
const (
	firstLooks  = 0.5
	lookShare   = 1. / 8
	longestLook = time.Second
	readingEnds = 0.75
)

// errLeftForOpen is why a pipe is not read to its end.
var errLeftForOpen = errors.New("what is left of the total time is for what is not decided yet")

// decideArriving decides what comes from a pipe until ctx ends, which has a deadline.
//
// The problem: how many questions will come is not known, so that no question can be given its share
// of the time. Deciding the first one to the end may take all of it, and waiting for the last one may
// take for ever. So each question has a short look when it comes. Most are decided then, and printed.
// The others are kept, and share what is left at the end.
//
// For example, of 80 seconds 40 are for looks. The first look may take a second, as an eighth of 40
// is more. Once only 4 of the 40 are left, a look takes half a second, and less and less from then on:
// so there is a look for every question, however many come. If something is open after 60 seconds,
// reading ends, and 20 seconds are left for what is open.
func (s *session) decideArriving(ctx context.Context, list []asked.Flag) error {
	end, _ := ctx.Deadline()
	total := time.Until(end)
	order := &inOrder{emit: s.emitting(ctx), stream: s.c.Bool("stream"), waiting: make(map[*property]decided)}
	var open []*property
	var some atomic.Bool // is open
	defer time.AfterFunc(time.Duration(readingEnds*float64(total)), func() {
		if some.Load() {
			s.stopReading(errLeftForOpen)
		}
	}).Stop()
	looks := time.Duration(firstLooks * float64(total))
	err := s.eachProperty(list, func(p *property) error {
		order.all = append(order.all, p)
		begun := time.Now()
		look, cancel := context.WithTimeout(ctx, min(longestLook, time.Duration(lookShare*float64(looks))))
		defer cancel()
		defer func() { looks -= min(looks, time.Since(begun)) }()
		return s.decideAll(look, []*property{p}, func(d decided) error {
			if d.answer.Value.IsKnown() || d.err != nil || look.Err() == nil || ctx.Err() != nil {
				return order.add(d)
			}
			open = append(open, p)
			some.Store(true)
			return nil
		})
	})
	for _, p := range open {
		p.unknown = nil // its translation was cut off: it is begun again
	}
	return errors.Join(s.decideAll(ctx, open, order.add), err)
}

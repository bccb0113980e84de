package symbolic

import (
	"context"
	"errors"
	"slices"

	"pnmc/petri"
)

// A net that was made smaller mostly has a smaller diagram, too, but not always. Transitions that are
// composed of several touch places that had nothing to do with each other, and then a diagram that has
// some dozens of nodes on the net as it was grows beyond all limits on the way. Nothing tells these nets
// before. So where the race on the one net does not end soon, one on the other has turns beside it, and
// the first of the two that ends wins.
//
// For example, MAPKbis-PT-5310 has 106 places and 173 transitions, and 84 nodes. Reduced to 87 and 130 it
// has no diagram after some seconds more.
//
// The two races share memory, each half of it, until one of them ends.

// besideWork is how much the first race may do alone: some tenths of a second. After that the other race
// has as much work as the first.
const besideWork = 1_000_000

// triedBeside has the heuristics of the second race. With all of them, and other encodings, the first rounds
// alone would take a second. Of ten nets whose own diagrams are found soon, eight had such a winner.
var triedBeside = []string{"groups-follow", "force", "sloan-force", "sloan-reversed"}

// fewestBeside runners of the second race go on to the end.
const fewestBeside = 2

// ExploreBeside explores a net, as Explore does, and beside it another one, once the net has taken
// some work. It returns the states of one of them, and which one. A race that fails is given up where there is another;
// an error is that of the last one, or that of ctx.
func ExploreBeside(ctx context.Context, net, other *petri.Net, o Options) (s *StateSpace, of *petri.Net, err error) {
	return exploreBeside(ctx, net, other, o, besideWork)
}

// exploreBeside does, with other work than besideWork.
func exploreBeside(ctx context.Context, net, other *petri.Net, o Options, from uint64) (*StateSpace, *petri.Net, error) {
	first, err := enter(ctx, net, o)
	if err != nil {
		return nil, net, err
	}
	first.race.beside = true
	return (&contest{first: first, from: from, memory: first.race.options.Memory}).run(ctx, other)
}

// run gives turns until a race has all states, and returns them with their net. A race in which an encoding left something
// out begins again with the one that leaves nothing out.
func (c *contest) run(ctx context.Context, other *petri.Net) (*StateSpace, *petri.Net, error) {
	defer func() {
		c.first.race.end()
		if c.second != nil {
			c.second.race.end()
		}
	}()
	for {
		if c.second == nil && !c.alone && c.first.race.spent >= c.from {
			c.begin(ctx, other)
		}
		e := c.next()
		s, over, err := e.race.round(ctx)
		if !over {
			continue
		}
		s, err = finished(ctx, s, err)
		switch {
		case errors.Is(err, errExcluded):
			s.refuteExcluded(ctx, e.net)
			if err := c.again(e); err != nil {
				return nil, e.net, err
			}
		case err != nil && c.second != nil && ctx.Err() == nil && (e == c.second || !isUnbounded(err)):
			c.giveUp(e)
		default:
			if s != nil {
				s.Forest.setBudget(c.memory) // the other race is over
				s.refuteClaims(e.net)
			}
			return s, e.net, err
		}
	}
}

// A contest is that of two races, or of one alone.
type contest struct {
	first, second *entry // second: nil before it begins, and after it is given up
	from          uint64 // work of the first after which the second begins
	alone         bool   // there is no second any more
	memory        int64  // of both together
}

// begin begins the second race.
func (c *contest) begin(ctx context.Context, other *petri.Net) {
	r := c.first.race
	c.from = r.spent
	o := c.first.options
	o.Memory = r.options.Memory / 2
	second, err := enter(ctx, other, o)
	if err != nil {
		c.alone, r.beside = true, false
		return
	}
	r.options.Memory = o.Memory
	second.race.keepTried()
	second.race.beside, second.race.fewest = true, fewestBeside
	c.second = second
}

// keepTried leaves the orders of triedBeside, of the best encoding, unless orders were asked for.
func (r *race) keepTried() {
	if r.options.Heuristic != "" || r.options.Order != nil {
		return
	}
	best := r.runners[0].system
	r.runners = slices.DeleteFunc(r.runners, func(x *runner) bool {
		return x.system != best || !slices.Contains(triedBeside, x.name)
	})
}

// again begins the race of an entry again, with the encoding that leaves nothing out. It goes on with the turns that are its
// own, and with its part of the memory.
func (c *contest) again(e *entry) error {
	old := e.race
	old.end()
	r, err := newRace([]*System{e.plain}, old.options)
	if err != nil {
		return err
	}
	r.beside, r.fewest = old.beside, old.fewest
	r.spent, r.lateFrom = old.spent, old.spent+r.lateFrom
	if e == c.second {
		r.keepTried()
	}
	e.race = r
	return nil
}

// giveUp ends one of two races. The other one goes on alone.
func (c *contest) giveUp(e *entry) {
	e.race.end()
	if e == c.first {
		c.first = c.second
	}
	c.second, c.alone = nil, true
	r := c.first.race
	r.beside = false
	r.options.Memory *= 2
}

// next returns the entry whose turn it is: the one that has had less work since there are two.
func (c *contest) next() *entry {
	if c.second != nil && c.second.race.spent < c.first.race.spent-c.from {
		return c.second
	}
	return c.first
}

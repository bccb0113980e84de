package runs

import (
	"slices"

	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/petri"
)

// Shorter is a run that violates l as p does, or as each run that begins as p does, with as many
// steps left out as it finds not to be needed: first of the cycle, then of the way there. It is p
// itself if none is found, or the account ends.
func (p *Path) Shorter(work *account.Account, net *petri.Net, l *Question) *Path {
	if len(p.Markings) == 0 {
		return p
	}
	each := 0
	for _, predicate := range l.Predicates {
		each += predicateWork(net, predicate)
	}
	best, over := p, false
	// accepted asks whether a way and what is repeated behind it is such a run.
	accepted := func(way, cycle []petri.Transition) (bool, int) {
		if over {
			return false, 0
		}
		next, ok := p.like(net, way, cycle)
		if !ok {
			return false, (len(way) + len(cycle)) * (16 + len(p.Markings[0])) // it keeps the markings
		}
		judged, violates, err := next.Violates(work, net, l)
		if over = err != nil; violates && !over {
			best = judged
		}
		return violates && !over, len(next.Markings) * (each + 16 + len(next.Markings[0]))
	}
	way := p.Fired
	if p.Loop >= 0 {
		way = p.Fired[:p.Loop]
	}
	if straight := witness.Direct(net, p.Markings[0], way); len(straight) < len(way) {
		if ok, _ := accepted(straight, p.Fired[len(way):]); ok {
			way = straight
		}
	}
	if p.Loop < 0 || len(p.Fired) == p.Loop {
		witness.LeaveOut(net, p.Markings[0], way, func(way []petri.Transition, _ petri.Marking) (bool, int) { return accepted(way, nil) })
		return best
	}
	cycle := witness.LeaveOut(net, p.Markings[p.Loop], p.Fired[p.Loop:], func(cycle []petri.Transition, _ petri.Marking) (bool, int) {
		if len(cycle) == 0 {
			return false, 0
		}
		return accepted(way, cycle)
	})
	witness.LeaveOut(net, p.Markings[0], way, func(way []petri.Transition, _ petri.Marking) (bool, int) { return accepted(way, cycle) })
	return best
}

// like is the path of other steps that ends as p does: in a deadlock, in a cycle, or anyhow.
func (p *Path) like(net *petri.Net, way, cycle []petri.Transition) (*Path, bool) {
	q := &Path{Fired: slices.Concat(way, cycle), Loop: -1}
	m := slices.Clone(p.Markings[0])
	for _, t := range q.Fired {
		q.Markings = append(q.Markings, slices.Clone(m))
		if !net.Fire(m, t) {
			return nil, false
		}
	}
	switch {
	case len(cycle) > 0:
		q.Loop = len(way)
		return q, slices.Equal(m, q.Markings[q.Loop])
	case p.Loop >= 0:
		q.Markings, q.Loop = append(q.Markings, m), len(way)
		return q, net.Deadlock(m)
	}
	q.Markings = append(q.Markings, m)
	return q, true
}

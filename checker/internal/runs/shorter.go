package runs

import (
	"slices"

	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/petri"
)

// Shorter is a run that violates l as p does, or as each run that begins as p does, with as many
// steps left out as it finds not to be needed: first of the cycle, then of the way there. It is p
// itself if none is found, or the account ends; otherwise its markings are not kept.
func (p *Path) Shorter(work *account.Account, net *petri.Net, l *Question) *Path {
	if len(p.Markings) == 0 {
		return p
	}
	each := letterWork(net, l)
	best, over := p, false
	// accepted asks whether a way and what is repeated behind it is such a run.
	accepted := func(way, cycle []petri.Transition) (bool, int) {
		if over {
			return false, 0
		}
		next := &Path{Fired: slices.Concat(way, cycle), Loop: -1}
		if p.Loop >= 0 {
			next.Loop = len(way)
		}
		m := slices.Clone(p.Markings[0])
		w, at, stuck, err := next.replayed(work, net, l, m)
		if over = err != nil; over || stuck >= 0 || next.Loop >= 0 && (!slices.Equal(m, at) || len(cycle) == 0 && !net.Deadlock(m)) {
			return false, len(next.Fired) * (16 + len(m))
		}
		length, violates, err := w.judge(work)
		if over = err != nil; violates && !over {
			if best = next; next.Loop < 0 {
				best.Fired = next.Fired[:length-1]
			}
		}
		return violates && !over, len(w.Letters) * (each + 16 + len(m))
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

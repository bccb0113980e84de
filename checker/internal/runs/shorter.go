package runs

import (
	"slices"

	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/petri"
)

// longestShorter bounds the steps of runs that are made shorter: each try fires them all again, and has a
// letter for each.
const longestShorter = 1 << 16

// Shorter returns a run that violates l as p does, or if p has no loop, whose continuations all do.
// It leaves out as many steps as it finds not to be needed, first of the cycle, then of the way
// there, and judges each result. It returns p itself if it finds none, or the account ends at once;
// another result has no markings, only steps. So is a run that is so long that nobody reads it in any case.
func (p *Path) Shorter(work *account.Account, net *petri.Net, l *Question) *Path {
	if len(p.Markings) == 0 || len(p.Fired) > longestShorter {
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

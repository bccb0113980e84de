package walk

import (
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/petri"
)

// snapshot is a marking of the present walk with the length of the run to it.
type snapshot struct {
	marking petri.Marking
	length  int
}

// snapshots are taken every so many steps; the last few are kept.
const (
	snapshotEvery = 32
	snapshots     = 8
)

// pump looks for an earlier marking of the walk that the present one covers:
// what led from there to here can be repeated for ever.
func (w *Walk) pump() {
	for _, s := range w.past {
		net := w.board.game.net
		if !net.Repeats(s.marking, w.board.marking) && (net.Plain() || !net.RepeatsBy(s.marking, w.board.marking, witness.Fired(w.run[s.length:]))) {
			continue
		}
		for i := range w.goals {
			g := &w.goals[i]
			if g.maximum == nil || g.done {
				continue
			}
			number := logic.Polynomial{Sum: *g.maximum, Products: g.products}
			if number.Grows(s.marking, w.board.marking) &&
				w.Pumped(i, append([]witness.Burst(nil), w.run[:s.length]...), append([]witness.Burst(nil), w.run[s.length:]...)) {
				w.Drop(i)
			}
		}
	}
	now := snapshot{append(petri.Marking(nil), w.board.marking...), len(w.run)}
	if len(w.past) < snapshots {
		w.past = append(w.past, now)
	} else {
		w.past[w.rng.IntN(snapshots)] = now
	}
}

package walk

import "pnmc/checker/witness"

// Where there are many goals, as whether each transition can ever fire, one long walk reaches hundreds
// of them. A run for each, copied and replayed, costs as much as the walk again each time. So they are
// reported together, with one run that leads to all of them, one after the other: at the latest when
// the walk ends or goes back, and before that once they are enough to be worth it.

// Reached is a goal that a run reaches after its first bursts, so many of them.
type Reached struct{ Goal, Length int }

const (
	// manyGoals is how many open goals there are where they are reported together.
	manyGoals = 16
	// perReport is how many bursts there may be in a run for each goal that it reaches.
	perReport = 64
)

// reach notes a goal that holds now, or reports it at once. A goal that is noted is reported once only.
func (w *Walk) reach(i int) {
	if w.FoundAlong == nil || w.open <= manyGoals && len(w.reached) == 0 {
		if w.Found(i, 0, append([]witness.Burst(nil), w.run...)) {
			w.Drop(i)
		}
		return
	}
	if w.goals[i].noted {
		return
	}
	w.goals[i].noted = true
	if w.reached = append(w.reached, Reached{i, len(w.run)}); len(w.reached)*perReport >= len(w.run) || len(w.reached) == w.open {
		w.reportReached()
	}
}

// reportReached reports the goals that were noted.
func (w *Walk) reportReached() {
	if len(w.reached) == 0 {
		return
	}
	last := w.reached[len(w.reached)-1].Length
	done := w.FoundAlong(append([]witness.Burst(nil), w.run[:last]...), w.reached)
	for i, r := range w.reached {
		if w.goals[r.Goal].noted = false; done[i] {
			w.Drop(r.Goal)
		}
	}
	w.reached = w.reached[:0]
}

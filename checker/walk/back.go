package walk

import "slices"

// back takes the last firings of the run back.
func (w *Walk) back(firings int) {
	w.report()
	if w.board.game.resets {
		w.backByReplay(len(w.run) - firings)
		return
	}
	left := len(w.run) - firings
	w.board.takeBack(w.run[left:], left == 0)
	w.truths.takenBack(w.run[left:])
	w.run = w.run[:left]
	w.truths.forget()
	w.next = w.next[:0]
	w.past = slices.DeleteFunc(w.past, func(s snapshot) bool { return s.length > len(w.run) })
}

// backByReplay makes the first steps of the run again, and ends it there: what a reset has taken
// can't be given back.
func (w *Walk) backByReplay(steps int) {
	w.board.restart()
	w.run = w.run[:steps]
	for _, s := range w.run {
		w.board.fire(uint32(s.Transition), s.Times)
	}
	w.truths.read()
	w.truths.forget()
	w.next = w.next[:0]
	w.past = slices.DeleteFunc(w.past, func(s snapshot) bool { return s.length > len(w.run) })
}

// takeBack undoes firings, the last ones, all at once. home says that this leads to the initial marking.
func (b *board) takeBack(run []burst, home bool) {
	if b.total == nil {
		b.total = make([]int64, len(b.marking))
	}
	b.changes = b.changes[:0]
	for _, f := range run {
		for _, c := range b.game.effect(uint32(f.Transition)) {
			if b.total[c.place] == 0 {
				b.changes = append(b.changes, change{place: c.place})
			}
			b.total[c.place] -= c.delta * f.Times
		}
	}
	kept := b.changes[:0]
	for _, c := range b.changes { // a place whose total was zero on the way comes twice
		if c.delta = b.total[c.place]; c.delta != 0 {
			b.total[c.place] = 0
			kept = append(kept, c)
		}
	}
	if b.changes = kept; home && b.game.crowds != nil {
		past, wasAble := b.enabled, b.able
		b.restart()
		b.tell(past, wasAble)
		return
	}
	b.change(kept, 1)
}

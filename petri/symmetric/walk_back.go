package symmetric

import (
	"cmp"
	"slices"
)

// Remember makes the present marking the one to come back to.
func (w *Walk) Remember() { w.changes = make(map[fact]int64) }

// Returned reports whether the walk is in the remembered marking.
func (w *Walk) Returned() bool { return len(w.changes) == 0 }

// StepBack fires a binding that takes a token where there are more than in the remembered marking.
// In many nets what has begun is ended so, and the marking is the same again. For example, after
// "client 7 begins" there is a token 7 on busy that was not there; the only binding that takes it
// is "client 7 ends". Of several such tokens and bindings it takes a random one. The error is
// ErrSearchLimit if it finds none; others are those of Step.
func (w *Walk) StepBack() (Firing, error) {
	var surplus []fact
	for f, count := range w.changes {
		if count > 0 {
			surplus = append(surplus, f)
		}
	}
	slices.SortFunc(surplus, func(a, b fact) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.tuple, b.tuple))
	})
	w.random.Shuffle(len(surplus), func(i, j int) { surplus[i], surplus[j] = surplus[j], surplus[i] })
	for _, f := range surplus {
		w.random.Shuffle(len(w.order), func(i, j int) { w.order[i], w.order[j] = w.order[j], w.order[i] })
		for _, i := range w.order {
			if !w.net.Transitions[i].allows(w.sums) {
				continue
			}
			for _, p := range w.plans[i] {
				if p.trigger == nil || p.trigger.place != f.place {
					continue
				}
				w.found, w.work, w.enabling = nil, 0, i
				w.runners[i].start(p, f.tuple)
				if w.err != nil {
					return Firing{}, w.err
				}
				if w.found != nil {
					return Firing{i, w.found}, w.fire(i, w.found)
				}
			}
		}
	}
	return Firing{}, ErrSearchLimit
}

// change notes how a count differs from what it was in the remembered marking.
func (w *Walk) change(place int, tuple, count int64) {
	f := fact{place, tuple}
	if w.changes[f] += count; w.changes[f] == 0 {
		delete(w.changes, f)
	}
}

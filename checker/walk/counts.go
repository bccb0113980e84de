package walk

import "context"

// This file has walks along counts. A solution of the state equation says how often each transition
// fires in a run to the goal, if there is such a run. The order is lost, and is what a walk looks for: it
// fires transitions that are enabled and whose count is not used up yet.
//
// Often none of these is enabled, as what a run borrows shows in no count: to fire t, which needs a token
// on p and gives it back, p may have to be filled by u and emptied by v later. Then a relaxed plan leads to
// the cheapest of the transitions that are left. When all counts are used up and the goal isn't reached,
// plans for the goal itself lead on for a while.
//
// The idea is that of Parikh-guided walks (Thierry-Mieg, "Structural reductions revisited", PETRI NETS
// 2020).

// counts are what is left to fire.
type counts struct {
	goal    int
	turn    int
	left    []int64  // by transition
	open    []uint32 // transitions with firings left
	tail    int      // steps that may follow when none is left
	helps   int      // plans that may be made for transitions that are not enabled
	burst   bool     // fire as often as possible
	walking bool     // the present walk is along them
}

// What bounds a walk along counts: when all are used up, as many steps may follow again, and leastTail more.
// At most mostHelps plans lead to a transition that is left. One step in otherOften is not along the counts,
// so that no walk is caught where a solution belongs to no run.
const (
	leastTail  = 64
	mostHelps  = 200
	otherOften = 64
)

// IsAlongCounts reports whether the present walk is along counts.
func (w *Walk) IsAlongCounts() bool { return w.counts.walking }

// walkAlongCounts makes walks along the counts for one goal, until they have as many steps together as one
// by another policy.
func (w *Walk) walkAlongCounts(ctx context.Context) {
	if w.Counts == nil {
		return
	}
	w.counts.walking = true
	defer func() { w.counts.walking = false }()
	for until := w.Steps + int64(w.length); w.Steps < until && w.open > 0 && ctx.Err() == nil && !w.tooMuch(alongCounts, farAhead); {
		before := w.Steps
		if !w.beginCounts() {
			return
		}
		w.walk(ctx, alongCounts, int(until-w.Steps))
		if w.Steps == before {
			return
		}
	}
}

// countedTargets is how many goals are drawn until one has counts.
const countedTargets = 4

// beginCounts chooses a goal and a solution for it. It reports false if none is known.
func (w *Walk) beginCounts() bool {
	c := &w.counts
	if c.left == nil {
		c.left = make([]int64, w.net.Transitions())
	}
	for _, t := range c.open {
		c.left[t] = 0
	}
	c.open = c.open[:0]
	c.goal = w.target()
	c.turn++
	total := 0
	for range countedTargets {
		for _, b := range w.Counts(c.goal, c.turn) {
			c.left[b.Transition] = b.Times
			c.open = append(c.open, uint32(b.Transition))
			total += int(min(b.Times, longestWalk))
		}
		if len(c.open) > 0 {
			break
		}
		c.goal = w.target()
	}
	w.rng.Shuffle(len(c.open), func(i, j int) { c.open[i], c.open[j] = c.open[j], c.open[i] })
	c.tail, c.helps, c.burst = leastTail+min(total, longestWalk), mostHelps, w.rng.IntN(2) == 0
	w.spent[alongCounts] += w.planWork + int64(len(c.open)) // to begin anew takes time linear in the net
	return len(c.open) > 0
}

// counted returns the next firing along the counts, and how many times; t, which is enabled, at times. With
// 0 times the walk ends. It looks at no more than the transitions that are left.
func (w *Walk) counted(t uint32) (u uint32, times int64) {
	c := &w.counts
	if w.rng.IntN(otherOften) == 0 {
		return w.countDown(t, 1)
	}
	for len(w.next) > 0 {
		u := w.next[len(w.next)-1]
		w.next = w.next[:len(w.next)-1]
		if w.board.isEnabled(u) {
			return w.countDown(u, 1)
		}
	}
	if n := len(c.open); n > 0 {
		offset := w.rng.IntN(n)
		for i := range n {
			if u := c.open[(offset+i)%n]; w.board.isEnabled(u) {
				w.spent[alongCounts] += int64(i)
				times := int64(1)
				if c.burst {
					times = w.board.most(u, c.left[u])
				}
				return w.countDown(u, times)
			}
		}
		if c.helps--; c.helps < 0 {
			return t, 0
		}
		w.spent[alongCounts] += w.planWork + int64(n)
		w.next = w.plan.stepsTo(c.open, w.next)
		if len(w.next) == 0 {
			return t, 0
		}
		return w.counted(t)
	}
	if c.tail--; c.tail < 0 {
		return t, 0
	}
	return w.planned(alongCounts, t, c.goal), 1
}

// countDown takes firings from the counts, and returns what it is given.
func (w *Walk) countDown(t uint32, times int64) (uint32, int64) {
	c := &w.counts
	if c.left[t] > 0 {
		if c.left[t] = max(0, c.left[t]-times); c.left[t] == 0 {
			for i, u := range c.open {
				if u == t {
					c.open[i] = c.open[len(c.open)-1]
					c.open = c.open[:len(c.open)-1]
					break
				}
			}
		}
	}
	return t, times
}

package symbolic

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"pnmc/petri"
)

// Whether a net is unbounded is decidable, but at any cost: the tree of Karp and Miller ("Parallel
// program schemata", 1969), whose leaves cover markings before them, can be larger than anything.
// But a few walks through the net find such a pair most often. If m' covers m and is reachable from
// it, then what was fired between can be fired again and again, and each time it adds m' - m.
// (Places that are watched must have as many tokens in both: see petri.Net.RepeatsBy.)
//
// For example, a producer goes idle→busy→idle and puts a token into a buffer on its way. Beside it
// are nine other processes. A walk that fires now here, now there, hardly ever has all ten where
// they were, though the buffer grows. So a walk prefers transitions that take tokens just put
// somewhere. It goes round the cycle of one process while the others stand still: after two firings
// the marking is the first one with a token more in the buffer.

const (
	// growthWork bounds the walks, by the places and transitions looked at: some ten
	// milliseconds.
	growthWork = 1 << 24
	// growthSteps bounds a walk, in firings, and growthTokens its memory, in numbers.
	growthSteps  = 1 << 10
	growthTokens = 1 << 22
)

// A growthWalk goes through a net at random. Its random numbers are the same for each net and run.
type growthWalk struct {
	net    *petri.Net
	random *rand.Rand
	work   int

	marking  petri.Marking
	sum      uint64                // of the marking's tokens
	path     []petri.Marking       // markings so far
	sums     []uint64              // of their tokens
	follow   bool                  // prefer transitions that take what was just put
	taken    []petri.Transition    // from one to the next
	last     petri.Transition      // fired, if there is one
	possible [2][]petri.Transition // all enabled ones, and those that follow last
}

// findGrowth walks through the net in search of two markings of which one covers the other. It
// returns a place that gets more tokens between them, or nil if it finds none.
func findGrowth(ctx context.Context, net *petri.Net) *petri.UnboundedError {
	w := &growthWalk{net: net, random: rand.New(rand.NewPCG(1969, 147))}
	for w.work < growthWork && ctx.Err() == nil && net.Places() > 0 {
		w.follow = !w.follow
		if p, found := w.walk(); found {
			return &petri.UnboundedError{Place: p, ID: net.PlaceLabel(p).ID}
		}
	}
	return nil
}

// walk walks from the initial marking on, to a deadlock or as far as is allowed.
func (w *growthWalk) walk() (petri.Place, bool) {
	w.marking, w.sum = w.net.Initial(), 0
	for _, n := range w.marking {
		w.sum += uint64(n)
	}
	w.path, w.sums, w.taken = w.path[:0], w.sums[:0], w.taken[:0]
	for step := range min(growthSteps, growthTokens/w.net.Places()+1) {
		if w.work > growthWork {
			break
		}
		w.path, w.sums = append(w.path, slices.Clone(w.marking)), append(w.sums, w.sum)
		if !w.fire(step > 0) {
			break
		}
		if p, found := w.covers(); found {
			return p, true
		}
	}
	w.work++
	return 0, false
}

// fire fires one of the transitions that are enabled. It reports false if there is none, or counts
// get too large.
func (w *growthWalk) fire(walking bool) bool {
	w.possible[0], w.possible[1] = w.possible[0][:0], w.possible[1][:0]
	w.work += w.net.Transitions()
	for t := range petri.Transition(w.net.Transitions()) {
		if !w.net.Enabled(w.marking, t) {
			continue
		}
		w.possible[0] = append(w.possible[0], t)
		if walking && w.follow && takesFrom(w.net.Pre(t), w.net.Post(w.last)) {
			w.possible[1] = append(w.possible[1], t)
		}
	}
	choice := w.possible[0]
	// Now and then another process goes on, or none would ever start.
	if len(w.possible[1]) > 0 && w.random.IntN(16) > 0 {
		choice = w.possible[1]
	}
	if len(choice) == 0 {
		return false
	}
	w.last = choice[w.random.IntN(len(choice))]
	if !w.net.Fire(w.marking, w.last) {
		return false // more than 2^63-1 tokens
	}
	w.taken = append(w.taken, w.last)
	if w.net.HasResets() {
		w.sum = 0
		for _, n := range w.marking {
			w.sum += uint64(n)
		}
		return w.sum < math.MaxInt64
	}
	for _, a := range w.net.Pre(w.last) {
		w.sum -= uint64(a.Weight)
	}
	for _, a := range w.net.Post(w.last) {
		w.sum += uint64(a.Weight)
	}
	return w.sum < math.MaxInt64
}

// takesFrom reports whether two sorted lists of arcs have a place in common.
func takesFrom(pre, post []petri.Arc) bool {
	for len(pre) > 0 && len(post) > 0 {
		switch {
		case pre[0].Place == post[0].Place:
			return true
		case pre[0].Place < post[0].Place:
			pre = pre[1:]
		default:
			post = post[1:]
		}
	}
	return false
}

// covers looks for an earlier marking that the present one covers strictly, and returns a place
// with more tokens.
func (w *growthWalk) covers() (petri.Place, bool) {
	for i, before := range w.path {
		if w.sums[i] >= w.sum {
			continue
		}
		more, covered := -1, true
		for q, n := range before {
			w.work++
			if w.marking[q] < n {
				covered = false
				break
			} else if w.marking[q] > n {
				more = q
			}
		}
		if covered && w.net.RepeatsBy(before, w.marking, slices.Values(w.taken[i:])) {
			return petri.Place(more), true
		}
	}
	return 0, false
}

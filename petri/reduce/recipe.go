package reduce

import (
	"math"

	"pnmc/petri"
)

// recipe is the sequence of original transitions that a transition of the reduced net stands for.
// Runs of the reduced net become runs of the original one by it.
//
// A transition that was agglomerated a thousand times would need a list a thousand long. One that
// repeats its consumer a million times for each producer, and that twice over, would need more
// than memory holds. So sequences are trees that share their parts. A nil recipe is the empty
// sequence, a leaf is one transition, and any other node is its first part followed by its second.
// Neither is ever changed, so that a part may belong to many.
//
// For example, r repeated 5 times: r·r is one node, (r·r)·(r·r) another, and r followed by that is the
// third and the result. For n repetitions there are about 2·log n nodes.
//
// size is the length of the sequence. It saturates instead of wrapping around, so that a caller can
// see that a sequence is too long before expanding it.
type recipe struct {
	transition    petri.Transition
	first, second *recipe
	size          int
}

// leaf returns the recipe of a single transition.
func leaf(t petri.Transition) *recipe { return &recipe{transition: t, size: 1} }

// length returns the number of transitions in the sequence, or math.MaxInt if it is that or more.
func (r *recipe) length() int {
	if r == nil {
		return 0
	}
	return r.size
}

// then returns r followed by s.
func (r *recipe) then(s *recipe) *recipe {
	switch {
	case r == nil:
		return s
	case s == nil:
		return r
	}
	size := math.MaxInt
	if r.size < math.MaxInt-s.size {
		size = r.size + s.size
	}
	return &recipe{first: r, second: s, size: size}
}

// times returns r repeated n times, in logarithmic time and space.
func (r *recipe) times(n int64) *recipe {
	var result *recipe
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			result = result.then(r)
		}
		r = r.then(r)
	}
	return result
}

// expand appends the sequence to run.
func (r *recipe) expand(run []petri.Transition) []petri.Transition {
	r.each(func(t petri.Transition) bool {
		run = append(run, t)
		return true
	})
	return run
}

// each hands over the transitions of the sequence, until yield returns false. It needs no recursion, as
// trees may be as deep as sequences are long.
func (r *recipe) each(yield func(petri.Transition) bool) {
	stack := []*recipe{r}
	for len(stack) > 0 {
		r := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch {
		case r == nil:
		case r.first == nil:
			if !yield(r.transition) {
				return
			}
		default:
			stack = append(stack, r.second, r.first)
		}
	}
}

package reduce

import (
	"math"

	"pnmc/petri"
)

// recipe is a sequence of original transitions, shared as a tree: nil is the
// empty sequence, a leaf one transition, another node the sequence of its parts.
type recipe struct {
	transition    petri.Transition
	first, second *recipe
	size          int
}

func leaf(t petri.Transition) *recipe { return &recipe{transition: t, size: 1} }

func (r *recipe) length() int {
	if r == nil {
		return 0
	}
	return r.size
}

// then is r followed by s; lengths saturate.
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

// times is r repeated n times, in logarithmic space.
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
	stack := []*recipe{r}
	for len(stack) > 0 {
		r := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch {
		case r == nil:
		case r.first == nil:
			run = append(run, r.transition)
		default:
			stack = append(stack, r.second, r.first)
		}
	}
	return run
}

package branching

import (
	"math"

	"pnmc/petri"
)

// A search on the fly goes in rounds.
//
// The problem. A nested formula is many searches, and one that does not end hides the others. For
// EG (AF p | q) to hold it may do to stay where q holds. But AF p comes to its end only if all runs
// that avoid p were looked at, and these may be more than there is memory for.
//
// The idea. In a round each search may visit so many markings only. If it comes to no end by then, its
// result is unknown, and the search around it goes on without it, as far as it can: a disjunction is
// true if another operand is, an until holds if there is a path whose markings are known, and fails
// only if nothing on the way is unknown. If the whole formula is unknown at the end, another round
// begins, with more markings for each search. What was found out remains, be it true or false; what
// was unknown is asked again.
//
// Why it is right. True and false are noted only for what was proven, by the rules of Search, from
// what was proven before. Unknown is used for neither. So a bound makes results unknown, never wrong.
// Once no search is cut off, nothing is unknown, so that the rounds end if the state graph is finite.
//
// What it costs. All searches of a round together may visit some times as many markings as one of
// them. Bounds grow by a factor, so that all rounds together cost little more than the last. A search that
// ends without a result leaves unknown what it has visited: others of the same subformula, in the
// same round, stop there.
//
// A place without a bound is no obstacle, as no search goes on for ever. So growth is followed, in
// the steps of followGrowth. What fails only if all markings were seen stays unknown then.
//
// Rounds of a deep search take turns in how they go, as what one meets early another meets late, or never. Breadth first
// meets what is near. Depth first with successors as they come, or in reverse, fires one transition as
// often as it goes, and then another: that comes to where a place has thousands of tokens. Depth first
// at random does neither, and meets cycles.

const (
	// firstBound is how many markings a search may visit in the first round.
	firstBound = 32
	// boundGrowth is the factor from one round's bound to the next one's.
	boundGrowth = 2
	// firstBroadBound and broadGrowth are the same for searches that are always breadth first. They
	// are to prove something, which few markings do.
	firstBroadBound = 1 << 14
	broadGrowth     = 8
	// firstFollowed is up to how many tokens unbounded places are followed at first, where some
	// place is unbounded, and followGrowth the factor to the next time; mostFollowed bounds it.
	firstFollowed = 1 << 10
	followGrowth  = 1 << 6
	mostFollowed  = 1 << 40
	// roundOfBounds is how many searches of full length there may be in a round.
	roundOfBounds = 64
)

// inRounds returns what is known of the root in the initial marking, with s.err set if that is nothing.
func (s *Search) inRounds() uint8 {
	growth := boundGrowth
	if !s.deep {
		growth = broadGrowth
	}
	for s.bound = s.first; ; s.bound *= growth {
		if s.deep {
			s.going = (s.going + 1) % ways // breadth first comes last: another engine begins with it
		}
		s.left = roundOfBounds * s.bound
		value := s.evaluate(s.root, s.kripke.Initial())
		if value != memoUnknown || s.err != nil || !s.forgetUnknown() {
			s.left = math.MaxInt // for who asks again what was found
			return value
		}
	}
}

// A way is an order in which searches visit markings.
type way uint8

const (
	breadthFirst way = iota
	depthFirst
	depthFirstAtRandom
	depthFirstReversed
	ways
)

// followsFurther reports whether places are followed to more tokens than before, so that no firing
// is left out that was.
func (s *Search) followsFurther() bool {
	if !s.deep || s.followed >= mostFollowed {
		return false
	}
	s.followed = max(firstFollowed, followGrowth*s.followed)
	s.kripke.FollowGrowth(s.followed)
	return true
}

// FollowsGrowth reports whether the search followed places that are unbounded. Its structure then has
// states that are of no use to who explores all of them.
func (s *Search) FollowsGrowth() bool { return s.followed > 0 }

// isOver reports whether a search that has visited so many markings may visit no more. It counts one
// that it may visit.
func (s *Search) isOver(visited int) bool {
	s.left--
	return visited >= s.bound || s.left < 0
}

// forgetUnknown forgets which markings were unknown. It reports false when the search must end.
func (s *Search) forgetUnknown() bool {
	for i := range s.nodes {
		memo := s.nodes[i].memo
		for at, v := range memo {
			if v == memoUnknown {
				memo[at] = 0
			}
		}
		if !s.charge(len(memo)) {
			return false
		}
	}
	return true
}

// turn returns which of several successors of a marking is looked at as the i-th.
func (s *Search) turn(at petri.StateID, i, of int) int {
	switch s.going {
	case depthFirstAtRandom:
		first := (uint64(at) + 1) * s.odd >> 33
		return int((first + uint64(i)) % uint64(of))
	case depthFirstReversed:
		return of - 1 - i
	}
	return i
}

// truthOf returns what a memo has for a value.
func truthOf(value bool) uint8 {
	if value {
		return memoTrue
	}
	return memoFalse
}

// opposite returns the truth of a negation.
func opposite(v uint8) uint8 {
	switch v {
	case memoTrue:
		return memoFalse
	case memoFalse:
		return memoTrue
	}
	return v
}

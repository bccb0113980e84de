package reduce

import "math/big"

// Sharing counts in how many ways places of a reduced net share out their tokens among those that they stand for (Counts). It
// remembers the last number of each place: the next one is often that of a few tokens more or less, and follows from it by a
// product and a quotient for each of these. Not safe for concurrent use.
type Sharing struct {
	counts *Counts
	last   []shared // by place
}

// shared is in how many ways a place shares out so many tokens; nil if that is not known yet.
type shared struct {
	tokens int64
	ways   *big.Int
}

// Sharing returns a count for the places of the reduced net.
func (c *Counts) Sharing() *Sharing { return &Sharing{c, make([]shared, len(c.Groups))} }

// Ways returns in how many ways a place of the reduced net shares out its tokens, if needed ones of them
// stay where they are needed: n tokens among k+1 places in C(n+k, k) ways. It calls charge with about how many nanoseconds each
// step took.
func (s *Sharing) Ways(place int, tokens, needed int64, charge func(work int)) *big.Int {
	n, k := tokens-needed, int64(len(s.counts.Groups[place])-1)
	if n < 0 {
		return new(big.Int)
	}
	from, ways := int64(0), big.NewInt(1) // no token, in one way
	if last := s.last[place]; last.ways != nil && max(n-last.tokens, last.tokens-n) < min(n, k) {
		from, ways = last.tokens, new(big.Int).Set(last.ways)
	} else if k < n {
		// C(n+k, k) by k steps in place of n: as if k tokens were shared out among n+1 places.
		grow(ways, 0, k, n, charge)
		from = n
	}
	grow(ways, from, n, k, charge)
	s.last[place] = shared{n, new(big.Int).Set(ways)}
	return ways
}

// grow makes C(from+k, k) to C(to+k, k).
func grow(ways *big.Int, from, to, k int64, charge func(work int)) {
	const stepWork, wordWork = 100, 10
	var factor big.Int
	for ; from < to; from++ { // C(n+1+k, k) = C(n+k, k)·(n+1+k)/(n+1)
		ways.Mul(ways, factor.SetInt64(from+1+k))
		ways.Quo(ways, factor.SetInt64(from+1))
		charge(stepWork + wordWork*len(ways.Bits()))
	}
	for ; from > to; from-- {
		ways.Mul(ways, factor.SetInt64(from))
		ways.Quo(ways, factor.SetInt64(from+k))
		charge(stepWork + wordWork*len(ways.Bits()))
	}
}

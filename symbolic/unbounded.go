package symbolic

import (
	"context"
	"errors"
	"fmt"
	"math"

	"pnmc/petri"
)

// Saturation of an unbounded net has no end: a place gets token after token until memory or time is
// over. Most nets have proven bounds, by their semiflows. In the others the values in diagrams are
// watched, in two steps.
//
// The first step comes when a place without proven bound gets a doubtful number of tokens. That is
// so many more than it has at first, or a second one in a net that its units call safe. Then walks
// look for a firing sequence that can be repeated for ever (findGrowth). If they find one, the net
// is unbounded, and the exploration ends with that.
//
// If they find none, the place may get some thousands of tokens more. Beyond, the exploration ends
// with a GrowthError, which says that it was given up, not that the net is unbounded.
//
// Nothing is spent on nets that stay below: a new largest value of a level is rare, and only that
// is looked at (grow).

const (
	// doubtful is a count that bounded places whose bound is unproven rarely reach.
	doubtful = 64
	// mostUnproven is how many tokens more a place may get: this many, and unprovenFactor
	// for each token of the initial marking, which most bounds are in proportion to.
	mostUnproven   = 1 << 12
	unprovenFactor = 16
)

// GrowthError says that a place without a known bound got so many tokens that exploration was given
// up.
type GrowthError struct {
	ID     string
	Tokens uint32
	// Claimed: the net's units claim that it is safe, which is false.
	Claimed bool
}

// Error returns a sentence that names the place.
func (e *GrowthError) Error() string {
	claim := ""
	if e.Claimed {
		claim = " but a claim that the net is safe, which is false"
	}
	return fmt.Sprintf("place %q gets %d tokens or more, and no bound of it is known%s", e.ID, e.Tokens, claim)
}

// isUnbounded reports whether an exploration ended because values grow without a known
// end, which another order of the variables does not change.
func isUnbounded(err error) bool {
	return errors.As(err, new(*GrowthError)) || errors.As(err, new(*petri.UnboundedError))
}

// A watch is on the levels of a forest whose values have no proven bound.
type watch struct {
	doubtful []uint32 // by level: values above are looked into
	most     uint32   // doubtful values above end the exploration
	names    []string // by level
	claimed  bool     // that no value is above 1
	grows    func() error
	asked    bool
}

// grow notes that a node of that level has that value, and has it checked if it is the largest so far.
func (f *Forest) grow(level int, value uint32) {
	if value <= f.largest[level] {
		return
	}
	f.largest[level] = value
	if f.watch != nil && value > f.watch.doubtful[level] {
		f.watch.check(level, value)
	}
}

// check stops the operation if a doubtful value goes too far.
func (w *watch) check(level int, value uint32) {
	if !w.asked {
		w.asked = true
		if err := w.grows(); err != nil {
			panic(stop{err})
		}
	}
	if value > w.most {
		panic(stop{&GrowthError{w.names[level], value, w.claimed}})
	}
}

// watchGrowth puts a watch on the variables of sp without proven bound, if any.
func (sp *space) watchGrowth() {
	if sp.system.unproven == nil {
		return
	}
	w := &watch{
		doubtful: make([]uint32, len(sp.levels)+1), names: make([]string, len(sp.levels)+1),
		grows: sp.system.grows, most: sp.system.mostValue(), claimed: sp.system.claimedSafe,
	}
	for v, level := range sp.levels {
		w.names[level], w.doubtful[level] = sp.system.Names[v], math.MaxUint32
		if initial := sp.system.Initial[v]; sp.system.unproven[v] && initial < math.MaxUint32/2 {
			if w.doubtful[level] = initial + doubtful; w.claimed {
				w.doubtful[level] = max(1, initial)
			}
		}
	}
	sp.forest.watch = w
}

// mostValue returns the largest value that variables without proven bound may have.
func (s *System) mostValue() uint32 {
	tokens := uint64(0)
	for p := range s.Places() {
		c := s.code(uint32(p))
		tokens += uint64(c.tokens(s.Initial[c.Variable]))
	}
	return uint32(min(math.MaxUint32, mostUnproven+unprovenFactor*tokens))
}

// markUnproven finds the variables of s, the plain system of the net, that have no proven bound. A
// net that its units call safe is not proven safe. But until a place gets a second token there is
// nothing to watch.
func (s *System) markUnproven(ctx context.Context, net *petri.Net, facts petri.Facts) {
	nupn := net.NUPN()
	s.claimedSafe = nupn != nil && nupn.Safe
	for p := range s.Names {
		if facts.Bound(petri.Place(p)) == petri.Unbounded {
			if s.unproven == nil {
				s.unproven = make([]bool, len(s.Names))
			}
			s.unproven[p] = true
		}
	}
	if s.unproven == nil {
		return
	}
	done, found := false, error(nil) // races ask once for all their runners
	s.grows = func() error {
		if !done {
			done = true
			if e := findGrowth(ctx, net); e != nil {
				found = e
			}
		}
		return found
	}
}

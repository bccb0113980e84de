package checker

import (
	"math"
	"slices"
	"sync"

	"pnmc/petri"
)

// Two of the four values of StateSpace, the most tokens in a marking and in a
// place, need no state space: where a run reaches what is proven to be the most,
// the value is known. So nets whose markings are too many to count still end with
// these two.

// extreme is what is known of one of them: low is reached, high is proven.
type extreme struct {
	size          Size
	low, high     int64
	lowBy, highBy Techniques
	given         bool
}

// tokens is what is known of the most tokens in a marking and in each place.
// Several lanes report to it.
type tokens struct {
	answers *answers
	always  Techniques // that every answer rests on
	asked   [4][]int   // the questions for each Size

	mutex      sync.Mutex
	perMarking extreme
	inPlace    extreme
	// placeHigh are proven bounds of the places; inPlace.high is the largest.
	placeHigh []int64
}

// unbounded as a bound says that none is known. It settles nothing, not even where
// as many tokens are reached.
const unbounded = math.MaxInt64

// newTokens knows the initial marking, and no bound.
func newTokens(net *petri.Net, a *answers, always Techniques) *tokens {
	t := &tokens{
		answers:    a,
		always:     always,
		perMarking: extreme{size: TokensPerMarking, high: unbounded},
		inPlace:    extreme{size: TokensInPlace, high: unbounded},
		placeHigh:  make([]int64, net.Places()),
	}
	for p := range t.placeHigh {
		t.placeHigh[p] = unbounded
	}
	return t
}

// ask adds a question, before any engine works.
func (t *tokens) ask(number int, size Size) { t.asked[size] = append(t.asked[size], number) }

// give answers the questions for a size.
func (t *tokens) give(size Size, value Value, techniques Techniques, shown Witness) {
	for _, number := range t.asked[size] {
		t.answers.give(Answer{Question: number, Value: value, Witness: shown, By: techniques | t.always})
	}
}

// giveInfinite answers for an unbounded net: it has infinitely many markings,
// with any number of tokens.
func (t *tokens) giveInfinite(techniques Techniques, shown Witness) {
	for _, size := range Sizes() {
		t.give(size.(Size), Infinite, techniques, shown)
	}
}

// reach reports a reachable marking. Totals beyond 64 bits are left out.
func (t *tokens) reach(m petri.Marking, techniques Techniques) {
	var total, most int64
	for _, n := range m {
		most = max(most, n)
		if total += n; total < 0 || n < 0 {
			return
		}
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.perMarking.raise(total, techniques)
	t.inPlace.raise(most, techniques)
	t.tell()
}

func (e *extreme) raise(value int64, techniques Techniques) {
	if value > e.low {
		e.low, e.lowBy = value, techniques
	}
}

// limitPlaces reports proven bounds of places, some of which may be unbounded.
func (t *tokens) limitPlaces(bounds []int64, techniques Techniques) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	highest := int64(0)
	for p, b := range bounds {
		t.placeHigh[p] = min(t.placeHigh[p], b)
		highest = max(highest, t.placeHigh[p])
	}
	t.inPlace.limit(highest, techniques)
	t.tell()
}

// limitMarking reports a proven bound of the tokens in a marking.
func (t *tokens) limitMarking(bound int64, techniques Techniques) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.perMarking.limit(bound, techniques)
	t.tell()
}

func (e *extreme) limit(value int64, techniques Techniques) {
	if value < e.high {
		e.high, e.highBy = value, techniques
	}
}

// tell answers for each measure of which all is known.
func (t *tokens) tell() {
	for _, e := range []*extreme{&t.perMarking, &t.inPlace} {
		if e.low == e.high && e.high != unbounded && !e.given {
			e.given = true
			t.give(e.size, Number(e.low), e.lowBy|e.highBy, Witness{Ground: ReachedMarking})
		}
	}
}

// between are the largest value of a size that a marking is known to have, and the least bound
// that is proven, of the tokens in a marking or in a place.
func (t *tokens) between(size Size) (low, high int64) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if size == TokensPerMarking {
		return t.perMarking.low, t.perMarking.high
	}
	return t.inPlace.low, t.inPlace.high
}

// placeBounds are the least bounds proven of the places, some of which may be unbounded.
func (t *tokens) placeBounds() []int64 {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return slices.Clone(t.placeHigh)
}

// above lists the places that may hold more tokens than any place is known to, and
// tells whether a marking may.
func (t *tokens) above() (places []petri.Place, marking bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for p, high := range t.placeHigh {
		if high > t.inPlace.low || high == unbounded {
			places = append(places, petri.Place(p))
		}
	}
	return places, t.perMarking.high > t.perMarking.low || t.perMarking.high == unbounded
}

// done reports whether the value for markings, or for places, is known.
func (t *tokens) done(marking bool) bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if marking {
		return t.perMarking.given
	}
	return t.inPlace.given
}

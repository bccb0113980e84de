package ledger

import (
	"math"
	"slices"
	"sync"

	"pnmc/checker/inquiry"
	"pnmc/petri"
)

// Two of the four values of StateSpace need no state space: the most tokens in a
// marking, and in a place. If a run reaches a bound that is proven, the value is known.
// So nets whose markings are too many to count still end with these two.
//
// For example, let invariants bound the places a, b and c by 1, 3 and 4, and let a walk put three
// tokens on b. The most in a place is then 3 or 4. Above lists c alone as the place that still
// matters, as the others cannot hold more than 3. If the state equation then bounds c by 2, the
// largest bound is 3, which is reached, and the answer is given.

// extreme is what is known of one of them: low is reached, high is proven.
type extreme struct {
	size          inquiry.Size
	low, high     int64
	lowBy, highBy inquiry.Techniques
	given         bool
}

// Sizes is what is known of the most tokens in a marking and in each place.
// Several lanes report to it.
type Sizes struct {
	answers *Answers
	always  inquiry.Techniques // that every answer rests on
	asked   [4][]int           // the questions for each Size

	mutex      sync.Mutex
	perMarking extreme
	inPlace    extreme
	// placeHigh are proven bounds of the places; inPlace.high is the largest.
	placeHigh []int64
	// uncounted are places beside those that questions speak of, ascending: their tokens are
	// none of a marking, and placeHigh is 0.
	uncounted []petri.Place
}

// Unbounded as a bound says that none is known. It settles nothing, not even where
// as many tokens are reached.
const Unbounded = math.MaxInt64

// NewSizes knows no marking, and no bound.
func NewSizes(net *petri.Net, a *Answers, always inquiry.Techniques) *Sizes {
	t := &Sizes{
		answers:    a,
		always:     always,
		perMarking: extreme{size: inquiry.TokensPerMarking, high: Unbounded},
		inPlace:    extreme{size: inquiry.TokensInPlace, high: Unbounded},
		placeHigh:  make([]int64, net.Places()),
	}
	for p := range t.placeHigh {
		t.placeHigh[p] = Unbounded
	}
	return t
}

// LeaveOut leaves the tokens of some places, ascending, out of what is measured, before any engine
// works.
func (t *Sizes) LeaveOut(places []petri.Place) {
	t.uncounted = places
	for _, p := range places {
		t.placeHigh[p] = 0
	}
}

// LeavesOut reports whether tokens of some places are left out.
func (t *Sizes) LeavesOut() bool { return len(t.uncounted) > 0 }

// LeftOut returns the places whose tokens are left out.
func (t *Sizes) LeftOut() []petri.Place { return t.uncounted }

// Counts reports whether the tokens of p count.
func (t *Sizes) Counts(p petri.Place) bool {
	_, found := slices.BinarySearch(t.uncounted, p)
	return !found
}

// Ask adds a question, before any engine works.
func (t *Sizes) Ask(number int, size inquiry.Size) { t.asked[size] = append(t.asked[size], number) }

// Give answers the questions for a size.
func (t *Sizes) Give(size inquiry.Size, value inquiry.Value, techniques inquiry.Techniques, shown inquiry.Witness) {
	for _, number := range t.asked[size] {
		t.answers.Give(inquiry.Answer{Question: number, Value: value, Witness: shown, By: techniques | t.always})
	}
}

// GiveInfinite answers for an unbounded net: it has infinitely many markings,
// with any number of tokens.
func (t *Sizes) GiveInfinite(techniques inquiry.Techniques, shown inquiry.Witness) {
	for _, size := range inquiry.Sizes() {
		t.Give(size.(inquiry.Size), inquiry.Infinite, techniques, shown)
	}
}

// Reach reports a reachable marking. Totals beyond 64 bits are left out.
func (t *Sizes) Reach(m petri.Marking, techniques inquiry.Techniques) {
	var total, most int64
	for p, n := range m {
		if t.LeavesOut() && !t.Counts(petri.Place(p)) {
			continue
		}
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

// raise notes that the figure is at least value, and by which techniques that was found.
func (e *extreme) raise(value int64, techniques inquiry.Techniques) {
	if value > e.low {
		e.low, e.lowBy = value, techniques
	}
}

// LimitPlaces reports proven bounds of places, some of which may be unbounded.
func (t *Sizes) LimitPlaces(bounds []int64, techniques inquiry.Techniques) {
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

// LimitMarking reports a proven bound of the tokens in a marking.
func (t *Sizes) LimitMarking(bound int64, techniques inquiry.Techniques) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.perMarking.limit(bound, techniques)
	t.tell()
}

// limit notes that the figure is at most value, and by which techniques that was found.
func (e *extreme) limit(value int64, techniques inquiry.Techniques) {
	if value < e.high {
		e.high, e.highBy = value, techniques
	}
}

// tell answers for each measure of which all is known.
func (t *Sizes) tell() {
	for _, e := range []*extreme{&t.perMarking, &t.inPlace} {
		if e.low == e.high && e.high != Unbounded && !e.given {
			e.given = true
			t.Give(e.size, inquiry.Number(e.low), e.lowBy|e.highBy, inquiry.Witness{Ground: inquiry.ReachedMarking})
		}
	}
}

// Between returns the values between which the most tokens in a marking, or in a place, are known to
// lie.
func (t *Sizes) Between(size inquiry.Size) (low, high int64) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if size == inquiry.TokensPerMarking {
		return t.perMarking.low, t.perMarking.high
	}
	return t.inPlace.low, t.inPlace.high
}

// PlaceBounds returns the least bounds proven of the places, some of which may be unbounded.
func (t *Sizes) PlaceBounds() []int64 {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return slices.Clone(t.placeHigh)
}

// Above lists the places that may hold more tokens than any place is known to, and
// reports whether a marking may.
func (t *Sizes) Above() (places []petri.Place, marking bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for p, high := range t.placeHigh {
		if high > t.inPlace.low || high == Unbounded {
			places = append(places, petri.Place(p))
		}
	}
	return places, t.perMarking.high > t.perMarking.low || t.perMarking.high == Unbounded
}

// Done reports whether the value for markings, or for places, is known.
func (t *Sizes) Done(marking bool) bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if marking {
		return t.perMarking.given
	}
	return t.inPlace.given
}

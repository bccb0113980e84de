package petri

import (
	"math/big"
	"math/bits"

	"pnmc/petri/internal/store"
)

// Measure sums up and compares token counts of packed markings, field by field.
type Measure struct {
	layout *Layout
	counts []measuredField
	groups []measuredField
	// fixed is the tokens that all markings have in groups always marked.
	fixed   uint64
	implied []measuredCount
	terms   []measuredTerm
	tokens  []int64 // of implied, in the marking that is measured
	// high and low are the largest sum so far, of 128 bits.
	high, low uint64
	most      int64
	// counted are the places that count, where some do not, and marking is room for one.
	counted []Place
	marking Marking
}

type measuredField struct {
	mask  uint64
	word  uint32
	shift uint32
}

// measuredCount is an implied place's: the constant less its terms, terms[first:end], divided.
type measuredCount struct {
	constant, divisor int64
	first, end        int
}

// measuredTerm is a place's part in an implied count.
type measuredTerm struct {
	measuredField
	kind   termKind
	value  uint64 // of the masked bits if a place of a group is marked
	weight int64
	number int // of an implied place
}

type termKind uint8

const (
	countTerm termKind = iota
	groupTerm
	impliedTerm
)

// Measure returns a measure of markings of that layout. It has met none yet.
func (l *Layout) Measure() *Measure {
	m := &Measure{layout: l, tokens: store.Apart[int64](len(l.implied))}
	for i := range l.fields {
		f := &l.fields[i]
		x := measured(f)
		switch {
		case !f.group():
			m.counts = append(m.counts, x)
		case f.offset == 0:
			m.fixed++
		default:
			m.groups = append(m.groups, x)
		}
	}
	for i := range l.implied {
		n := &l.implied[i]
		first := len(m.terms)
		for _, a := range n.terms {
			m.terms = append(m.terms, measuredTermOf(l, a))
		}
		m.implied = append(m.implied, measuredCount{n.constant, n.divisor, first, len(m.terms)})
	}
	return m
}

// measured returns where in a packed marking the value of a field lies.
func measured(f *field) measuredField {
	return measuredField{mask: f.mask(), word: uint32(f.word), shift: uint32(f.shift)}
}

// measuredTermOf returns what a place with its weight is as a term.
func measuredTermOf(l *Layout, a Arc) measuredTerm {
	j := l.fieldOf[a.Place]
	if j < 0 {
		return measuredTerm{kind: impliedTerm, weight: a.Weight, number: int(-1 - j)}
	}
	f := &l.fields[j]
	t := measuredTerm{measuredField: measured(f), weight: a.Weight}
	if f.group() {
		t.kind, t.value = groupTerm, l.valueOf[a.Place]<<f.shift
	}
	return t
}

// Layout returns how markings that are measured are packed.
func (m *Measure) Layout() *Layout { return m.layout }

// LeaveOut leaves the tokens of places out.
func (m *Measure) LeaveOut(places []Place) {
	if len(places) == 0 {
		return
	}
	out := make([]bool, m.layout.net.Places())
	for _, p := range places {
		out[p] = true
	}
	for p := range Place(m.layout.net.Places()) {
		if !out[p] {
			m.counted = append(m.counted, p)
		}
	}
	m.marking = store.Apart[int64](m.layout.net.Places())
}

// Observe raises the maxima to those of a marking.
func (m *Measure) Observe(packed []uint64) {
	if m.marking != nil {
		m.observeCounted(packed)
		return
	}
	low, high, most := m.fixed, uint64(0), min(m.fixed, 1)
	for _, f := range m.counts {
		v := packed[f.word] & f.mask >> f.shift
		var carry uint64
		low, carry = bits.Add64(low, v, 0)
		high += carry
		most = max(most, v)
	}
	for _, f := range m.groups {
		if packed[f.word]&f.mask != 0 {
			var carry uint64
			low, carry = bits.Add64(low, 1, 0)
			high, most = high+carry, max(most, 1)
		}
	}
	for i := range m.implied {
		v := m.count(packed, i)
		var carry uint64
		low, carry = bits.Add64(low, v, 0)
		high += carry
		most = max(most, v)
	}
	m.raise(high, low, most)
}

// count returns the tokens of the i-th implied place; those of the ones before it are known.
func (m *Measure) count(packed []uint64, i int) uint64 {
	n := &m.implied[i]
	v := n.constant
	for j := range m.terms[n.first:n.end] {
		switch t := &m.terms[n.first+j]; t.kind {
		case countTerm:
			v -= t.weight * int64(packed[t.word]&t.mask>>(t.shift&63))
		case groupTerm:
			if packed[t.word]&t.mask == t.value {
				v -= t.weight
			}
		case impliedTerm:
			v -= t.weight * m.tokens[t.number]
		}
	}
	if n.divisor != 1 {
		v /= n.divisor
	}
	m.tokens[i] = v
	return uint64(v)
}

// observeCounted observes a marking where some places do not count.
func (m *Measure) observeCounted(packed []uint64) {
	m.layout.Unpack(packed, m.marking)
	low, high, most := uint64(0), uint64(0), uint64(0)
	for _, p := range m.counted {
		v := uint64(m.marking[p])
		var carry uint64
		low, carry = bits.Add64(low, v, 0)
		high += carry
		most = max(most, v)
	}
	m.raise(high, low, most)
}

// Raise raises the maxima to those of another measure of markings of the net.
func (m *Measure) Raise(by *Measure) { m.raise(by.high, by.low, uint64(by.most)) }

// raise raises the maxima: of tokens in a marking to high·2^64 + low, of tokens in a place to most.
func (m *Measure) raise(high, low, most uint64) {
	if high > m.high || high == m.high && low > m.low {
		m.high, m.low = high, low
	}
	m.most = max(m.most, int64(most))
}

// Report writes the maxima to r.
func (m *Measure) Report(r *Statistics) {
	sum := new(big.Int).SetUint64(m.high)
	r.MaxTokensPerMarking = sum.Lsh(sum, 64).Or(sum, new(big.Int).SetUint64(m.low))
	r.MaxTokensInPlace = m.most
}

// Relaid returns the measure for another layout of the same markings.
func (m *Measure) Relaid(l *Layout) *Measure {
	n := l.Measure()
	n.high, n.low, n.most = m.high, m.low, m.most
	n.counted, n.marking = m.counted, m.marking
	return n
}

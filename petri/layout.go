package petri

import (
	"cmp"
	"math/bits"
	"slices"

	"pnmc/internal/account"
)

// Layout says how a marking is packed into words.
//
// A place whose count is stored has a field of its own, as wide as its proven bound
// needs. If at most one of some places is marked, with one token, they share a field
// that says which: an index. A place that a semiflow determines from others has no
// field. A width may rest on an unproven bound or the claim of a nested unit. Then
// firing checks it, and an overflow leads to a wider layout (widened). No token is ever
// lost.
//
// Fields do not cross words; words are filled so that they stay few.
type Layout struct {
	net    *Net
	fields []field
	// fieldOf gives each place its field, or -1-i for implied[i].
	fieldOf []int32
	// valueOf gives a place in a group the field's value when it is marked.
	valueOf []uint64
	implied []implication
	words   int
	bits    int // used in all words together, for information
	bytes   int // of a packed marking: the last word's unused bytes are left out
}

// field is a range of bits of a word.
type field struct {
	places []Place // one: its count; several: which of them is marked
	word   int
	shift  int
	width  int
	// offset is what the first place of a group has as its value: 0 if exactly
	// one is always marked, 1 if the value 0 means none.
	offset uint64
	// proven: the count or group can't overflow.
	proven bool
}

// group reports whether the value says which of several places is marked.
func (f *field) group() bool { return len(f.places) > 1 }

// claimed reports whether a unit's claim, and no proof, says that the field is wide
// enough.
func (f *field) claimed() bool { return !f.proven && (f.group() || f.width < unprovenWidth) }

// mask covers the bits of the field in its word.
func (f *field) mask() uint64 { return (1<<f.width - 1) << f.shift }

// capacity returns the largest count the field holds.
func (f *field) capacity() int64 { return int64(1<<f.width - 1) }

// implication determines the count of place: (constant - Σ terms) / divisor.
// Terms have fields or are implied by earlier implications.
type implication struct {
	place    Place
	constant int64
	divisor  int64
	terms    []Arc
}

// maxCountWidth is the width of a field that holds any count up to 2^63-1.
const maxCountWidth = 63

// unprovenWidth is the first width of a count without proven bound. It is narrow so
// that growth is noticed, which is a chance to see that the place is unbounded.
const unprovenWidth = 2

// InitialLayout returns a layout that the initial marking of n fits in, and that marking. Facts
// must hold of n. Looking for groups is charged to a. Where a ends it, fewer places share a field:
// markings take more bits, and are no less right.
func (n *Net) InitialLayout(a *account.Account, facts Facts) (l *Layout, packed []uint64) {
	n.RefuteInitially()
	m := n.Initial()
	for l = newLayout(a, n, facts); ; {
		packed = make([]uint64, l.words)
		narrow := l.Pack(m, packed)
		if narrow < 0 {
			return l, packed
		}
		// A claim or width that the initial marking contradicts; an unproven
		// width can always grow to hold a count below 2^63.
		l, _ = l.widened(narrow)
	}
}

// newLayout lays out the markings of net. Facts must hold of it.
func newLayout(a *account.Account, net *Net, facts Facts) *Layout {
	l := &Layout{net: net, fieldOf: make([]int32, net.Places()), valueOf: make([]uint64, net.Places())}
	grouped := make([]bool, net.Places())
	for _, g := range chooseGroups(a, net, facts) {
		for _, p := range g.places {
			grouped[p] = true
		}
		l.fields = append(l.fields, g)
	}
	l.implied = chooseImplied(net, facts, grouped)
	for _, i := range l.implied {
		grouped[i.place] = true
	}
	for p := range Place(net.Places()) {
		if !grouped[p] {
			l.fields = append(l.fields, countField(net, facts, p))
		}
	}
	l.place()
	return l
}

// countField returns a field for the tokens of a place, as wide as its bound needs. Without a
// proven bound it has unprovenWidth bits or, if the net claims to be safe, a single one.
func countField(net *Net, facts Facts, p Place) field {
	f := field{places: []Place{p}, proven: true}
	bound := facts.Bound(p)
	if bound == Unbounded {
		f.proven = false
		f.width = max(unprovenWidth, bits.Len64(uint64(net.InitialTokens(p))))
		if n := net.NUPN(); n != nil && n.Safe && net.InitialTokens(p) <= 1 {
			f.width = 1
		}
	} else {
		f.width = bits.Len64(uint64(bound))
	}
	return f
}

// place puts fields into words, widest first into the first word that has room,
// and indexes them by place.
func (l *Layout) place() {
	slices.SortStableFunc(l.fields, func(a, b field) int { return cmp.Compare(b.width, a.width) })
	var used []int
	l.bits = 0
	first := 0 // words before it have no room for fields as wide as the last one
	for i := range l.fields {
		f := &l.fields[i]
		if i > 0 && f.width < l.fields[i-1].width {
			first = 0
		}
		for first < len(used) && used[first]+f.width > 64 {
			first++
		}
		if f.word = first; first == len(used) {
			used = append(used, 0)
		}
		f.shift = used[f.word]
		used[f.word] += f.width
		l.bits += f.width
		for j, p := range f.places {
			l.fieldOf[p] = int32(i)
			l.valueOf[p] = uint64(j) + f.offset
		}
	}
	for i, m := range l.implied {
		l.fieldOf[m.place] = int32(-1 - i)
	}
	l.words = max(1, len(used))
	l.bytes = 8 * (l.words - 1)
	if len(used) > 0 {
		l.bytes += (used[l.words-1] + 7) / 8
	}
	l.bytes = max(1, l.bytes)
}

// Words returns the length of a packed marking.
func (l *Layout) Words() int { return l.words }

// Bytes returns the space a packed marking takes in a Store.
func (l *Layout) Bytes() int { return l.bytes }

// Bits returns the number of bits that carry information.
func (l *Layout) Bits() int { return l.bits }

// Tokens returns the count of p in a packed marking.
func (l *Layout) Tokens(packed []uint64, p Place) int64 {
	i := l.fieldOf[p]
	if i < 0 {
		return l.impliedTokens(packed, int(-1-i))
	}
	f := &l.fields[i]
	v := packed[f.word] & f.mask() >> f.shift
	if !f.group() {
		return int64(v)
	}
	if v == l.valueOf[p] {
		return 1
	}
	return 0
}

// impliedTokens returns the tokens of the place of implication i, by the fields that it follows
// from.
func (l *Layout) impliedTokens(packed []uint64, i int) int64 {
	m := &l.implied[i]
	count := m.constant
	for _, a := range m.terms {
		count -= a.Weight * l.Tokens(packed, a.Place)
	}
	return count / m.divisor
}

// Unpack writes the marking that packed stands for into m, of Places() counts.
func (l *Layout) Unpack(packed []uint64, m Marking) {
	for i := range l.fields {
		f := &l.fields[i]
		v := packed[f.word] >> f.shift & (1<<f.width - 1)
		if !f.group() {
			m[f.places[0]] = int64(v)
			continue
		}
		for _, p := range f.places {
			m[p] = 0
		}
		if v >= f.offset && v-f.offset < uint64(len(f.places)) {
			m[f.places[v-f.offset]] = 1
		}
	}
	for i := range l.implied {
		n := &l.implied[i]
		count := n.constant
		for _, a := range n.terms {
			count -= a.Weight * m[a.Place]
		}
		m[n.place] = count / n.divisor
	}
}

// Pack writes m into packed, of Words() words. If a field can't hold its places'
// counts, it returns the field's number, otherwise -1.
func (l *Layout) Pack(m Marking, packed []uint64) int {
	clear(packed)
	for i := range l.fields {
		f := &l.fields[i]
		var v uint64
		if f.group() {
			marked := 0
			for j, p := range f.places {
				if m[p] != 0 {
					v = uint64(j) + f.offset
					marked += int(min(m[p], 2))
				}
			}
			if marked > 1 || marked == 0 && f.offset == 0 {
				return i
			}
		} else {
			if m[f.places[0]] > f.capacity() {
				return i
			}
			v = uint64(m[f.places[0]])
		}
		packed[f.word] |= v << f.shift
	}
	return -1
}

// Unproven reports whether some width rests on no proof.
func (l *Layout) Unproven() bool {
	return slices.ContainsFunc(l.fields, func(f field) bool { return !f.proven })
}

// Widened returns a layout in which field number i, which a reachable marking overflows, holds
// more. If some unit claimed that it does not, that is refuted. An error is an *OverflowError.
func (l *Layout) Widened(i int) (*Layout, error) {
	f := &l.fields[i]
	if f.claimed() {
		l.net.Refute(f.places...)
	}
	wide, ok := l.widened(i)
	if !ok {
		return nil, &OverflowError{ID: l.net.PlaceLabel(f.places[0]).ID}
	}
	return wide, nil
}

// WidenedAlike widens as Widened does, and also all other fields without proof, until they are
// wider than that one was. It is for those who take long to pack markings anew. If a claim was
// false, those of others don't count any more.
func (l *Layout) WidenedAlike(i int) (*Layout, error) {
	width, claimed := l.fields[i].width, l.fields[i].claimed()
	if l.fields[i].group() {
		width = 1
	}
	wide, err := l.Widened(i)
	if err != nil {
		return nil, err
	}
	fields := wide.fields
	wide.fields = make([]field, 0, len(fields))
	for _, f := range fields {
		switch {
		case f.proven || f.claimed() && !claimed:
			wide.fields = append(wide.fields, f)
		case f.group():
			for _, p := range f.places {
				wide.fields = append(wide.fields, field{places: []Place{p}, width: widerThan(unprovenWidth, width)})
			}
		default:
			f.width = widerThan(f.width, width)
			wide.fields = append(wide.fields, f)
		}
	}
	wide.place()
	return wide, nil
}

// widerThan doubles a width, as Widened does, until it is larger than another, which is below maxCountWidth.
func widerThan(width, other int) int {
	for width <= other {
		width = min(maxCountWidth, 2*max(width, 1))
	}
	return width
}

// widened returns a layout in which field number i holds more: a count gets twice the
// bits, a group becomes a count a place. It reports false if the field holds
// counts up to 2^63-1 already. Fields are numbered anew.
func (l *Layout) widened(i int) (*Layout, bool) {
	w := &Layout{net: l.net, fieldOf: slices.Clone(l.fieldOf), valueOf: slices.Clone(l.valueOf), implied: l.implied}
	w.fields = slices.Clone(l.fields)
	f := &w.fields[i]
	if f.group() {
		group := *f
		w.fields = slices.Delete(w.fields, i, i+1)
		for _, p := range group.places {
			w.fields = append(w.fields, field{places: []Place{p}, width: unprovenWidth})
		}
	} else {
		if f.width >= maxCountWidth {
			return nil, false
		}
		f.width = min(maxCountWidth, 2*max(f.width, 1))
	}
	w.place()
	return w, true
}

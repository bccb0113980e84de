package petri

import (
	"math/bits"
	"slices"

	"pnmc/internal/account"
)

// canonicalFolder makes packed successors those markings that stand for them, when components change places. It looks at
// the fields of the places of components only, and of those only at what is not zero.
type canonicalFolder struct {
	canonizer *Canonizer
	layout    *Layout // of what follows

	holds   []uint64 // masks of the fields that hold places of components
	fieldAt []int32  // of bits, word after word
	always  []int32  // of these fields, those where zero says that a place is marked
	checked []int32  // those that may be too narrow, and have several places
	implied []Place  // places of components without a field
	others  []Place  // that are marked and no places of components, of the fields that were read
	count   []int32  // by field that is checked: how many of its places are marked
}

// FoldComponents does what Fold does for the permutations of components. Of the images of a marking then exactly one
// is a state, but for those with too many orders to try.
func (k *Kripke) FoldComponents(c *Components) {
	k.canonical = &canonicalFolder{canonizer: NewCanonizer(c, k.space.net.Places())}
	k.space.capGrowth = false // as with Fold
}

// Folded reports whether states stand for images by permutations of components.
func (k *Kripke) Folded() bool { return k.canonical != nil }

// Follow fires a transition in m that leads to an image of the marking of a state, and returns it; m is an image of a marking with
// such a successor, by permutations of components. ok is false if there is none. An error is that of the account. It fires transitions
// one by one, and is meant for telling a counterexample.
func (k *Kripke) Follow(m Marking, to StateID) (t Transition, ok bool, err error) {
	net, c := k.space.net, k.canonical.canonizer
	target, after, lowered := make(Marking, len(m)), make(Marking, len(m)), make(Marking, len(m))
	k.Marking(to, target)
	for t := range Transition(net.Transitions()) {
		if err := k.space.account.Charge(followWork); err != nil {
			return 0, false, err
		}
		if !net.Enabled(m, t) {
			continue
		}
		copy(after, m)
		if !net.Fire(after, t) {
			continue
		}
		copy(lowered, after)
		c.Lower(lowered)
		if err := k.space.account.Charge(8*len(m) + c.Work()); err != nil {
			return 0, false, err
		}
		if slices.Equal(lowered, target) {
			copy(m, after)
			return t, true, nil
		}
	}
	return 0, false, nil
}

// followWork is about what it costs to look whether a transition is enabled, in nanoseconds.
const followWork = 32

// adopt has the folder know which fields hold places of components.
func (f *canonicalFolder) adopt(l *Layout) {
	*f = canonicalFolder{canonizer: f.canonizer, layout: l, holds: make([]uint64, l.words), fieldAt: make([]int32, 64*l.words), count: make([]int32, len(l.fields))}
	taken := make([]bool, len(l.fields))
	for _, p := range f.canonizer.by.moved {
		at := l.fieldOf[p]
		if at < 0 {
			f.implied = append(f.implied, p)
			continue
		}
		if taken[at] {
			continue
		}
		taken[at] = true
		x := &l.fields[at]
		f.holds[x.word] |= x.mask()
		for bit := range x.width {
			f.fieldAt[64*x.word+x.shift+bit] = at
		}
		if x.group() && x.offset == 0 {
			f.always = append(f.always, at)
		}
		if x.group() && !x.proven {
			f.checked = append(f.checked, at)
		}
	}
}

// fold makes packed successors, which lie one after the other, those that stand for them. It returns -1, or the number
// of a field that is too narrow; the successors are lost then. Work is added to a.
func (f *canonicalFolder) fold(a *account.Account, l *Layout, successors []uint64) (narrow int) {
	if f.layout != l {
		f.adopt(l)
	}
	for ; len(successors) > 0; successors = successors[l.words:] {
		next := successors[:l.words]
		f.read(next)
		changed := f.canonizer.find()
		a.Add(f.canonizer.Work() + 4*len(f.implied))
		if !changed {
			continue
		}
		if narrow := f.write(next); narrow >= 0 {
			return narrow
		}
	}
	return -1
}

// read notes the tokens of places of components in a packed marking.
func (f *canonicalFolder) read(packed []uint64) {
	l, c := f.layout, f.canonizer
	c.begin()
	f.others = f.others[:0]
	for w, holds := range f.holds {
		for word := packed[w] & holds; word != 0; {
			x := &l.fields[f.fieldAt[64*w+bits.TrailingZeros64(word)]]
			mask := x.mask()
			f.readField(x, packed[w]&mask>>x.shift)
			word &^= mask
		}
	}
	for _, at := range f.always {
		if x := &l.fields[at]; packed[x.word]&x.mask() == 0 {
			f.readField(x, 0)
		}
	}
	for _, p := range f.implied {
		if n := l.Tokens(packed, p); n > 0 {
			c.mark(p, n)
		}
	}
}

// readField notes the place or the tokens that the value of a field stands for.
func (f *canonicalFolder) readField(x *field, v uint64) {
	switch {
	case !x.group():
		f.canonizer.mark(x.places[0], int64(v))
	case v-x.offset >= uint64(len(x.places)): // none is marked
	case f.canonizer.by.class[x.places[v-x.offset]] < 0:
		f.others = append(f.others, x.places[v-x.offset])
	default:
		f.canonizer.mark(x.places[v-x.offset], 1)
	}
}

// write puts the tokens of the marking that stands for the one that was read into packed. It returns -1, or the number
// of a field that is too narrow.
func (f *canonicalFolder) write(packed []uint64) (narrow int) {
	l, c := f.layout, f.canonizer
	for i, holds := range f.holds {
		packed[i] &^= holds
	}
	for _, at := range f.checked {
		f.count[at] = 0
	}
	narrow = -1
	for i, p := range c.leastAt {
		if at := f.put(packed, p, c.tokens[i]); at >= 0 {
			narrow = at
		}
	}
	for _, p := range f.others {
		f.put(packed, p, 1)
	}
	for _, at := range f.checked {
		if f.count[at] > 1 || f.count[at] == 0 && l.fields[at].offset == 0 {
			return int(at)
		}
	}
	return narrow
}

// put puts the tokens of a place into packed, and counts them if places share the field. It returns -1, or the number of
// the field if it is too narrow.
func (f *canonicalFolder) put(packed []uint64, p Place, tokens int64) (narrow int) {
	at := f.layout.fieldOf[p]
	if at < 0 {
		return -1
	}
	x := &f.layout.fields[at]
	v := uint64(tokens)
	if x.group() {
		v = f.layout.valueOf[p]
		f.count[at] += int32(min(tokens, 2))
	} else if tokens > x.capacity() {
		return int(at)
	}
	packed[x.word] |= v << x.shift
	return -1
}

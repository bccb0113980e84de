package petri

import "pnmc/internal/account"

// canonicalFolder makes packed successors those markings that stand for them, when components change places. It looks at
// the fields of the places of components only.
type canonicalFolder struct {
	canonizer *Canonizer
	layout    *Layout // of what follows

	fields  []int32  // those that hold places of components
	implied []Place  // places of components without a field
	keep    []uint64 // masks of the other fields
	others  []Place  // of places that share a field with those: the marked ones
	count   []int32  // by field: how many of the places of a group are marked
}

// FoldComponents does what Fold does for the permutations of components. Of the images of a marking then exactly one
// is a state, but for those with too many orders to try.
func (k *Kripke) FoldComponents(c *Components) {
	k.canonical = &canonicalFolder{canonizer: NewCanonizer(c, k.space.net.Places())}
	k.space.capGrowth = false // as with Fold
}

// adopt has the folder know which fields hold places of components.
func (f *canonicalFolder) adopt(l *Layout) {
	f.layout = l
	f.fields, f.implied = f.fields[:0], f.implied[:0]
	f.keep, f.count = make([]uint64, l.words), make([]int32, len(l.fields))
	for i := range f.keep {
		f.keep[i] = ^uint64(0)
	}
	taken := make([]bool, len(l.fields))
	for _, p := range f.canonizer.by.moved {
		at := l.fieldOf[p]
		switch {
		case at < 0:
			f.implied = append(f.implied, p)
		case !taken[at]:
			taken[at] = true
			f.fields = append(f.fields, at)
			f.keep[l.fields[at].word] &^= l.fields[at].mask()
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
		a.Add(f.canonizer.Work() + 4*len(f.fields))
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
	for _, at := range f.fields {
		x := &l.fields[at]
		v := packed[x.word] & x.mask() >> x.shift
		if !x.group() {
			if v > 0 {
				c.mark(x.places[0], int64(v))
			}
			continue
		}
		if v < x.offset || v-x.offset >= uint64(len(x.places)) {
			continue
		}
		if p := x.places[v-x.offset]; c.by.class[p] >= 0 {
			c.mark(p, 1)
		} else {
			f.others = append(f.others, p)
		}
	}
	for _, p := range f.implied {
		if n := l.Tokens(packed, p); n > 0 {
			c.mark(p, n)
		}
	}
}

// write puts the tokens of the marking that stands for the one that was read into packed. It returns -1, or the number
// of a field that is too narrow.
func (f *canonicalFolder) write(packed []uint64) (narrow int) {
	l, c := f.layout, f.canonizer
	for i, keep := range f.keep {
		packed[i] &= keep
	}
	for _, at := range f.fields {
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
	for _, at := range f.fields {
		if x := &l.fields[at]; x.group() && (f.count[at] > 1 || f.count[at] == 0 && x.offset == 0) {
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

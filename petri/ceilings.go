package petri

import (
	"cmp"
	"slices"
)

// Inhibitor arcs, capacities and reset arcs on packed markings. A ceiling is one more test of
// a rule. Resets have a loop of their own. So the rules of nets without them stay as small and
// as quick as they are.

// compileCeilings adds the tests that t's places have few enough tokens, or reports false
// if no marking that the layout can hold enables t.
func (c *compiledRule) compileCeilings(l *Layout, t Transition) bool {
	if l.net.Plain() {
		return true
	}
	pre := l.net.Pre(t)
	for _, a := range l.net.Ceilings(t) {
		for len(pre) > 0 && pre[0].Place < a.Place {
			pre = pre[1:]
		}
		if a.Weight == 0 || len(pre) > 0 && pre[0].Place == a.Place && pre[0].Weight >= a.Weight {
			return false
		}
		most := a.Weight - 1
		i := l.fieldOf[a.Place]
		if i < 0 {
			c.tests = append(c.tests, test{kind: impliedAtMost, word: uint32(-1 - i), value: uint64(most)})
			continue
		}
		f := &l.fields[i]
		switch {
		case f.group() && most == 0:
			c.tests = append(c.tests, test{kind: bitsDiffer, word: uint32(f.word), mask: f.mask(), value: l.valueOf[a.Place] << f.shift})
		case f.group() || most >= f.capacity():
			// The field holds no more.
		case f.width == 1:
			c.tests = append(c.tests, test{kind: bitsEqual, word: uint32(f.word), mask: f.mask()})
		default:
			c.tests = append(c.tests, test{kind: bitsAtMost, word: uint32(f.word), mask: f.mask(), value: uint64(most) << f.shift})
		}
	}
	return true
}

// compileResets has the rule empty the fields of places that t resets and then give them what
// t gives. They have fields of their own: no semiflow and no group has such a place.
func (c *compiledRule) compileResets(l *Layout, t Transition, s *ruleScratch) {
	for _, p := range l.net.Resets(t) {
		i := l.fieldOf[p]
		if i < 0 || l.fields[i].group() {
			panic("petri: a place that is reset shares a field")
		}
		f := &l.fields[i]
		c.clears = append(c.clears, delta{uint32(f.word), ^f.mask()})
		post := l.net.Post(t)
		at, given := slices.BinarySearchFunc(post, p, func(a Arc, p Place) int { return cmp.Compare(a.Place, p) })
		switch {
		case !given:
		case post[at].Weight > f.capacity():
			c.room = append(c.room, test{kind: never, field: i})
		default:
			s.change(f.word, uint64(post[at].Weight)<<f.shift)
		}
	}
}

// below reports whether the tests of r hold that ceilings add. The method enabled leaves them out.
func (f *firing) below(r *rule, packed []uint64, implied []int64) bool {
	for i := r.test; i < r.room; i++ {
		t := &f.tests[i]
		if t.kind == bitsAtMost && packed[t.word]&t.mask > t.value || t.kind == bitsDiffer && packed[t.word]&t.mask == t.value ||
			t.kind == impliedAtMost && implied[t.word] > int64(t.value) {
			return false
		}
	}
	return true
}

// fireSpecial appends successors as fireAll does, where the net is not plain.
func (f *firing) fireSpecial(first, end uint32, packed []uint64, implied []int64, out *[]uint64) int {
	words := *out
	for i := first; i < end; i++ {
		r := &f.rules[i]
		if packed[r.word]&r.mask != r.value || !f.enabled(r, packed, implied) || !f.below(r, packed, implied) {
			continue
		}
		if narrow := f.tooNarrow(r, packed); narrow >= 0 {
			if f.capped != nil && f.capped[narrow] {
				continue
			}
			return narrow
		}
		at := len(words)
		words = append(words, packed...)
		for _, c := range f.clears[i] {
			words[at+int(c.word)] &= c.add
		}
		words[at+int(r.deltaWord)] += r.delta
		for _, d := range f.deltas[r.deltaFirst:r.deltaEnd] {
			words[at+int(d.word)] += d.add
		}
	}
	*out = words
	return -1
}

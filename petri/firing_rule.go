package petri

import (
	"cmp"
	"math/bits"
	"slices"
)

// compiledRule is one transition before it is filed: tests that enable it, with
// equality tests first, tests for room, and what it adds to each word.
type compiledRule struct {
	transition Transition
	tests      []test
	room       []test
	deltas     []delta
	groupTests []groupTest
	clears     []delta // masks of what resets empty, before deltas are added
}

// groupTest says that a rule needs a group's field to have this value.
type groupTest struct {
	field int
	value uint64
}

// ruleScratch is room for compiling a rule, which the next rule uses again. A transition may
// need as many tests as the net has places; few of them are left in the end.
type ruleScratch struct {
	rule         compiledRule
	add          []uint64 // to each word, in two's complement
	changed      []int    // words to which something is added
	touched      []groupArc
	pre, post    []Arc // of one group
	equal, other []test
	effect       []Arc
}

// groupArc is an arc of a place that shares a field with others.
type groupArc struct {
	field int
	arc   Arc
	post  bool // it leads to the place
}

// change adds a value to a word.
func (s *ruleScratch) change(word int, value uint64) {
	if s.add[word] == 0 {
		s.changed = append(s.changed, word)
	}
	s.add[word] += value
}

// compileRule compiles t, or reports false if no marking that the layout can
// hold enables it. (A marking that does enable it shows up by widening first.)
func compileRule(l *Layout, t Transition, s *ruleScratch) (compiledRule, bool) {
	s.rule = compiledRule{transition: t, tests: s.rule.tests[:0], room: s.rule.room[:0], deltas: s.rule.deltas[:0]}
	if !s.rule.compile(l, t, s) {
		return compiledRule{}, false
	}
	c := s.rule
	c.tests, c.room, c.deltas = slices.Clone(c.tests), slices.Clone(c.room), slices.Clone(c.deltas)
	return c, true
}

// compile compiles t as compileRule does, in slices that the next rule takes. It reports
// false if t can never fire.
func (c *compiledRule) compile(l *Layout, t Transition, s *ruleScratch) bool {
	if !c.compileCeilings(l, t) {
		return false
	}
	for _, w := range s.changed {
		s.add[w] = 0
	}
	if s.changed = s.changed[:0]; len(s.add) < l.words {
		s.add = make([]uint64, l.words)
	}
	touched := s.touched[:0]
	for _, a := range l.net.Pre(t) {
		i := l.fieldOf[a.Place]
		switch {
		case i < 0:
			c.tests = append(c.tests, test{kind: impliedAtLeast, word: uint32(-1 - i), value: uint64(a.Weight)})
		case l.fields[i].group():
			touched = append(touched, groupArc{field: int(i), arc: a})
		default:
			f := &l.fields[i]
			if a.Weight > f.capacity() {
				return false
			}
			value := uint64(a.Weight) << f.shift
			if f.width == 1 {
				c.tests = append(c.tests, test{kind: bitsEqual, word: uint32(f.word), mask: f.mask(), value: value})
			} else {
				c.tests = append(c.tests, test{kind: bitsAtLeast, word: uint32(f.word), mask: f.mask(), value: value})
			}
		}
	}
	for _, a := range l.net.Post(t) {
		if i := l.fieldOf[a.Place]; i >= 0 && l.fields[i].group() {
			touched = append(touched, groupArc{int(i), a, true})
		}
	}
	c.compileResets(l, t, s)
	s.effect = l.net.AppendEffect(s.effect[:0], t)
	for _, a := range s.effect {
		i := l.fieldOf[a.Place]
		if i < 0 || l.fields[i].group() || l.net.Empties(t, a.Place) {
			continue
		}
		f := &l.fields[i]
		s.change(f.word, uint64(a.Weight)<<f.shift) // two's complement subtracts
		if a.Weight > 0 && !f.proven {
			r := test{kind: bitsAtMost, word: uint32(f.word), field: i, mask: f.mask()}
			if a.Weight > f.capacity() {
				r.kind = never
			} else {
				r.value = uint64(f.capacity()-a.Weight) << f.shift
			}
			c.room = append(c.room, r)
		}
	}
	s.touched = touched
	slices.SortStableFunc(touched, func(a, b groupArc) int { return cmp.Compare(a.field, b.field) })
	for len(touched) > 0 {
		i := touched[0].field
		s.pre, s.post = s.pre[:0], s.post[:0]
		for ; len(touched) > 0 && touched[0].field == i; touched = touched[1:] {
			if touched[0].post {
				s.post = append(s.post, touched[0].arc)
			} else {
				s.pre = append(s.pre, touched[0].arc)
			}
		}
		if !c.compileGroup(l, i, s) {
			return false
		}
	}
	c.mergeEqualities(s)
	slices.Sort(s.changed)
	for _, w := range slices.Compact(s.changed) { // a word is there twice if its sum was zero in between
		if s.add[w] != 0 {
			c.deltas = append(c.deltas, delta{uint32(w), s.add[w]})
		}
	}
	return true
}

// compileGroup adds the tests and effect on group number i, whose arcs are in s.pre and s.post. It reports false if
// the transition can never fire.
func (c *compiledRule) compileGroup(l *Layout, i int, s *ruleScratch) bool {
	f := &l.fields[i]
	pre, post := s.pre, s.post
	if len(pre) > 1 || len(pre) == 1 && pre[0].Weight > 1 {
		return false // needs two tokens in a group that has one
	}
	before := uint64(0) // none
	if len(pre) == 1 {
		before = l.valueOf[pre[0].Place]
		c.groupTests = append(c.groupTests, groupTest{i, before})
		c.tests = append(c.tests, test{
			kind: bitsEqual, word: uint32(f.word), mask: f.mask(), value: before << f.shift,
		})
	}
	after := uint64(0)
	tooMany := len(post) > 1 || len(post) == 1 && post[0].Weight > 1
	noValue := f.offset == 0 && (len(post) == 0 || len(pre) == 0)
	if tooMany || noValue {
		c.room = append(c.room, test{kind: never, field: int32(i)})
		return true
	}
	if len(post) == 1 {
		after = l.valueOf[post[0].Place]
		if len(pre) == 0 {
			c.room = append(c.room, test{kind: bitsEqual, word: uint32(f.word), field: int32(i), mask: f.mask()})
		}
	}
	s.change(f.word, after<<f.shift-before<<f.shift)
	return true
}

// mergeEqualities makes one equality test a word of those there are, and puts
// them first, the longest mask leading.
func (c *compiledRule) mergeEqualities(s *ruleScratch) {
	equal, other := s.equal[:0], s.other[:0]
	for _, t := range c.tests {
		if t.kind != bitsEqual {
			other = append(other, t)
			continue
		}
		if j := slices.IndexFunc(equal, func(e test) bool { return e.word == t.word }); j >= 0 {
			equal[j].mask |= t.mask
			equal[j].value |= t.value
		} else {
			equal = append(equal, t)
		}
	}
	slices.SortStableFunc(equal, func(a, b test) int {
		return bits.OnesCount64(b.mask) - bits.OnesCount64(a.mask)
	})
	s.equal, s.other = equal, other
	c.tests = append(append(c.tests[:0], equal...), other...)
}

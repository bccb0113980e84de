package petri

import (
	"cmp"
	"slices"
	"unsafe"

	"pnmc/internal/account"
)

// firing is the token game compiled to operations on packed markings.
//
// The problem. An exploration fires all transitions in each of millions of markings. To unpack a
// marking, look at it place by place and pack each successor would take most of the time.
//
// The idea. A transition becomes a rule on the words of the packed marking:
//
//   - It is enabled if a few masked words compare as they should (test). A rule begins with an
//     equality test, which covers all groups and places of one bit in its word at once.
//   - It fires by adding a constant to each word that it changes (delta). One addition changes all
//     fields of a word, as in Lamport, "Multiple byte processing with full-word instructions" (1975).
//   - A rule that needs a value of a group is filed under that value, and of several groups under
//     the one with most places. For each group only the rules under its present value are tried, so
//     most rules are never looked at. Where rules are many, each is filed under the place that is the
//     least likely to be marked (filing.go), and those whose places are marked are found by pairs of
//     places where places are few (pairing.go).
//
// For example, let p have three bits, and let the group of a, b and c have the two bits above:
// 0 for a, 1 for b, 2 for c. Transition t takes two tokens from p and moves a token from a to b. Its
// rule is filed under the value 0 of the group. The tests are word & 0b11000 = 0 and
// word & 0b00111 ≥ 2. The delta is 8 - 2 = 6: the group goes from 0 to 1, and p loses 2. In the
// marking with p = 3 and a token on a the word is 0b00011. Both tests hold, and the successor is
// 0b00011 + 6 = 0b01001: p = 1, and the token is on b.
//
// Why it is right. A word is a number, the sum of its fields' values, each times two to the power of
// its shift. So adding all changes, each shifted alike, gives the sum for the new values, modulo 2^64.
// That is the packed successor if each new value fits its field. None is too small: the tests exclude
// it. None is too large: either that is proven, or a room test looks at it. Where a room test fails,
// the number of the field is returned, and the caller takes a wider layout (Layout.Widened) and asks
// again. Implied places have no bits and need no change. Filing loses no rule: each lies in one
// bucket, or is always tried, and no rule of the other buckets is enabled. A transition that no
// marking of the layout enables has no rule; a wider layout may give it one.
//
// What it costs. A marking costs one comparison for each rule in the buckets of its values, and more
// only where that one holds. A successor costs a copy of the words and an addition for each word that
// changes. If tests read implied places, their sums are computed once a marking. Buckets take four
// bytes for each value of each group that rules are filed under.
type firing struct {
	layout *Layout
	rules  []rule
	// always are rules tried in every marking. The others are filed under the
	// value of one group that they need: rules bucket[i] to bucket[i+1] are
	// those for the i-th value, counting through all indexed groups.
	always  int // rules[:always]
	indexed []indexedGroup
	bucket  []uint32
	tests   []test
	deltas  []delta
	// needs are the implied places that some test reads, in ascending order of
	// implication, with all implications they depend on.
	needs []int
	// capped are fields that must not be widened: what would overflow them is
	// left out. Nil while there are none.
	capped []bool
	// clears are, for each rule of a net that is not plain, masks of what it empties before its
	// deltas are added. Nil in a plain net, whose rules have none of the tests below never.
	clears [][]delta
	// pairs finds rules where they are many and places few; nil elsewhere.
	pairs *pairing
	// batch is how many rules may be fired before it is looked how much came of it.
	batch uint32
}

// batchWords is about how many words of successors are made at a time: half a megabyte.
const batchWords = 1 << 16

// cursor is how far the rules of a marking were tried: those that are always tried are
// part 0, those of the first indexed group part 1, and so on.
type cursor struct {
	part int
	rule uint32 // of the part, tried so far
}

// done reports whether all rules were tried.
func (c *cursor) done(f *firing) bool { return c.part > len(f.indexed) }

// rule is one transition. Its first equality test and its first delta lie in the
// rule itself; the others follow in the shared slices.
type rule struct {
	mask, value uint64
	delta       uint64
	word        uint32 // of mask and value
	deltaWord   uint32
	test        uint32 // tests[test:room] must hold
	room        uint32 // tests[room:end] must hold, or the layout is too narrow
	end         uint32
	deltaFirst  uint32
	deltaEnd    uint32
	transition  Transition
}

// test compares masked bits of a word, or an implied count.
type test struct {
	kind  testKind
	word  uint32 // or the number of an implication
	field int32  // room tests: the field to widen
	mask  uint64
	value uint64
}

type testKind uint8

const (
	bitsEqual testKind = iota
	bitsAtLeast
	bitsAtMost
	impliedAtLeast
	never // room tests: always too narrow
	bitsDiffer
	impliedAtMost
)

type delta struct {
	word uint32
	add  uint64
}

const (
	bytesPerRule  = int(unsafe.Sizeof(rule{}))
	bytesPerTest  = int(unsafe.Sizeof(test{}))
	bytesPerDelta = int(unsafe.Sizeof(delta{}))
)

// indexedGroup is a field by whose value rules are filed: values 0 to most have the buckets from base on. For a
// group, these are all values. For a place by itself, 1 stands for any tokens.
type indexedGroup struct {
	word  uint32
	shift uint32
	mask  uint64 // after shifting
	base  uint32
	most  uint64
}

// bucket returns the number of the bucket of a marking.
func (g *indexedGroup) bucket(packed []uint64) uint32 {
	return g.base + uint32(min(packed[g.word]>>g.shift&g.mask, g.most))
}

// filedRule is a rule with the number of the field to file it under, or -1, and the value there.
type filedRule struct {
	compiledRule
	group int
	value uint64
}

// compileFiring makes the token game of the layout's net. An error is that of the account.
func compileFiring(a *account.Account, l *Layout) (*firing, error) {
	f := &firing{layout: l, batch: uint32(max(1, batchWords/l.words))}
	all, err := f.compileRules(a)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b filedRule) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.value, b.value))
	})
	for _, k := range all {
		if k.group < 0 {
			f.always++
		}
	}
	for i := 0; i < len(all); {
		if g := all[i].group; g >= 0 {
			field := &l.fields[g]
			values := uint64(2)
			if field.group() {
				values = 1 << field.width
			}
			f.indexed = append(f.indexed, indexedGroup{
				word: uint32(field.word), shift: uint32(field.shift), mask: 1<<field.width - 1,
				base: uint32(len(f.bucket)), most: values - 1,
			})
			for v := range values {
				f.bucket = append(f.bucket, uint32(i))
				for i < len(all) && all[i].group == g && all[i].value == v {
					f.append(all[i].compiledRule)
					i++
				}
			}
			f.bucket = append(f.bucket, uint32(i))
			continue
		}
		f.append(all[i].compiledRule)
		i++
	}
	f.collectNeeds()
	if err := f.pair(a); err != nil {
		return nil, err
	}
	return f, nil
}

// ruleWork is about what it costs to compile a rule without arcs, and arcWork what each arc adds, in nanoseconds.
const (
	ruleWork = 200
	arcWork  = 30
)

// compileRules compiles each transition that some marking of the layout may enable, and makes room for what they are
// filed as. An error is that of the account.
func (f *firing) compileRules(a *account.Account) (all []filedRule, err error) {
	l := f.layout
	var scratch ruleScratch
	files := newFiling(l)
	tests, deltas := 0, 0
	for t := range Transition(l.net.Transitions()) {
		arcs := len(l.net.Pre(t)) + len(l.net.Post(t)) + len(l.net.Ceilings(t)) + len(l.net.Resets(t))
		if err := a.Charge(ruleWork + arcWork*arcs); err != nil {
			return nil, err
		}
		r, ok := compileRule(l, t, &scratch)
		if !ok {
			continue
		}
		if err := a.Charge(files.work(t, r.groupTests)); err != nil {
			return nil, err
		}
		k := filedRule{compiledRule: r}
		k.group, k.value = files.choose(t, r.groupTests)
		if err := account.Room(a, all, 1); err != nil {
			return nil, err
		}
		all = append(all, k)
		tests, deltas = tests+len(r.tests)+len(r.room), deltas+len(r.deltas)
		// Tests and deltas are in slices of the rule until they are filed.
		if err := a.Charge(bytesPerTest*(len(r.tests)+len(r.room)) + bytesPerDelta*len(r.deltas)); err != nil {
			return nil, err
		}
	}
	if err := a.Reserve(bytesPerRule*len(all) + bytesPerTest*tests + bytesPerDelta*deltas); err != nil {
		return nil, err
	}
	f.rules = make([]rule, 0, len(all))
	f.tests, f.deltas = make([]test, 0, tests), make([]delta, 0, deltas)
	return all, nil
}

// append adds a compiled rule. Its first equality test and first delta go into the rule itself.
func (f *firing) append(c compiledRule) {
	if !f.layout.net.Plain() {
		f.clears = append(f.clears, c.clears)
	}
	r := rule{test: uint32(len(f.tests)), transition: c.transition}
	tests := c.tests
	if len(tests) > 0 && tests[0].kind == bitsEqual {
		r.word, r.mask, r.value = tests[0].word, tests[0].mask, tests[0].value
		tests = tests[1:]
	}
	f.tests = append(f.tests, tests...)
	r.room = uint32(len(f.tests))
	f.tests = append(f.tests, c.room...)
	r.end = uint32(len(f.tests))
	deltas := c.deltas
	if len(deltas) > 0 {
		r.deltaWord, r.delta = deltas[0].word, deltas[0].add
		deltas = deltas[1:]
	}
	r.deltaFirst = uint32(len(f.deltas))
	f.deltas = append(f.deltas, deltas...)
	r.deltaEnd = uint32(len(f.deltas))
	f.rules = append(f.rules, r)
}

// collectNeeds finds the implied counts that tests read, and those these rest on.
func (f *firing) collectNeeds() {
	l := f.layout
	needed := make([]bool, len(l.implied))
	for _, t := range f.tests {
		if t.kind == impliedAtLeast || t.kind == impliedAtMost {
			needed[t.word] = true
		}
	}
	for i := len(needed) - 1; i >= 0; i-- {
		if !needed[i] {
			continue
		}
		for _, a := range l.implied[i].terms {
			if j := l.fieldOf[a.Place]; j < 0 {
				needed[-1-j] = true
			}
		}
	}
	for i, n := range needed {
		if n {
			f.needs = append(f.needs, i)
		}
	}
}

// evaluateImplied writes the counts of the implied places that tests read.
func (f *firing) evaluateImplied(packed []uint64, counts []int64) {
	l := f.layout
	for _, i := range f.needs {
		m := &l.implied[i]
		c := m.constant
		for _, a := range m.terms {
			if j := l.fieldOf[a.Place]; j < 0 {
				c -= a.Weight * counts[-1-j]
			} else {
				g := &l.fields[j]
				v := packed[g.word] >> g.shift & (1<<g.width - 1)
				if !g.group() {
					c -= a.Weight * int64(v)
				} else if v == l.valueOf[a.Place] {
					c -= a.Weight
				}
			}
		}
		if m.divisor != 1 {
			c /= m.divisor
		}
		counts[i] = c
	}
}

// enabled reports whether the tests of r hold, all but its first and those that only below knows.
func (f *firing) enabled(r *rule, packed []uint64, implied []int64) bool {
	for i := r.test; i < r.room; i++ {
		t := &f.tests[i]
		switch t.kind {
		case bitsEqual:
			if packed[t.word]&t.mask != t.value {
				return false
			}
		case bitsAtLeast:
			if packed[t.word]&t.mask < t.value {
				return false
			}
		case impliedAtLeast:
			if implied[t.word] < int64(t.value) {
				return false
			}
		}
	}
	return true
}

// tooNarrow returns a field that can't hold what firing the enabled rule r would put
// into it, or -1.
func (f *firing) tooNarrow(r *rule, packed []uint64) int {
	for i := r.room; i < r.end; i++ {
		t := &f.tests[i]
		if t.kind == never || t.kind == bitsAtMost && packed[t.word]&t.mask > t.value ||
			t.kind == bitsEqual && packed[t.word]&t.mask != t.value {
			return int(t.field)
		}
	}
	return -1
}

// successors appends packed markings that follow packed to out, one for each enabled
// transition. It begins where c says, and stops when there are many or all rules were
// tried. If a field is too narrow for one of them, its number is returned instead of -1,
// and out may hold some successors already.
func (f *firing) successors(packed []uint64, implied []int64, out *[]uint64, c *cursor) int {
	if len(f.needs) > 0 {
		f.evaluateImplied(packed, implied)
	}
	if f.pairs != nil {
		return f.pairedSuccessors(packed, implied, out, c)
	}
	if len(f.rules) <= int(f.batch) {
		c.part = len(f.indexed) + 1
		return f.allSuccessors(packed, implied, out)
	}
	most := len(*out) + batchWords
	for ; c.part <= len(f.indexed); c.part, c.rule = c.part+1, 0 {
		first, end := uint32(0), uint32(f.always)
		if c.part > 0 {
			g := &f.indexed[c.part-1]
			b := g.bucket(packed)
			first, end = f.bucket[b], f.bucket[b+1]
		}
		for first += c.rule; first < end; {
			if len(*out) >= most {
				return -1
			}
			last := min(end, first+f.batch)
			if narrow := f.fireAll(first, last, packed, implied, out); narrow >= 0 {
				return narrow
			}
			c.rule += last - first
			first = last
		}
	}
	return -1
}

// allSuccessors appends the successors by all rules at once. It serves where rules are few.
func (f *firing) allSuccessors(packed []uint64, implied []int64, out *[]uint64) int {
	if f.always > 0 {
		if narrow := f.fireAll(0, uint32(f.always), packed, implied, out); narrow >= 0 {
			return narrow
		}
	}
	for i := range f.indexed {
		g := &f.indexed[i]
		b := g.bucket(packed)
		if first, end := f.bucket[b], f.bucket[b+1]; first < end {
			if narrow := f.fireAll(first, end, packed, implied, out); narrow >= 0 {
				return narrow
			}
		}
	}
	return -1
}

// fireAll appends the successors by the rules from first up to, but not including, end. It
// returns the number of a field that is too narrow, or -1.
func (f *firing) fireAll(first, end uint32, packed []uint64, implied []int64, out *[]uint64) int {
	if f.clears != nil {
		return f.fireSpecial(first, end, packed, implied, out)
	}
	words := *out
	rules := f.rules[first:end]
	for i := range rules {
		r := &rules[i]
		if packed[r.word]&r.mask != r.value {
			continue
		}
		if r.test < r.room && !f.enabled(r, packed, implied) {
			continue
		}
		if r.room < r.end {
			if narrow := f.tooNarrow(r, packed); narrow >= 0 {
				if f.capped != nil && f.capped[narrow] {
					continue
				}
				return narrow
			}
		}
		at := len(words)
		if len(packed) == 1 {
			words = append(words, packed[0]+r.delta)
		} else {
			words = append(words, packed...)
			words[at+int(r.deltaWord)] += r.delta
			for _, d := range f.deltas[r.deltaFirst:r.deltaEnd] {
				words[at+int(d.word)] += d.add
			}
		}
	}
	*out = words
	return -1
}

// cutOff reports whether a transition is enabled that is left out since it would
// overflow a capped field.
func (f *firing) cutOff(packed []uint64, implied []int64) bool {
	if f.capped == nil {
		return false
	}
	for i := range f.rules {
		r := &f.rules[i]
		if packed[r.word]&r.mask == r.value && f.enabled(r, packed, implied) && (f.clears == nil || f.below(r, packed, implied)) {
			if narrow := f.tooNarrow(r, packed); narrow >= 0 && f.capped[narrow] {
				return true
			}
		}
	}
	return false
}

package subsets

import (
	"cmp"
	"math/bits"
	"slices"

	"pnmc/internal/bitset"
)

// MostNumbers is how many numbers there may be.
const MostNumbers = 1 << 16

// Sets are what an index is made of.
type Sets struct {
	// Numbers is what all members are below, at most MostNumbers, and Count how many sets there are.
	Numbers, Count int
	// Members appends the members of a set to list, each once, in any order.
	Members func(set uint32, list []uint32) []uint32
	// Rank orders numbers, from those that are the least likely to be in what is asked about.
	Rank []uint32
	// Usual is what is asked about at first, and often is not far from it.
	Usual []uint64
	// Asked, unless nil, is told of work in about nanoseconds, or in bytes if these are more, and reports whether to go on.
	Asked func(work int) bool
}

// memberWork is about what a member of a set takes in each of three passes, in nanoseconds.
const memberWork = 16

// goOn reports whether to go on after a set of that many members.
func (s *Sets) goOn(members int) bool { return s.Asked == nil || s.Asked(memberWork*(1+members)) }

// Index is sets laid out to be found. It does not change, so that several threads may ask it.
type Index struct {
	words int // of a set that is asked about
	usual usual
	// firsts are the numbers that are the least likely member of a set, and partners, by number and word, those that
	// follow it in a pair.
	firsts   []uint64
	partners []partners
	group    []uint32    // by group, where its sets begin
	further  [][2]uint16 // by set as they lie in groups, two further members, or members of its pair
	sets     []listed    // in the same order
	rest     []uint16    // the members beyond that
}

// partners are up to 64 numbers, and how many groups come before theirs.
type partners struct {
	set    uint64
	before uint32
}

// listed is a set in the group of its pair. Its further members but two are those of rest from first to end.
type listed struct{ set, first, end uint32 }

// listedMembers is how many members the pair of a set and its two further members are.
const listedMembers = 4

// usual lists the sets that lie within the usual one, and those without members.
type usual struct {
	sets   []uint32
	needed []uint64 // the numbers that some of these have
	row    []uint32 // by number, where its row begins in rows
	rows   []uint64 // by number, which of sets have it, as indices of sets
	all    []uint64 // the set of all indices
}

// New makes an index, in time linear in the members, but for sorting. It returns nil if tables would have more words
// than that, where 0 stands for no limit, or if it is not to go on.
func New(s Sets, mostWords int) *Index {
	x := &Index{words: bitset.WordsFor(s.Numbers)}
	if s.Numbers > MostNumbers || mostWords > 0 && s.Numbers*x.words > mostWords {
		return nil
	}
	others, goOn := x.findUsual(&s)
	if !goOn || mostWords > 0 && len(x.usual.all)*s.Numbers > mostWords || !x.usual.layOut(&s) || !x.pair(&s, others) {
		return nil
	}
	return x
}

// findUsual lists the sets that are usual, and returns the others. It reports whether to go on.
func (x *Index) findUsual(s *Sets) (others []uint32, goOn bool) {
	var list []uint32
	for i := range uint32(s.Count) {
		if list = s.Members(i, list[:0]); !s.goOn(len(list)) {
			return nil, false
		}
		if slices.ContainsFunc(list, func(p uint32) bool { return !bitset.Has(s.Usual, p) }) {
			others = append(others, i)
		} else {
			x.usual.sets = append(x.usual.sets, i)
		}
	}
	x.usual.all = make([]uint64, bitset.WordsFor(len(x.usual.sets)))
	for i := range x.usual.sets {
		bitset.Add(x.usual.all, i)
	}
	return others, true
}

// layOut makes the rows, and reports whether to go on.
func (u *usual) layOut(s *Sets) bool {
	u.needed, u.row = make([]uint64, bitset.WordsFor(s.Numbers)), make([]uint32, s.Numbers)
	var list []uint32
	for i, set := range u.sets {
		if list = s.Members(set, list[:0]); !s.goOn(len(list)) {
			return false
		}
		for _, p := range list {
			if !bitset.Has(u.needed, p) {
				bitset.Add(u.needed, p)
				u.row[p] = uint32(len(u.rows))
				u.rows = append(u.rows, make([]uint64, len(u.all))...)
			}
			bitset.Add(u.rows[u.row[p]:], i)
		}
	}
	return true
}

// pair lays out the other sets, of which each has at least one member, and reports whether to go on.
func (x *Index) pair(s *Sets, others []uint32) bool {
	type paired struct {
		first, second uint16
		set           uint32
	}
	var list []uint32
	ranked := func(set uint32) []uint32 {
		list = s.Members(set, list[:0])
		slices.SortFunc(list, func(p, q uint32) int { return cmp.Compare(s.Rank[p], s.Rank[q]) })
		return list
	}
	all := make([]paired, len(others))
	members := 0
	for i, set := range others {
		list := ranked(set)
		if !s.goOn(len(list)) {
			return false
		}
		all[i] = paired{uint16(list[0]), uint16(list[min(1, len(list)-1)]), set}
		members += max(0, len(list)-listedMembers)
	}
	slices.SortFunc(all, func(a, b paired) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.second, b.second), cmp.Compare(a.set, b.set))
	})
	x.firsts, x.partners = make([]uint64, x.words), make([]partners, s.Numbers*x.words)
	x.further, x.sets, x.rest = make([][2]uint16, len(all)), make([]listed, len(all)), make([]uint16, 0, members)
	for i, m := range all {
		bitset.Add(x.firsts, m.first)
		x.partners[int(m.first)*x.words+int(m.second/64)].set |= bitset.Mask(m.second)
		if i == 0 || all[i-1].first != m.first || all[i-1].second != m.second {
			x.group = append(x.group, uint32(i))
		}
		list := ranked(m.set)
		if !s.goOn(len(list)) {
			return false
		}
		for k := range x.further[i] {
			x.further[i][k] = uint16(list[min(2+k, len(list)-1)])
		}
		first := uint32(len(x.rest))
		for _, p := range list[min(listedMembers, len(list)):] {
			x.rest = append(x.rest, uint16(p))
		}
		x.sets[i] = listed{m.set, first, uint32(len(x.rest))}
	}
	x.group = append(x.group, uint32(len(all)))
	groups := uint32(0)
	for i := range x.partners {
		x.partners[i].before = groups
		groups += uint32(bits.OnesCount64(x.partners[i].set))
	}
	return true
}

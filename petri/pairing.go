package petri

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"pnmc/internal/account"
	"pnmc/internal/bitset"
	"pnmc/internal/subsets"
)

// pairing finds the rules that may be enabled in a packed marking where rules are many and places few.
//
// The problem. Of a net of 31,000 transitions that need twelve places each, some 3,000 rules are filed under the
// values that fields have in a marking, and one or two of them are enabled. To try all takes nearly all the time of
// an exploration.
//
// The idea. A rule may be enabled only if all places that its transition needs are marked. So the set of marked
// places is read from the fields, and package subsets finds all transitions that need no other place: it looks at
// a tenth of the rules, and at four bytes of each. What it finds is tested as any rule is.
//
// Places that are implied have no field. They are left out of what a transition needs, so that rules may be found
// that are not enabled, and none is lost. Rules are taken in ascending order, as without pairs, so that edges have
// the same order.
//
// Which places are seldom marked is learned by a short walk, which also shows whether pairs pay.
type pairing struct {
	index  *subsets.Index
	fields []markedField
	places []uint16 // by field and value, which place that value marks
	words  int      // of a set of places
	tried  int      // about how many rules and words are looked at for a marking
}

// markedField says where a field lies, and where its values begin in places. Values from most on stand for it.
type markedField struct {
	word, shift uint32
	mask, most  uint64
	first       uint32
}

// noPlace is what a value marks that marks none.
const noPlace = subsets.MostNumbers - 1

const (
	// consumersOfPaired is how many consumers places have on average where pairs are tried.
	consumersOfPaired = 64
	// pairWordsPerArc bounds the tables of pairs, for each arc to a transition.
	pairWordsPerArc = 2
	// mostMarkedWords bounds the words of a set of places, which lie on the stack.
	mostMarkedWords = 64
	// triedMarkings is how many markings the short walk sees.
	triedMarkings = 256
	// pairedWork is about what it takes to read the marked places of a marking, in rules that are tried.
	pairedWork = 100
)

// pairsAll has pairs be tried in any plain net, for tests.
var pairsAll bool

// pair has f find rules by pairs, if that pays. Rules are laid out, and filed. An error is that of the account.
func (f *firing) pair(a *account.Account) error {
	n := f.layout.net
	words := bitset.WordsFor(n.Places())
	if pairsAll && n.Plain() && len(f.rules) > 0 && words <= mostMarkedWords {
		return f.pairAlways(a, 0)
	}
	if len(f.rules) < manyRules || !n.Plain() || len(n.pre) < consumersOfPaired*n.Places() || words > mostMarkedWords {
		return nil
	}
	return f.pairAlways(a, pairWordsPerArc*len(n.pre))
}

// pairAlways pairs however many rules there are, if pairs pay, or in any case if there is no bound of words.
func (f *firing) pairAlways(a *account.Account, mostWords int) error {
	n := f.layout.net
	p := &pairing{words: bitset.WordsFor(n.Places())}
	p.readFields(f.layout)
	packed := make([]uint64, f.layout.words)
	if f.layout.Pack(n.Initial(), packed) >= 0 {
		return nil
	}
	usual := make([]uint64, p.words)
	p.marked(packed, usual)
	markings, tried, err := f.walkABit(a, packed)
	if err != nil {
		return err
	}
	meter := account.Meter{Account: a}
	p.index = subsets.New(subsets.Sets{
		Numbers: n.Places(), Count: len(f.rules), Usual: usual, Rank: p.rank(n, markings),
		Members: func(rule uint32, list []uint32) []uint32 {
			for _, a := range n.Pre(f.rules[rule].transition) {
				if f.layout.fieldOf[a.Place] >= 0 {
					list = append(list, uint32(a.Place))
				}
			}
			return list
		},
		Asked: meter.Asked,
	}, mostWords)
	if p.index == nil {
		return meter.End
	}
	looks := 0
	for _, packed := range markings {
		p.marked(packed, usual)
		_, n := p.index.Within(usual, nil)
		looks += n
	}
	if p.tried = looks/len(markings) + pairedWork; p.tried < tried/len(markings) || mostWords == 0 {
		f.pairs = p
	}
	return nil
}

// walkABit walks at random. It returns the markings on the way, packed, and how many rules were tried there. An error is
// that of the account.
func (f *firing) walkABit(a *account.Account, initial []uint64) (markings [][]uint64, tried int, err error) {
	rng := rand.New(rand.NewPCG(3, 5))
	implied := make([]int64, len(f.layout.implied))
	packed := slices.Clone(initial)
	var rules []uint32
	var next []uint64
	for range triedMarkings {
		markings = append(markings, slices.Clone(packed))
		tried += f.always
		for i := range f.indexed {
			b := f.indexed[i].bucket(packed)
			tried += int(f.bucket[b+1] - f.bucket[b])
		}
		if err := a.Charge(len(f.rules)); err != nil {
			return nil, 0, err
		}
		rules = f.enabledRules(packed, implied, rules[:0])
		next = next[:0]
		if len(rules) > 0 {
			r := rng.IntN(len(rules))
			f.fireRules(rules[r:r+1], packed, &next)
		}
		if len(next) == 0 { // nothing is enabled, or a field is too narrow
			next = append(next, initial...)
		}
		copy(packed, next)
	}
	return markings, tried, nil
}

// rank orders places from those that are seldom marked.
func (p *pairing) rank(n *Net, markings [][]uint64) []uint32 {
	often := make([]int, n.Places())
	set := make([]uint64, p.words)
	for _, packed := range markings {
		p.marked(packed, set)
		for q := range often {
			often[q] += int(bitset.Bit(set, q))
		}
	}
	order := make([]Place, n.Places())
	for q := range order {
		order[q] = Place(q)
	}
	slices.SortStableFunc(order, func(a, b Place) int {
		return cmp.Or(cmp.Compare(often[a], often[b]), cmp.Compare(len(n.Consumers(a)), len(n.Consumers(b))))
	})
	rank := make([]uint32, n.Places())
	for i, q := range order {
		rank[q] = uint32(i)
	}
	return rank
}

// readFields notes which places fields mark.
func (p *pairing) readFields(l *Layout) {
	for i := range l.fields {
		f := &l.fields[i]
		m := markedField{word: uint32(f.word), shift: uint32(f.shift), mask: 1<<f.width - 1, most: 1, first: uint32(len(p.places))}
		if !f.group() {
			p.places = append(p.places, noPlace, uint16(f.places[0]))
		} else {
			m.most = m.mask
			for range f.offset {
				p.places = append(p.places, noPlace)
			}
			for _, q := range f.places {
				p.places = append(p.places, uint16(q))
			}
			for len(p.places) <= int(m.first)+int(m.most) {
				p.places = append(p.places, noPlace)
			}
		}
		p.fields = append(p.fields, m)
	}
}

// marked makes set the marked places of a packed marking, those without a field left out.
func (p *pairing) marked(packed []uint64, set []uint64) {
	clear(set)
	for i := range p.fields {
		f := &p.fields[i]
		value := min(packed[f.word]>>f.shift&f.mask, f.most)
		if q := p.places[f.first+uint32(value)]; q != noPlace {
			set[q/64] |= 1 << (q % 64)
		}
	}
}

// pairedRules appends the numbers of the rules that are enabled in packed to list, ascending. Implied counts that
// tests read are known.
func (f *firing) pairedRules(packed []uint64, implied []int64, list []uint32) []uint32 {
	var words [mostMarkedWords]uint64
	set := words[:f.pairs.words]
	f.pairs.marked(packed, set)
	begin := len(list)
	list, _ = f.pairs.index.Within(set, list)
	kept := list[:begin]
	for _, i := range list[begin:] {
		if f.isEnabled(&f.rules[i], packed, implied) {
			kept = append(kept, i)
		}
	}
	slices.Sort(kept[begin:])
	return kept
}

// isEnabled reports whether all tests of a rule of a plain net hold.
func (f *firing) isEnabled(r *rule, packed []uint64, implied []int64) bool {
	return packed[r.word]&r.mask == r.value && (r.test == r.room || f.enabled(r, packed, implied))
}

// pairedSuccessors does what successors does where rules are found by pairs.
func (f *firing) pairedSuccessors(packed []uint64, implied []int64, out *[]uint64, c *cursor) int {
	var room [64]uint32
	rules := f.pairedRules(packed, implied, room[:0])
	most := len(*out) + batchWords
	for ; int(c.rule) < len(rules); c.rule++ {
		if len(*out) >= most {
			return -1
		}
		r := rules[c.rule]
		if narrow := f.fireAll(r, r+1, packed, implied, out); narrow >= 0 {
			return narrow
		}
	}
	c.part = len(f.indexed) + 1
	return -1
}

// tryWork returns about what it takes to try all rules in a marking, in nanoseconds.
func (f *firing) tryWork() int {
	if f.pairs != nil {
		return f.pairs.tried
	}
	return len(f.rules)
}

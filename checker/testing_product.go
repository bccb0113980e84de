package checker

import (
	"errors"
	"math/bits"

	"pnmc/automata"
	"pnmc/petri"
)

// changeReader is an automaton that reads the labels of a run in pairs: in state n,
// while the graph moves from a state with letter from to one with letter to. It
// may come into being as it is asked; its answers are kept.
type changeReader interface {
	// Letter numbers a valuation. Valuations with the same letter are the same to
	// the automaton.
	Letter(v automata.Valuation) uint32
	// Initial are the states where a run starts whose first letter is l.
	Initial(l uint32) []uint32
	Steps(n, from, to uint32) []automata.TestingStep
	// Universal tells, if it is true, that n accepts whatever follows letter l, the
	// one that the graph is at.
	Universal(n, l uint32) bool
	// States is the number of states that were met.
	States() int
}

// testingProduct is the synchronized product of the state graph of a net and a
// testing automaton (2012, Definitions 8 and 9), on the fly.
//
// Which steps there are for a state and two letters is looked up: they are found
// once, and lie in steps from then on.
type testingProduct struct {
	kripke    *petri.Kripke
	labelling *petri.Labelling
	automaton changeReader
	letterOf  []uint32 // of each label, plus one
	numbering numbering

	rows  []testingRow // open addressing by key; a power of two
	used  int
	steps []automata.TestingStep

	accepts    func(union uint64) bool
	transition int64 // edges of the product found so far
}

// testingRow is where the steps for a state and two letters lie.
type testingRow struct {
	key          uint64 // plus one
	first, count uint32
}

// Keys of rows have this many bits for states, and for each letter.
const (
	testingStateBits  = 24
	testingLetterBits = 20
)

var errTooManyTestingStates = errors.New("more than 2^24 states or 2^20 letters of a testing automaton")

func newTestingProduct(k *petri.Kripke, propositions []*petri.Proposition, a changeReader, accepts func(uint64) bool) *testingProduct {
	return &testingProduct{
		kripke: k, labelling: petri.NewLabelling(k, propositions), automaton: a,
		numbering: numbering{states: 16}, rows: make([]testingRow, 1<<8), accepts: accepts,
	}
}

// letter is the letter of a state of the graph.
func (p *testingProduct) letter(s petri.StateID) uint32 {
	label := p.labelling.Of(s)
	if int(label) >= len(p.letterOf) {
		p.letterOf = append(p.letterOf, make([]uint32, int(label)+1-len(p.letterOf))...)
	}
	l := p.letterOf[label]
	if l == 0 {
		l = p.automaton.Letter(p.labelling.Label(label)) + 1
		p.letterOf[label] = l
	}
	return l - 1
}

// row is the range in p.steps of the steps of n from letter to letter.
func (p *testingProduct) row(n, from, to uint32) (first, end uint32) {
	key := uint64(n)<<(2*testingLetterBits) | uint64(from)<<testingLetterBits | uint64(to)
	at := p.place(key + 1)
	if r := &p.rows[at]; r.key != 0 {
		return r.first, r.first + r.count
	}
	steps := p.automaton.Steps(n, from, to)
	if 2*(p.used+1) > len(p.rows) {
		p.growRows()
		at = p.place(key + 1)
	}
	r := testingRow{key + 1, uint32(len(p.steps)), uint32(len(steps))}
	p.rows[at] = r
	p.used++
	p.steps = append(p.steps, steps...)
	return r.first, r.first + r.count
}

// place is where a row with this key is or would be.
func (p *testingProduct) place(key uint64) uint64 {
	high, low := bits.Mul64(key, 0x9e3779b97f4a7c15)
	mask := uint64(len(p.rows) - 1)
	at := (high ^ low ^ low>>32) & mask
	for p.rows[at].key != 0 && p.rows[at].key != key {
		at = (at + 1) & mask
	}
	return at
}

func (p *testingProduct) growRows() {
	old := p.rows
	p.rows = make([]testingRow, 2*len(old))
	for _, r := range old {
		if r.key != 0 {
			p.rows[p.place(r.key)] = r
		}
	}
}

// slot is where the number of (s, n) lies.
func (p *testingProduct) slot(s petri.StateID, n uint32) *uint32 {
	if n >= p.numbering.states {
		p.numbering.widen(max(2*p.numbering.states, n+1))
	}
	return p.numbering.slot(s, n)
}

// widen makes room for more automaton states. Slots stay where they are.
func (n *numbering) widen(states uint32) {
	blocks := (len(n.directory) + int(n.states) - 1) / int(n.states) // the last may be cut off
	directory := make([]uint32, blocks*int(states))
	for b := range blocks {
		first := b * int(n.states)
		copy(directory[b*int(states):], n.directory[first:min(first+int(n.states), len(n.directory))])
	}
	n.directory, n.states = directory, states
}

// fits tells whether rows can be told apart.
func (p *testingProduct) fits() error {
	if p.automaton.States() >= 1<<testingStateBits || p.labelling.Count() >= 1<<testingLetterBits {
		return errTooManyTestingStates
	}
	return nil
}

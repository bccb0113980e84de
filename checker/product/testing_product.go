package product

import (
	"errors"
	"math"
	"math/bits"
	"unsafe"

	"pnmc/automata"
	"pnmc/automata/testingautomata"
	"pnmc/internal/account"
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
	Steps(n, from, to uint32) []testingautomata.Step
	// Universal reports whether n is known to accept whatever follows l, the letter that
	// the graph is at; false means unknown.
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
	steps []testingautomata.Step

	accepts    func(union uint64) bool
	transition int64 // edges of the product found so far

	account *account.Account
	full    error // why there are no more rows, or nil; looked at like numbering.full
}

// testingRow is where the steps for a state and two letters lie.
type testingRow struct {
	letters      uint64 // from, then to
	node         uint32 // plus one; 0: there is no row here
	first, count uint32
}

// key mixes what a row is for.
func (r *testingRow) key() uint64 {
	high, low := bits.Mul64(r.letters^uint64(r.node)<<17, 0x9e3779b97f4a7c15)
	return high ^ low
}

func newTestingProduct(k *petri.Kripke, propositions []*petri.Proposition, a changeReader, accepts func(uint64) bool) *testingProduct {
	return &testingProduct{
		kripke: k, labelling: petri.NewLabelling(k, propositions), automaton: a,
		numbering: numbering{states: 16, account: k.Account()}, rows: make([]testingRow, 1<<8), accepts: accepts,
		account: k.Account(),
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

// row is the range in p.steps of the steps of n from letter to letter. It is empty if there
// is no room for it, and full then tells why.
func (p *testingProduct) row(n, from, to uint32) (first, end uint32) {
	wanted := testingRow{letters: uint64(from)<<32 | uint64(to), node: n + 1}
	at := p.place(&wanted)
	if r := &p.rows[at]; r.node != 0 {
		return r.first, r.first + r.count
	}
	if p.full != nil {
		return 0, 0
	}
	steps := p.automaton.Steps(n, from, to)
	if p.full = p.roomForRow(len(steps)); p.full != nil {
		return 0, 0
	}
	if 2*(p.used+1) > len(p.rows) {
		p.growRows()
		at = p.place(&wanted)
	}
	wanted.first, wanted.count = uint32(len(p.steps)), uint32(len(steps))
	p.rows[at] = wanted
	p.used++
	p.steps = append(p.steps, steps...)
	return wanted.first, wanted.first + wanted.count
}

// roomForRow asks the account for what another row takes, which is made already.
func (p *testingProduct) roomForRow(steps int) error {
	if err := p.account.Charge(rowWork + stepWork*steps); err != nil {
		return err
	}
	if 2*(p.used+1) > len(p.rows) {
		if err := p.account.Reserve(2 * len(p.rows) * int(unsafe.Sizeof(testingRow{}))); err != nil {
			return err
		}
	}
	if len(p.steps) > math.MaxUint32-steps {
		return errTooManyTestingSteps
	}
	return account.Room(p.account, p.steps, steps)
}

// What it costs to make a row, and a step of one, in nanoseconds about.
const (
	rowWork  = 1024
	stepWork = 256
)

var errTooManyTestingSteps = errors.New("more than 2^32 steps of a testing automaton")

// place is where such a row is or would be.
func (p *testingProduct) place(wanted *testingRow) uint64 {
	key := wanted.key()
	mask := uint64(len(p.rows) - 1)
	for at := (key ^ key>>32) & mask; ; at = (at + 1) & mask {
		if r := &p.rows[at]; r.node == 0 || r.letters == wanted.letters && r.node == wanted.node {
			return at
		}
	}
}

func (p *testingProduct) growRows() {
	old := p.rows
	p.rows = make([]testingRow, 2*len(old))
	for i := range old {
		if old[i].node != 0 {
			p.rows[p.place(&old[i])] = old[i]
		}
	}
}

// slot is where the number of (s, n) lies.
func (p *testingProduct) slot(s petri.StateID, n uint32) *uint32 {
	if n >= p.numbering.states && !p.numbering.widen(max(2*p.numbering.states, n+1)) {
		return &p.numbering.dummy
	}
	return p.numbering.slot(s, n)
}

// widen makes room for more automaton states. Slots stay where they are. No tells that
// there is no room.
func (n *numbering) widen(states uint32) bool {
	n.dummy = unmet
	if n.full != nil {
		return false
	}
	blocks := (len(n.directory) + int(n.states) - 1) / int(n.states) // the last may be cut off
	if n.full = n.account.Reserve(4 * blocks * int(states)); n.full != nil {
		return false
	}
	directory := make([]uint32, blocks*int(states))
	for b := range blocks {
		first := b * int(n.states)
		copy(directory[b*int(states):], n.directory[first:min(first+int(n.states), len(n.directory))])
	}
	n.directory, n.states = directory, states
	return true
}

package stuttering

import (
	"errors"
	"math"
	"math/bits"
	"unsafe"

	"pnmc/automata"
	"pnmc/automata/testingautomata"
	"pnmc/checker/product/internal/states"
	"pnmc/internal/account"
	"pnmc/internal/hashing"
	"pnmc/petri"
	"pnmc/petri/labelling"
)

// Reader is an automaton that reads the labels of a run in pairs. In state n, the graph moves from
// a state with letter from to one with letter to, and the automaton takes a step for that pair. It
// may be made on the fly, as it is asked. Its answers are kept, so that it is asked once for each
// state and pair of letters.
//
// For example, the letters of p, !p, !p are 0, 1, 1. A testing automaton reads the first letter by
// Initial, then the pair (0, 1), a change, then (1, 1), which is stuttering.
type Reader interface {
	// Letter numbers a valuation. Valuations with the same letter are the same to
	// the automaton.
	Letter(v automata.Valuation) uint32
	// Initial returns the states where a run starts whose first letter is l.
	Initial(l uint32) []uint32
	// Steps returns the steps of n for the change.
	Steps(n, from, to uint32) []testingautomata.Step
	// Universal reports whether n is known to accept whatever follows l, the letter that
	// the graph is at; false means unknown.
	Universal(n, l uint32) bool
	// States returns the number of states that were met.
	States() int
}

// Product is the synchronized product of the state graph of a net and a testing automaton (2012,
// Definitions 8 and 9), on the fly. Its states are pairs of a marking and a state of the automaton.
//
// The steps for a state and two letters are found once, and lie in Steps from then on. A hash
// table, rows, says where.
type Product struct {
	Kripke    *petri.Kripke
	Labelling *labelling.Labels
	automaton Reader
	letterOf  []uint32 // of each label, plus one
	numbering states.Numbering

	rows  []rowOf // open addressing by key; a power of two
	used  int
	Steps []testingautomata.Step

	accepts    func(union uint64) bool
	transition int64 // edges of the product found so far

	Account *account.Account
	full    error // why there are no more rows, or nil; looked at before a row is relied on
}

// rowOf is where the steps for a state and two letters lie.
type rowOf struct {
	letters      uint64 // from, then to
	node         uint32 // plus one; 0: there is no row here
	first, count uint32
}

// key returns a hash of the state and letters that a row is for. It is no hashing.Add of the two:
// one multiplication to 128 bits mixes both, on each step of the product, where that takes two.
func (r *rowOf) key() uint64 {
	high, low := bits.Mul64(r.letters^uint64(r.node)<<17, hashing.Golden)
	return high ^ low
}

// newProduct returns a product of which nothing is explored yet.
func newProduct(k *petri.Kripke, propositions []*labelling.Proposition, a Reader, accepts func(uint64) bool) *Product {
	return &Product{
		Kripke: k, Labelling: labelling.New(k, propositions), automaton: a,
		numbering: states.Numbering{States: 16, Account: k.Account()}, rows: make([]rowOf, 1<<8), accepts: accepts,
		Account: k.Account(),
	}
}

// letter returns the letter of a state of the graph. It is computed once for each label.
func (p *Product) letter(s petri.StateID) uint32 {
	label := p.Labelling.Of(s)
	if int(label) >= len(p.letterOf) {
		p.letterOf = append(p.letterOf, make([]uint32, int(label)+1-len(p.letterOf))...)
	}
	l := p.letterOf[label]
	if l == 0 {
		l = p.automaton.Letter(p.Labelling.Label(label)) + 1
		p.letterOf[label] = l
	}
	return l - 1
}

// row returns the range in p.Steps of the steps of n for the pair of letters. It is empty if there
// is no room for it; full then says why.
func (p *Product) row(n, from, to uint32) (first, end uint32) {
	wanted := rowOf{letters: uint64(from)<<32 | uint64(to), node: n + 1}
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
	wanted.first, wanted.count = uint32(len(p.Steps)), uint32(len(steps))
	p.rows[at] = wanted
	p.used++
	p.Steps = append(p.Steps, steps...)
	return wanted.first, wanted.first + wanted.count
}

// roomForRow asks the account for the work and memory of another row with that many steps.
func (p *Product) roomForRow(steps int) error {
	if err := p.Account.Charge(rowWork + stepWork*steps); err != nil {
		return err
	}
	if 2*(p.used+1) > len(p.rows) {
		if err := p.Account.Reserve(2 * len(p.rows) * int(unsafe.Sizeof(rowOf{}))); err != nil {
			return err
		}
	}
	if len(p.Steps) > math.MaxUint32-steps {
		return ErrTooManySteps
	}
	return account.Room(p.Account, p.Steps, steps)
}

// What it costs to make a row, and each of its steps, in nanoseconds, about.
const (
	rowWork  = 1024
	stepWork = 256
)

// ErrTooManySteps says that there are no more numbers for steps.
var ErrTooManySteps = errors.New("more than 2^32 steps of a testing automaton")

// place returns the place in rows of the wanted row, or the free one where it belongs.
func (p *Product) place(wanted *rowOf) uint64 {
	key := wanted.key()
	mask := uint64(len(p.rows) - 1)
	for at := (key ^ key>>32) & mask; ; at = (at + 1) & mask {
		if r := &p.rows[at]; r.node == 0 || r.letters == wanted.letters && r.node == wanted.node {
			return at
		}
	}
}

// growRows doubles the table, which is at most half full.
func (p *Product) growRows() {
	old := p.rows
	p.rows = make([]rowOf, 2*len(old))
	for i := range old {
		if old[i].node != 0 {
			p.rows[p.place(&old[i])] = old[i]
		}
	}
}

// slot returns where the number of (s, n) lies. The automaton may have got new states since the last
// call; the numbering is then widened.
func (p *Product) slot(s petri.StateID, n uint32) *uint32 {
	if n >= p.numbering.States && !p.numbering.Widen(max(2*p.numbering.States, n+1)) {
		return &p.numbering.Dummy
	}
	return p.numbering.Slot(s, n)
}

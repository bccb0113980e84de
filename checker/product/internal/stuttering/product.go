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
)

// Reader is an automaton that reads the labels of a run in pairs: in state n,
// while the graph moves from a state with letter from to one with letter to. It
// may come into being as it is asked; its answers are kept.
type Reader interface {
	// Letter numbers a valuation. Valuations with the same letter are the same to
	// the automaton.
	Letter(v automata.Valuation) uint32
	// Initial are the states where a run starts whose first letter is l.
	Initial(l uint32) []uint32
	// Steps are those of n for the change.
	Steps(n, from, to uint32) []testingautomata.Step
	// Universal reports whether n is known to accept whatever follows l, the letter that
	// the graph is at; false means unknown.
	Universal(n, l uint32) bool
	// States is the number of states that were met.
	States() int
}

// Product is the synchronized product of the state graph of a net and a
// testing automaton (2012, Definitions 8 and 9), on the fly.
//
// Which steps there are for a state and two letters is looked up: they are found
// once, and lie in steps from then on.
type Product struct {
	Kripke    *petri.Kripke
	Labelling *petri.Labelling
	automaton Reader
	letterOf  []uint32 // of each label, plus one
	numbering states.Numbering

	rows  []rowOf // open addressing by key; a power of two
	used  int
	Steps []testingautomata.Step

	accepts    func(union uint64) bool
	transition int64 // edges of the product found so far

	Account *account.Account
	full    error // why there are no more rows, or nil; looked at like numbering.Full
}

// rowOf is where the steps for a state and two letters lie.
type rowOf struct {
	letters      uint64 // from, then to
	node         uint32 // plus one; 0: there is no row here
	first, count uint32
}

// key mixes what a row is for.
func (r *rowOf) key() uint64 {
	high, low := bits.Mul64(r.letters^uint64(r.node)<<17, hashing.Golden)
	return high ^ low
}

// newProduct is the product, of which nothing is known yet.
func newProduct(k *petri.Kripke, propositions []*petri.Proposition, a Reader, accepts func(uint64) bool) *Product {
	return &Product{
		Kripke: k, Labelling: petri.NewLabelling(k, propositions), automaton: a,
		numbering: states.Numbering{States: 16, Account: k.Account()}, rows: make([]rowOf, 1<<8), accepts: accepts,
		Account: k.Account(),
	}
}

// letter is the letter of a state of the graph.
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

// row is the range in p.steps of the steps of n from letter to letter. It is empty if there
// is no room for it, and full then tells why.
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

// roomForRow asks the account for what another row takes, which is made already.
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

// What it costs to make a row, and a step of one, in nanoseconds about.
const (
	rowWork  = 1024
	stepWork = 256
)

// ErrTooManySteps tells that steps have no more numbers.
var ErrTooManySteps = errors.New("more than 2^32 steps of a testing automaton")

// place is where such a row is or would be.
func (p *Product) place(wanted *rowOf) uint64 {
	key := wanted.key()
	mask := uint64(len(p.rows) - 1)
	for at := (key ^ key>>32) & mask; ; at = (at + 1) & mask {
		if r := &p.rows[at]; r.node == 0 || r.letters == wanted.letters && r.node == wanted.node {
			return at
		}
	}
}

func (p *Product) growRows() {
	old := p.rows
	p.rows = make([]rowOf, 2*len(old))
	for i := range old {
		if old[i].node != 0 {
			p.rows[p.place(&old[i])] = old[i]
		}
	}
}

// slot is where the number of (s, n) lies.
func (p *Product) slot(s petri.StateID, n uint32) *uint32 {
	if n >= p.numbering.States && !p.numbering.Widen(max(2*p.numbering.States, n+1)) {
		return &p.numbering.Dummy
	}
	return p.numbering.Slot(s, n)
}

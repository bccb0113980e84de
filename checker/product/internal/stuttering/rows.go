package stuttering

import (
	"math"
	"math/bits"
	"unsafe"

	"pnmc/automata/testingautomata"
	"pnmc/checker/product/internal/states"
	"pnmc/internal/account"
	"pnmc/internal/hashing"
)

// table has the steps of an automaton that a product has asked for. The steps for a state and two
// letters are found once, and lie in Steps from then on. A hash table, rows, says where.
type table struct {
	automaton Reader
	rows      []rowOf // open addressing by key; a power of two
	used      int
	Steps     []testingautomata.Step

	Account *account.Account
	full    error // why there are no more rows, or nil; looked at before a row is relied on
}

// newTable returns a table without steps.
func newTable(a Reader, work *account.Account) table {
	return table{automaton: a, rows: make([]rowOf, 1<<8), Account: work}
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

// row returns the range in p.Steps of the steps of n for the pair of letters. It is empty if there
// is no room for it; full then says why.
func (p *table) row(n, from, to uint32) (first, end uint32) {
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
func (p *table) roomForRow(steps int) error {
	if err := p.Account.Charge(rowWork + stepWork*steps); err != nil {
		return err
	}
	if 2*(p.used+1) > len(p.rows) {
		if err := p.Account.Reserve(2 * len(p.rows) * int(unsafe.Sizeof(rowOf{}))); err != nil {
			return err
		}
	}
	if len(p.Steps)+steps > mostSteps {
		return states.ErrTooManySteps
	}
	return account.Room(p.Account, p.Steps, steps)
}

// What it costs to make a row, and each of its steps, in nanoseconds, about.
const (
	rowWork  = 1024
	stepWork = 256
)

// mostSteps is how many steps there are numbers for. Tests lower it.
var mostSteps = min(math.MaxUint32, math.MaxInt)

// place returns the place in rows of the wanted row, or the free one where it belongs.
func (p *table) place(wanted *rowOf) uint64 {
	key := wanted.key()
	mask := uint64(len(p.rows) - 1)
	for at := (key ^ key>>32) & mask; ; at = (at + 1) & mask {
		if r := &p.rows[at]; r.node == 0 || r.letters == wanted.letters && r.node == wanted.node {
			return at
		}
	}
}

// growRows doubles the table, which is at most half full.
func (p *table) growRows() {
	old := p.rows
	p.rows = make([]rowOf, 2*len(old))
	for i := range old {
		if old[i].node != 0 {
			p.rows[p.place(&old[i])] = old[i]
		}
	}
}

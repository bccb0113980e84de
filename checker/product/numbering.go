package product

import (
	"pnmc/internal/account"
	"pnmc/petri"
)

// numbering gives states (s, q) of a product numbers in the order in which they
// are met. For each automaton state it is an array over graph states, in blocks
// that are allocated when first touched: a state costs 4 bytes, and a look-up
// one or two memory accesses.
type numbering struct {
	states uint32 // of the automaton
	// directory[s/blockStates·states+q] is the number of a block plus one.
	directory []uint32
	blocks    [][]uint32 // blocksPerChunk blocks each
	used      uint32     // blocks in use
	count     uint32     // numbers given

	account *account.Account
	// full is why there are no more slots, or nil. Slots are asked for so often, and so rarely
	// is there none, that whoever asks for one looks at this before it relies on it.
	full  error
	dummy uint32 // the slot where there are no more
}

const (
	blockStates    = 1 << 8
	blocksPerChunk = 1 << 8
	// dead is the number of a state from which no accepted run starts.
	dead = 1<<32 - 1
	// unmet is that of a state which has none yet.
	unmet = 0
)

// slot is where the number of (s, q) lies: unmet, dead, or from 1 on. It stays
// where it is.
func (n *numbering) slot(s petri.StateID, q uint32) *uint32 {
	at := int(s/blockStates)*int(n.states) + int(q)
	if at >= len(n.directory) || n.directory[at] == 0 {
		if !n.addBlock(at) {
			n.dummy = unmet
			return &n.dummy
		}
	}
	b := n.directory[at] - 1
	return &n.blocks[b/blocksPerChunk][b%blocksPerChunk*blockStates+s%blockStates]
}

// addBlock makes a block for a place of the directory; no tells that there is no room.
func (n *numbering) addBlock(at int) bool {
	if n.full != nil {
		return false
	}
	if at >= len(n.directory) {
		more := at + 1 - len(n.directory) + int(n.states)
		if n.full = account.Room(n.account, n.directory, more); n.full != nil {
			return false
		}
		n.directory = append(n.directory, make([]uint32, more)...)
	}
	if n.used%blocksPerChunk == 0 {
		if n.full = n.account.Charge(4 * blockStates * blocksPerChunk); n.full != nil {
			return false
		}
		n.blocks = append(n.blocks, make([]uint32, blockStates*blocksPerChunk))
	}
	n.used++
	n.directory[at] = n.used
	return true
}

// number gives the state at slot the next number.
func (n *numbering) number(slot *uint32) uint32 {
	n.count++
	*slot = n.count
	return n.count
}

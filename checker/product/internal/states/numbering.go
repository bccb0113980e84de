package states

import (
	"pnmc/internal/account"
	"pnmc/petri"
)

// Numbering gives states (s, q) of a product numbers in the order in which they
// are met. For each automaton state it is an array over graph states, in blocks
// that are allocated when first touched: a state costs 4 bytes, and a look-up
// one or two memory accesses.
type Numbering struct {
	States uint32 // of the automaton
	// directory[s/blockStates·states+q] is the number of a block plus one.
	directory []uint32
	blocks    [][]uint32 // blocksPerChunk blocks each
	used      uint32     // blocks in use
	Count     uint32     // numbers given

	Account *account.Account
	// Full is why there are no more slots, or nil. Slots are asked for so often, and so rarely
	// is there none, that whoever asks for one looks at this before it relies on it.
	Full error
	// Dummy is the slot where there are no more.
	Dummy uint32
}

// How many graph states a block is for, and how many blocks are allocated at once; numbers that
// none is given.
const (
	blockStates    = 1 << 8
	blocksPerChunk = 1 << 8
	// Dead is the number of a state from which no accepted run starts.
	Dead = 1<<32 - 1
	// Unmet is that of a state which has none yet.
	Unmet = 0
)

// Slot is where the number of (s, q) lies: unmet, dead, or from 1 on. It stays
// where it is.
func (n *Numbering) Slot(s petri.StateID, q uint32) *uint32 {
	at := int(s/blockStates)*int(n.States) + int(q)
	if at >= len(n.directory) || n.directory[at] == 0 {
		if !n.addBlock(at) {
			n.Dummy = Unmet
			return &n.Dummy
		}
	}
	b := n.directory[at] - 1
	return &n.blocks[b/blocksPerChunk][b%blocksPerChunk*blockStates+s%blockStates]
}

// addBlock makes a block for a place of the directory; no tells that there is no room.
func (n *Numbering) addBlock(at int) bool {
	if n.Full != nil {
		return false
	}
	if at >= len(n.directory) {
		more := at + 1 - len(n.directory) + int(n.States)
		if n.Full = account.Room(n.Account, n.directory, more); n.Full != nil {
			return false
		}
		n.directory = append(n.directory, make([]uint32, more)...)
	}
	if n.used%blocksPerChunk == 0 {
		if n.Full = n.Account.Charge(4 * blockStates * blocksPerChunk); n.Full != nil {
			return false
		}
		n.blocks = append(n.blocks, make([]uint32, blockStates*blocksPerChunk))
	}
	n.used++
	n.directory[at] = n.used
	return true
}

// Number gives the state at slot the next number.
func (n *Numbering) Number(slot *uint32) uint32 {
	n.Count++
	*slot = n.Count
	return n.Count
}

// Widen makes room for more automaton states. Slots stay where they are. No tells that
// there is no room.
func (n *Numbering) Widen(states uint32) bool {
	n.Dummy = Unmet
	if n.Full != nil {
		return false
	}
	blocks := (len(n.directory) + int(n.States) - 1) / int(n.States) // the last may be cut off
	if n.Full = n.Account.Reserve(4 * blocks * int(states)); n.Full != nil {
		return false
	}
	directory := make([]uint32, blocks*int(states))
	for b := range blocks {
		first := b * int(n.States)
		copy(directory[b*int(states):], n.directory[first:min(first+int(n.States), len(n.directory))])
	}
	n.directory, n.States = directory, states
	return true
}

// Pair is a state of the product.
type Pair struct {
	S petri.StateID
	Q uint32
}

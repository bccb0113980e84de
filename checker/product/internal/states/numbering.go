package states

import (
	"pnmc/internal/account"
	"pnmc/petri"
)

// Numbering gives states (s, q) of a product numbers in the order in which they are met.
//
// A hash table over pairs would take 12 bytes or more for each, and a search for each look-up. But
// graph states have dense numbers, and an automaton has few states. So there is an array over graph
// states for each automaton state. It is cut into blocks of 256, which are allocated when first
// touched. A state costs 4 bytes where its neighbours are met as well. A look-up costs one or two
// memory accesses.
//
// For example, with 3 automaton states the pair (600, 1) lies in directory entry 600/256·3 + 1 = 7.
// If that has the number 5, it is the block with number 4. Its entry 600 mod 256 = 88 is the slot.
//
// Slots never move, so that a search may hold a pointer to one while others are made.
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
	// Dummy is the slot that is handed out when there are no more.
	Dummy uint32
}

// The sizes of blocks and chunks, and numbers that no state is given.
const (
	blockStates    = 1 << 8 // graph states of a block
	blocksPerChunk = 1 << 8 // blocks allocated at once
	// Dead is the number of a state from which no accepted run starts.
	Dead = 1<<32 - 1
	// Most is how many states there are numbers for.
	Most = Dead - 1
	// Unmet is the number of a state that has none yet.
	Unmet = 0
)

// Slot returns where the number of (s, q) lies, which is Unmet, Dead, or 1 or more. It stays there. If
// there is no room it returns &Dummy, and Full says why.
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

// addBlock makes a block for a place of the directory. It reports false if there is no room.
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

// Widen makes room for more automaton states: the directory is laid out again for that many. Slots
// stay where they are. It reports false if there is no room.
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

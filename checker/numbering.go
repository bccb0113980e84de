package checker

import "pnmc/petri"

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
	if at >= len(n.directory) {
		n.directory = append(n.directory, make([]uint32, at+1-len(n.directory)+int(n.states))...)
	}
	b := n.directory[at]
	if b == 0 {
		if n.used%blocksPerChunk == 0 {
			n.blocks = append(n.blocks, make([]uint32, blockStates*blocksPerChunk))
		}
		n.used++
		b = n.used
		n.directory[at] = b
	}
	b--
	return &n.blocks[b/blocksPerChunk][b%blocksPerChunk*blockStates+s%blockStates]
}

// number gives the state at slot the next number.
func (n *numbering) number(slot *uint32) uint32 {
	n.count++
	*slot = n.count
	return n.count
}

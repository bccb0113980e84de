package multicore

import (
	"sync/atomic"

	"pnmc/internal/account"
	"pnmc/petri"
)

// Numbers has a number for each marking, 0 at first, which several threads read and write at the
// same time. They lie in blocks that are made when first written to, and never move.
type Numbers struct {
	blocks [1 << (32 - numbersShift)]atomic.Pointer[[1 << numbersShift]uint32]
}

// numbersShift is the binary logarithm of the numbers in a block.
const numbersShift = 16

// At returns the number of s.
func (n *Numbers) At(s petri.StateID) uint32 {
	b := n.blocks[s>>numbersShift].Load()
	if b == nil {
		return 0
	}
	return atomic.LoadUint32(&b[s&(1<<numbersShift-1)])
}

// Give gives s a number unless it has one, and reports whether it had none. It charges a for a new
// block.
func (n *Numbers) Give(a *account.Account, s petri.StateID, number uint32) bool {
	block := &n.blocks[s>>numbersShift]
	b := block.Load()
	if b == nil {
		a.Add(4 << numbersShift)
		block.CompareAndSwap(nil, new([1 << numbersShift]uint32))
		b = block.Load()
	}
	return atomic.CompareAndSwapUint32(&b[s&(1<<numbersShift-1)], 0, number)
}

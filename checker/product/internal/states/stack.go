package states

import "pnmc/petri"

// Stack is a stack of rows of states. Each row lies in one piece, in a chunk that never moves. So a
// search path through states with thousands of successors is never copied, and never held twice, as it
// would be for a moment by a slice that grows.
type Stack struct {
	chunks [][]petri.StateID // cut off at what is in use; the last one is on top
}

// rowChunk is the least length of a chunk.
const rowChunk = 1 << 16

// Push puts a row on top, and returns where it lies: the chunk's number in the upper half, the
// position in the chunk in the lower.
func (r *Stack) Push(row []petri.StateID) int64 {
	last := len(r.chunks) - 1
	if last < 0 || cap(r.chunks[last])-len(r.chunks[last]) < len(row) {
		r.chunks = append(r.chunks, make([]petri.StateID, 0, max(rowChunk, len(row))))
		last++
	}
	at := int64(last)<<32 | int64(len(r.chunks[last]))
	r.chunks[last] = append(r.chunks[last], row...)
	return at
}

// Top returns the row on top. It must lie at at, as Push returned it.
func (r *Stack) Top(at int64) []petri.StateID { return r.chunks[at>>32][at&(1<<32-1):] }

// Pop takes the row on top off. It must lie at at, as Push returned it.
func (r *Stack) Pop(at int64) {
	chunk := at >> 32
	r.chunks[chunk] = r.chunks[chunk][:at&(1<<32-1)]
	clear(r.chunks[chunk+1:])
	r.chunks = r.chunks[:chunk+1]
}

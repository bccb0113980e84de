package states

import "pnmc/petri"

// Stack is a stack of rows of states, each in one piece, in chunks that never move: a
// path through states with thousands of successors is never copied, nor held twice.
type Stack struct {
	chunks [][]petri.StateID // cut off at what is in use; the last one is on top
}

// rowChunk is the least length of a chunk.
const rowChunk = 1 << 16

// Push puts a row on top, and tells where it lies.
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

// Top is the row on top, which lies there.
func (r *Stack) Top(at int64) []petri.StateID { return r.chunks[at>>32][at&(1<<32-1):] }

// Pop takes the row on top off, which lies there.
func (r *Stack) Pop(at int64) {
	chunk := at >> 32
	r.chunks[chunk] = r.chunks[chunk][:at&(1<<32-1)]
	clear(r.chunks[chunk+1:])
	r.chunks = r.chunks[:chunk+1]
}

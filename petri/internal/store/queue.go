package store

import "encoding/binary"

// Queue holds packed markings of one word, first in, first out, each in as many bytes as it needs. They
// leave in blocks, which threads may give each other. Not safe for concurrent use.
type Queue struct {
	bytes int
	most  int // markings in a block
	mask  uint64
	full  []*Block // from head on
	head  int
	last  *Block   // is being filled
	idle  []*Block // to be filled
	made  int64
}

// Block is a part of a queue.
type Block struct {
	n     int
	bytes [blockBytes - 8]byte
}

// blockBytes is what a block takes.
const blockBytes = 1 << 10

// NewQueue returns an empty queue for markings of so many bytes. A block has so many at most, or, if that is 0,
// as many as it has room for.
func NewQueue(bytes, most int) *Queue {
	if room := (blockBytes - 16) / bytes; most == 0 || most > room {
		most = room
	}
	return &Queue{bytes: bytes, most: most, mask: ^uint64(0) >> (64 - 8*bytes)}
}

// Push adds markings.
func (q *Queue) Push(packed []uint64) {
	for _, word := range packed {
		if q.last == nil {
			q.last = q.block()
		}
		b := q.last
		// The bytes beyond belong to the next marking, which is not there yet.
		binary.LittleEndian.PutUint64(b.bytes[b.n*q.bytes:], word)
		if b.n++; b.n == q.most {
			q.full = append(q.full, b)
			q.last = nil
		}
	}
}

// block returns an empty block.
func (q *Queue) block() *Block {
	if n := len(q.idle); n > 0 {
		b := q.idle[n-1]
		q.idle = q.idle[:n-1]
		return b
	}
	q.made++
	return new(Block)
}

// Pop returns the oldest block, or nil if there is none. It is to be given to Done, of this or another
// queue.
func (q *Queue) Pop() *Block {
	if q.head == len(q.full) {
		b := q.last
		q.last = nil
		return b
	}
	b := q.full[q.head]
	q.full[q.head] = nil
	if q.head++; 2*q.head >= len(q.full) {
		q.full = q.full[:copy(q.full, q.full[q.head:])]
		q.head = 0
	}
	return b
}

// Full returns how many blocks are full.
func (q *Queue) Full() int { return len(q.full) - q.head }

// Len returns how many markings a block has.
func (b *Block) Len() int { return b.n }

// Load returns marking i of a block.
func (q *Queue) Load(b *Block, i int) uint64 {
	return binary.LittleEndian.Uint64(b.bytes[i*q.bytes:]) & q.mask
}

// Done gives a block back, which is empty then.
func (q *Queue) Done(b *Block) {
	b.n = 0
	q.idle = append(q.idle, b)
}

// MemoryBytes returns what the blocks take that the queue has made.
func (q *Queue) MemoryBytes() int64 { return q.made * blockBytes }

package growing

// Stack grows by chunks that never move: a path of millions of states is never
// copied, nor held twice while it grows. A chunk once used is kept.
type Stack[T any] struct {
	chunks [][]T
	Length int
}

const stackChunk = 1 << 12

// Push puts v on top.
func (s *Stack[T]) Push(v T) {
	if s.Length == len(s.chunks)*stackChunk {
		s.chunks = append(s.chunks, make([]T, stackChunk))
	}
	s.chunks[s.Length/stackChunk][s.Length%stackChunk] = v
	s.Length++
}

// At returns the i-th entry from the bottom; it stays where it is.
func (s *Stack[T]) At(i int) *T { return &s.chunks[i/stackChunk][i%stackChunk] }

// Top returns the entry on top, of which there must be one.
func (s *Stack[T]) Top() *T { return s.At(s.Length - 1) }

// Pop takes the entry on top off. Its memory is kept, and so is what it points to.
func (s *Stack[T]) Pop() { s.Length-- }

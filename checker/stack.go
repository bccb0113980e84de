package checker

// stack grows by chunks that never move: a path of millions of states is never
// copied, nor held twice while it grows. A chunk once used is kept.
type stack[T any] struct {
	chunks [][]T
	length int
}

const stackChunk = 1 << 12

func (s *stack[T]) push(v T) {
	if s.length == len(s.chunks)*stackChunk {
		s.chunks = append(s.chunks, make([]T, stackChunk))
	}
	s.chunks[s.length/stackChunk][s.length%stackChunk] = v
	s.length++
}

// at is the i-th from the bottom; it stays where it is.
func (s *stack[T]) at(i int) *T { return &s.chunks[i/stackChunk][i%stackChunk] }

func (s *stack[T]) top() *T { return s.at(s.length - 1) }

func (s *stack[T]) pop() { s.length-- }

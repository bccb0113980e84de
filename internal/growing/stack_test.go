package growing_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/growing"
)

// TestStack compares a stack with a slice, over the borders of chunks, and sees that entries
// stay where they are.
func TestStack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s growing.Stack[int]
		var naive []int
		s.Push(-1)
		naive = append(naive, -1)
		bottom := s.At(0)
		for range rapid.IntRange(1, 6).Draw(t, "rounds") {
			if n := rapid.IntRange(0, 5000).Draw(t, "pushed"); rapid.Bool().Draw(t, "push") {
				for i := range n {
					s.Push(i)
					naive = append(naive, i)
				}
			} else {
				for range min(n, len(naive)-1) {
					s.Pop()
				}
				naive = naive[:len(naive)-min(n, len(naive)-1)]
			}
			if s.Length != len(naive) || *s.Top() != naive[len(naive)-1] || s.At(0) != bottom {
				t.Fatalf("%d entries, %d on top; should be %d, %d", s.Length, *s.Top(), len(naive), naive[len(naive)-1])
			}
			for i, v := range naive {
				if *s.At(i) != v {
					t.Fatalf("entry %d is %d, should be %d", i, *s.At(i), v)
				}
			}
		}
	})
}

func ExampleStack() {
	var path growing.Stack[string]
	path.Push("root")
	path.Push("leaf")
	path.Pop()
	fmt.Println(*path.Top(), path.Length)
	// Output: root 1
}

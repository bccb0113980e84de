package backwards_test

import (
	"fmt"
	"testing"

	"pnmc/internal/backwards"
)

// A run has five positions, and goes back to the third one after the last. F p holds where p does,
// or where F p holds at the next position; G p where p does, and G p holds at the next.
func ExampleSolve() {
	p := []bool{false, false, false, true, false}
	next := []int{1, 2, 3, 4, 2}
	finally, globally := make([]bool, 5), make([]bool, 5)
	backwards.Solve(finally, false, func(i int) bool { return p[i] || finally[next[i]] })
	backwards.Solve(globally, true, func(i int) bool { return p[i] && globally[next[i]] })
	fmt.Println(finally)
	fmt.Println(globally)
	// Output:
	// [true true true true true]
	// [false false false false false]
}

// TestSolveUntilNothingChanges: on each short run with each loop, the solution of p U q and of
// p R q is what rounds without an end lead to.
func TestSolveUntilNothingChanges(t *testing.T) {
	for length := 1; length <= 4; length++ {
		for loop := range length {
			for bits := range 1 << (2 * length) {
				p := func(i int) bool { return bits>>i&1 == 1 }
				q := func(i int) bool { return bits>>(length+i)&1 == 1 }
				for _, from := range []bool{false, true} {
					got, want := make([]bool, length), make([]bool, length)
					equation := func(v []bool) func(i int) bool {
						return func(i int) bool {
							next := i + 1
							if next == length {
								next = loop
							}
							if from {
								return q(i) && (p(i) || v[next])
							}
							return q(i) || p(i) && v[next]
						}
					}
					backwards.Solve(got, from, equation(got))
					for i := range want {
						want[i] = from
					}
					for range 3 * length {
						for i := range want { // in another order
							want[i] = equation(want)(i)
						}
					}
					if fmt.Sprint(got) != fmt.Sprint(want) {
						t.Fatalf("length %d, loop %d, bits %b, from %v: got %v, want %v", length, loop, bits, from, got, want)
					}
				}
			}
		}
	}
}

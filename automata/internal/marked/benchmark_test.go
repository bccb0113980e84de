package marked

import (
	"fmt"
	"testing"
)

// BenchmarkQuotient takes chains, in which each state is told from all others only after all
// that come later.
func BenchmarkQuotient(b *testing.B) {
	for by, name := range []string{"bisimilar", "similar"} {
		for _, n := range []int{750, 1500, 3000, 6000} {
			b.Run(fmt.Sprintf("by=%s/n=%d", name, n), func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					r := chain(b, n)
					b.StartTimer()
					if err := r.Quotient(equivalence(by), false); err != nil || len(r.Out) != n {
						b.Fatalf("%d states, %v", len(r.Out), err)
					}
				}
			})
		}
	}
}

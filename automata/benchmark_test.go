package automata_test

import (
	"testing"

	"pnmc/automata"
)

// BenchmarkComponents finds the components of a graph in which each state of a long row
// leads to the next, and every tenth back to the one that is ten before.
func BenchmarkComponents(b *testing.B) {
	const states = 100_000
	start, destination := []uint32{0}, []automata.State{}
	for s := range automata.State(states) {
		if s+1 < states {
			destination = append(destination, s+1)
		}
		if s%10 == 9 && s%40 != 39 {
			destination = append(destination, s-9)
		}
		destination = append(destination, s*7919%states/(s%3+1))
		start = append(start, uint32(len(destination)))
	}
	count := automata.ComponentsOf(start, destination).Count()
	for b.Loop() {
		if automata.ComponentsOf(start, destination).Count() != count {
			b.Fatal("other components")
		}
	}
}

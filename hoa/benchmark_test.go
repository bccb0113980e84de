package hoa

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
)

// manyAutomata returns a stream of small automata, one large one, and one with
// labels that need decision diagrams, each about a megabyte.
func manyAutomata() map[string][]byte {
	random := rand.New(rand.NewPCG(1, 2))
	write := func(b *bytes.Buffer, states, edges int) {
		fmt.Fprintf(b, "HOA: v1\nname: \"random\"\nStates: %d\nStart: 0\nAP: 3 \"a\" \"b\" \"c\"\nacc-name: generalized-Buchi 2\n"+
			"Acceptance: 2 Inf(0)&Inf(1)\nproperties: trans-labels explicit-labels trans-acc\n--BODY--\n", states)
		for s := range states {
			fmt.Fprintf(b, "State: %d\n", s)
			for range edges {
				fmt.Fprintf(b, "[%d&!%d | !0&2] %d {%d}\n", random.IntN(3), random.IntN(3), random.IntN(states), random.IntN(2))
			}
		}
		b.WriteString("--END--\n")
	}
	var small, large, formulas bytes.Buffer
	for small.Len() < 1<<20 {
		write(&small, 5, 3)
	}
	write(&large, 12_000, 4)
	formulas.WriteString("HOA: v1\nStart: 0\nAP: 6 \"a\" \"b\" \"c\" \"d\" \"e\" \"f\"\nAcceptance: 0 t\n--BODY--\nState: 0\n")
	for formulas.Len() < 1<<20 {
		fmt.Fprintf(&formulas, "[!(%d & !%d) & (%d | !(%d | %d))] 0\n", random.IntN(6), random.IntN(6), random.IntN(6), random.IntN(6), random.IntN(6))
	}
	formulas.WriteString("--END--\n")
	return map[string][]byte{"small": small.Bytes(), "large": large.Bytes(), "formulas": formulas.Bytes()}
}

func BenchmarkRead(b *testing.B) {
	for name, text := range manyAutomata() {
		b.Run("automata="+name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				r := NewReader(bytes.NewReader(text), "")
				for {
					_, err := r.Read()
					if errors.Is(err, io.EOF) {
						break
					}
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	text := manyAutomata()["large"]
	a, err := NewReader(bytes.NewReader(text), "").Read()
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if err := Write(context.Background(), io.Discard, a, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

package deltas_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/petri/internal/deltas"
)

// TestReadAfterAppend: numbers are read as they were written, whatever follows them.
func TestReadAfterAppend(t *testing.T) {
	number := rapid.OneOf(rapid.Uint32(), rapid.Uint32Range(0, 300), rapid.SampledFrom([]uint32{0, 1<<31 - 1, 1 << 31, 1<<32 - 1}))
	rapid.Check(t, func(t *rapid.T) {
		before, numbers := number.Draw(t, "before"), rapid.SliceOf(number).Draw(t, "numbers")
		count := rapid.Uint64().Draw(t, "count")
		more := rapid.SliceOf(rapid.Byte()).Draw(t, "more")
		code := append(deltas.Append(deltas.AppendCount(nil, count), before, numbers...), more...)
		n, rest := deltas.ReadCount(code)
		read, rest := deltas.Read(rest, before, len(numbers), nil)
		if n != count || !slices.Equal(read, numbers) || !bytes.Equal(rest, more) {
			t.Fatalf("%d, %d and %d were read, of %d, %d and %d", n, read, rest, count, numbers, more)
		}
	})
}

// Close numbers take a byte each.
func ExampleAppend() {
	code := deltas.Append(nil, 70, 71, 72, 40, 40)
	numbers, _ := deltas.Read(code, 70, 4, nil)
	fmt.Println(code, numbers)
	// Output: [2 2 63 0] [71 72 40 40]
}

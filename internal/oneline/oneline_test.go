package oneline_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/oneline"
)

func ExampleOf() {
	fmt.Printf("%q\n", oneline.Of("  the first\n\tpart "))
	// Output: "the first part"
}

// TestOf: a text is that of its words, whatever bytes they have.
func TestOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"a", " ", "  ", "\n", "\t", "\u00a0", "é", "\xff", "\x85", "\u0085", "long word"})).Draw(t, "parts")
		text := strings.Join(parts, "")
		if got, want := oneline.Of(text), strings.Join(strings.Fields(text), " "); got != want {
			t.Fatalf("%q: %q, expected %q", text, got, want)
		}
	})
}

// TestOfLongTexts: nothing is allocated for a text that is on one line, and one copy for another.
func TestOfLongTexts(t *testing.T) {
	line := strings.Repeat("a ", 1<<16) + "a"
	for text, most := range map[string]float64{line: 0, line + "\n" + line: 1} {
		if n := testing.AllocsPerRun(3, func() { oneline.Of(text) }); n > most {
			t.Errorf("%d bytes: %v allocations", len(text), n)
		}
	}
}

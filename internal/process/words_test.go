package process

import (
	"slices"
	"testing"
)

// TestWords divides command lines, and refuses a quotation without an end.
func TestWords(t *testing.T) {
	for line, want := range map[string][]string{
		"": nil, "  \t\n": nil, "a b": {"a", "b"}, `a "b c"d 'e"f' ""`: {"a", "b cd", `e"f`, ""}, `"a'b"`: {"a'b"},
	} {
		if words, err := Words(line); err != nil || !slices.Equal(words, want) {
			t.Errorf("%s: %q, %v, expected %q", line, words, err, want)
		}
	}
	for _, line := range []string{`"a`, `a 'b c`, `'"`} {
		if words, err := Words(line); err == nil {
			t.Errorf("%s: %q", line, words)
		}
	}
}

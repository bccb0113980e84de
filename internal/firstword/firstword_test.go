package firstword_test

import (
	"io"
	"strings"
	"testing"

	"pnmc/internal/firstword"
)

// TestFirstWord checks that drawings are told apart from HOA.
func TestFirstWord(t *testing.T) {
	for text, want := range map[string]firstword.Kind{
		"digraph G {": firstword.Drawing, "digraph": firstword.Drawing, "  \n\tdigraph{": firstword.Drawing, "strict digraph {": firstword.Drawing,
		"// x\n# y\n#\n/* digraph HOA: * / */digraph G {": firstword.Drawing,
		"HOA: v1": firstword.HOA, "HOA:v1": firstword.HOA, "/* c */ HOA: v1": firstword.HOA, "HOA:": firstword.HOA,
		"\ufeffdigraph G {": firstword.Drawing, "\ufeff\r\nHOA: v1": firstword.HOA, "\ufeff": firstword.Nothing, "\xef\xbb": firstword.Nothing, " \ufeffHOA:": firstword.Nothing,
		"": firstword.Nothing, "HO": firstword.Nothing, "graph {": firstword.Nothing, "digraphs {": firstword.Nothing, "/* digraph": firstword.Nothing, "/": firstword.Nothing,
		strings.Repeat("x", 1<<17): firstword.Nothing,
	} {
		for _, r := range []io.Reader{strings.NewReader(text), &slow{text}} {
			rest, got := firstword.Of(r)
			if all, err := io.ReadAll(rest); got != want || string(all) != text || err != nil {
				t.Errorf("%.40q: %v, %d bytes of %d, %v", text, got, len(all), len(text), err)
			}
		}
	}
	// No more is waited for than needed.
	r, w := io.Pipe()
	go func() { _, _ = w.Write([]byte("digraph G {")) }()
	if _, first := firstword.Of(r); first != firstword.Drawing {
		t.Error(first)
	}
}

// slow gives one byte at a time.
type slow struct{ text string }

func (s *slow) Read(p []byte) (int, error) {
	if s.text == "" {
		return 0, io.EOF
	}
	n := copy(p[:1], s.text)
	s.text = s.text[n:]
	return n, nil
}

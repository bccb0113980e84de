package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// encoded returns the text that encoding/json makes.
func encoded(t interface{ Fatal(...any) }, v any, escapeHTML bool) string {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(escapeHTML)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// TestStringsAsEncodingJSON: strings of any bytes and of several pieces are written as encoding/json
// writes them.
func TestStringsAsEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alphabet := rapid.SampledFrom([]string{"a", "é", "\xe2", "\x82", "\xac", "€", "𝄞", "<", "&", "\"", "\\", "\n", "\x00", "\u2028"})
		part := strings.Join(rapid.SliceOfN(alphabet, 0, 8).Draw(t, "part"), "")
		before := strings.Repeat(rapid.SampledFrom([]string{"x", "é", "\x82"}).Draw(t, "before"), rapid.IntRange(0, pieceBytes+4).Draw(t, "length"))
		s := before + part + strings.Repeat(part, rapid.SampledFrom([]int{0, 1, 3000}).Draw(t, "times"))
		escape := rapid.Bool().Draw(t, "escape")
		var text bytes.Buffer
		w := New(&text, escape)
		w.String(s)
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		w.StringBy(func(parts io.Writer) error { // in parts of some bytes
			for rest, n := s, rapid.IntRange(1, pieceBytes).Draw(t, "bytes"); len(rest) > 0; rest = rest[min(n, len(rest)):] {
				if _, err := io.WriteString(parts, rest[:min(n, len(rest))]); err != nil {
					return err
				}
			}
			return nil
		})
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if want := encoded(t, s, escape); text.String() != want+want {
			t.Fatalf("%q is written as\n%s\nand not twice as\n%s", s, text.String(), want)
		}
	})
}

// fullWriter takes so many bytes.
type fullWriter struct{ left int }

var errFull = errors.New("full")

func (w *fullWriter) Write(text []byte) (int, error) {
	if w.left -= len(text); w.left < 0 {
		return 0, errFull
	}
	return len(text), nil
}

// TestFirstErrorIsKept: what can't be written ends writing.
func TestFirstErrorIsKept(t *testing.T) {
	w := New(&fullWriter{bufferBytes}, false)
	for range 3 {
		w.String(strings.Repeat("a", bufferBytes))
	}
	w.Value([]int{1, 2})
	if err := w.Flush(); !errors.Is(err, errFull) || !errors.Is(w.Err(), errFull) {
		t.Errorf("%v", err)
	}
	w = New(&fullWriter{1}, false)
	w.Value(func() {})
	if err := w.Flush(); err == nil {
		t.Error("a function has been written")
	}
}

func Example() {
	var out strings.Builder
	w := New(&out, false)
	w.Raw(`{"name":`)
	w.String("a \"b\"")
	w.Raw(`,"numbers":`)
	w.Value([]int{1, 2})
	w.Raw("}\n")
	fmt.Print(w.Flush(), " ", out.String())
	// Output: <nil> {"name":"a \"b\"","numbers":[1,2]}
}

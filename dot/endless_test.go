package dot_test

import (
	"errors"
	"testing"

	"pnmc/dot"
)

// endless gives a text, and then the same bytes again and again: so many, before it fails.
type endless struct {
	text, again string
	given       int
}

var errFarTooMuch = errors.New("far too much was read")

func (e *endless) Read(p []byte) (int, error) {
	if e.given > 12<<20 {
		return 0, errFarTooMuch
	}
	n := copy(p, e.text)
	e.text = e.text[n:]
	for n < len(p) {
		part := copy(p[n:], e.again)
		n += part
		if part < len(e.again) {
			e.text = e.again[part:]
		}
	}
	e.given += n
	return n, nil
}

// TestEndlessTextIsAskedFor: lines that do not end, of which nothing is made, are asked for as they are read, and
// the reason to stop ends the stream.
func TestEndlessTextIsAskedFor(t *testing.T) {
	full := errors.New("full")
	for name, again := range map[string]string{
		"blanks": " ", "newlines": "\n", "comments": "/* */\n", "an open comment": "/* x\n", "remarks": "# x\n", "words": "x\n", "zero bytes": "\x00", "lines of zero bytes": "\x00\n",
	} {
		for _, text := range []string{"", "digraph G {\n", "digraph G {\n 0 -> -> \n", "what is this?\n"} {
			input := &endless{text: text, again: again}
			r := dot.NewReader(input, "")
			asked := 0
			r.LimitBy(func(bytes int) error {
				if asked += bytes; asked > 4<<20 {
					return full
				}
				return nil
			})
			var err error
			for asked <= 4<<20 && !errors.Is(err, errFarTooMuch) {
				_, err = r.Read()
			}
			for range 2 {
				if a, err := r.Read(); a != nil || !errors.Is(err, full) {
					t.Errorf("%s behind %q: %v, %.200v, expected the limit's error", name, text, a, err)
				}
			}
			if input.given > 8<<20 {
				t.Errorf("%s behind %q: %d bytes were read", name, text, input.given)
			}
		}
	}
}

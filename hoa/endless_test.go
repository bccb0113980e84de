package hoa_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"pnmc/hoa"
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

// beginnings are texts behind which nothing may come that is not skipped.
var beginnings = map[string]string{
	"at the start":        "",
	"behind an automaton": "HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--\n",
	"in a header":         "HOA: v1 States: 1 ",
	"in a body":           "HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] ",
	"behind a mistake":    "HOA: v1 States: 1 Start: 7 AP: 0 Acceptance: 0 t --BODY-- State: 0 ",
	"behind garbage":      "what is this? ",
}

// TestEndlessTextIsAskedFor: text that does not end, of which nothing is made, is asked for as it is read, and the
// reason to stop ends the stream.
func TestEndlessTextIsAskedFor(t *testing.T) {
	full := errors.New("full")
	for name, again := range map[string]string{
		"blanks": " ", "newlines": "\n", "comments": "/* */ ", "an open comment": "/* x", "a comment of zero bytes": "/*\x00", "words": "x ",
		"bytes of no text": "\xff", "marks": "-", "parentheses": "(", "aborted automata": "--ABORT-- ",
	} {
		for place, text := range beginnings {
			input := &endless{text: text, again: again}
			r := hoa.NewReader(input, "")
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
					t.Errorf("%s %s: %v, %.200v, expected the limit's error", name, place, a, err)
				}
			}
			if input.given > 8<<20 {
				t.Errorf("%s %s: %d bytes were read", name, place, input.given)
			}
		}
	}
}

// TestZeroBytesEndTheText: a zero byte outside strings and comments is reported where it stands, and nothing
// is read behind it, whether there is a limit or not. What stands before it is read.
func TestZeroBytesEndTheText(t *testing.T) {
	for place, text := range beginnings {
		input := &endless{text: text, again: "\x00"}
		r := hoa.NewReader(input, "zeros")
		var all []string
		for range 5 {
			a, err := r.Read()
			if (a != nil) != (place == "behind an automaton" && len(all) == 0) {
				t.Errorf("%s: an automaton %v, %v", place, a, err)
			}
			if err == io.EOF {
				t.Errorf("%s: an end without an error behind %q", place, all)
			}
			if err != nil {
				all = append(all, err.Error())
			} else {
				all = append(all, "")
			}
		}
		told := strings.Join(all, "\n")
		if !strings.Contains(told, "0x00") && !strings.Contains(told, "'\x00'") && place != "behind a mistake" && place != "behind garbage" {
			t.Errorf("%s: %q, expected the byte to be named", place, all)
		}
		if all[2] != "zeros: nothing is read behind a zero byte" || all[4] != all[2] {
			t.Errorf("%s: %q", place, all)
		}
		if input.given > 1<<20 {
			t.Errorf("%s: %d bytes were read", place, input.given)
		}
	}
	const automaton = "HOA: v1 name: \"\x00\" States: 1 Start: 0 AP: 0 Acceptance: 0 t /*\x00*/ --BODY-- State: 0 [t] 0 --END--\n"
	if a, err := hoa.NewReader(strings.NewReader(automaton), "").Read(); err != nil || a.States() != 1 {
		t.Errorf("zero bytes in a string and a comment: %v", err)
	}
}

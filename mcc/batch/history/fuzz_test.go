package history

import (
	"bytes"
	"testing"
)

// FuzzRead: a journal is read up to its last whole line, and what was read is read again in the same way.
func FuzzRead(f *testing.F) {
	head := `{"kind":"settings","settings":{"seconds":20,"memory_bytes":2147483648}}` + "\n"
	start := `{"kind":"start","instance":"A","examination":"UpperBounds","questions":["q","r"],"begun":1}` + "\n"
	answer := `{"kind":"answer","instance":"A","examination":"UpperBounds","question":"q","value":"1","seconds":1}` + "\n"
	end := `{"kind":"end","instance":"A","examination":"UpperBounds","seconds":1,"fault":"unread"}` + "\n"
	f.Add([]byte(head + start + answer + end + start + answer[:20]))
	f.Add([]byte(head + start + `{"kind":"interrupted","instance":"A","examination":"UpperBounds"}` + "\n\x00\x00"))
	f.Add([]byte(head[:30]))
	f.Fuzz(func(t *testing.T, text []byte) {
		h := newKnown()
		whole, err := h.read(bytes.NewReader(text), "journal", nil)
		if err != nil {
			return
		}
		if whole > int64(len(text)) || whole > 0 && text[whole-1] != '\n' {
			t.Fatalf("%d bytes of %d", whole, len(text))
		}
		again := newKnown()
		if n, err := again.read(bytes.NewReader(text[:whole]), "journal", nil); n != whole || err != nil || len(again.runs) != len(h.runs) {
			t.Errorf("%d bytes and %d runs, then %d and %d, %v", whole, len(h.runs), n, len(again.runs), err)
		}
		answers := 0
		for _, r := range h.runs {
			answers += len(r.Answers)
		}
		h.merge(again)
		for _, r := range h.runs {
			answers -= len(r.Answers)
		}
		if answers != 0 {
			t.Errorf("%d answers are gone after a journal was read twice", answers)
		}
	})
}

// Package jsontext writes JSON piece by piece, byte for byte as encoding/json does.
//
// In come strings and small values, out goes their text, through a buffer of fixed size. Package
// encoding/json makes the whole text of a value before it writes the first byte: a run of 6,000 steps
// whose names have 100 kB each would be 600 MB in memory, although the names are there only once. So
// whoever writes an object that may be long writes its parts here, and nothing is held but the buffer.
// What it writes to has the limits of time and memory.
package jsontext

import (
	"bytes"
	"encoding/json"
	"io"
	"unicode/utf8"
)

// Writer writes the text of JSON to another writer. It keeps the first error, which Flush returns;
// after it nothing is written.
type Writer struct {
	w       io.Writer
	buffer  []byte
	pages   bool // as in encoding/json, characters that pages of the web obey are escaped
	encoded bytes.Buffer
	encoder *json.Encoder
	err     error
}

// bufferBytes is how much is held before it is written, and pieceBytes how much of a string is
// encoded at a time.
const (
	bufferBytes = 1 << 16
	pieceBytes  = 1 << 12
)

// New returns a writer to w. EscapeHTML says whether <, > and & in strings are escaped, as they are by
// default in encoding/json.
func New(w io.Writer, escapeHTML bool) *Writer {
	j := &Writer{w: w, buffer: make([]byte, 0, bufferBytes), pages: escapeHTML}
	j.encoder = json.NewEncoder(&j.encoded)
	j.encoder.SetEscapeHTML(escapeHTML)
	return j
}

// Err returns the first error: a loop that writes much ends with it.
func (j *Writer) Err() error { return j.err }

// Flush writes what the buffer has, and returns the first error.
func (j *Writer) Flush() error {
	if j.err == nil && len(j.buffer) > 0 {
		_, j.err = j.w.Write(j.buffer)
	}
	j.buffer = j.buffer[:0]
	return j.err
}

// Raw writes text that is JSON already.
func (j *Writer) Raw(text string) {
	for len(text) > 0 && j.err == nil {
		n := copy(j.buffer[len(j.buffer):cap(j.buffer)], text)
		j.buffer, text = j.buffer[:len(j.buffer)+n], text[n:]
		if len(j.buffer) == cap(j.buffer) {
			_ = j.Flush() // the error is kept
		}
	}
}

// Value writes a value that is small: its text is made whole.
func (j *Writer) Value(v any) {
	if j.err != nil {
		return
	}
	j.encoded.Reset()
	if err := j.encoder.Encode(v); err != nil {
		j.err = err
		return
	}
	text := j.encoded.Bytes()
	j.Raw(string(text[:len(text)-1])) // without the end of the line
}

// String writes a string of any length, in quotes.
func (j *Writer) String(s string) {
	j.Raw(`"`)
	j.Part(s)
	j.Raw(`"`)
}

// Part writes a part of a string, without quotes. The part must not end within a character.
func (j *Writer) Part(s string) {
	for len(s) > 0 && j.err == nil {
		piece := s[:pieceEnd(s)]
		s = s[len(piece):]
		if j.isPlain(piece) {
			j.Raw(piece)
			continue
		}
		j.encoded.Reset()
		_ = j.encoder.Encode(piece) // a string has a text
		text := j.encoded.Bytes()
		j.Raw(string(text[1 : len(text)-2])) // without quotes and the end of the line
	}
}

// StringBy writes a string, in quotes, that write makes piece by piece.
func (j *Writer) StringBy(write func(io.Writer) error) {
	j.Raw(`"`)
	parts := &parts{Writer: j}
	if err := write(parts); err != nil && j.err == nil {
		j.err = err
	}
	j.Part(string(parts.rest))
	j.Raw(`"`)
}

// parts writes the parts of a string as they come.
type parts struct {
	*Writer
	rest []byte // of the last part: a character that has not ended
}

// Write writes a part, which may end within a character.
func (p *parts) Write(part []byte) (int, error) {
	all := append(p.rest, part...)
	end := len(all)
	for at := end - 1; at >= max(0, end-utf8.UTFMax); at-- {
		if utf8.RuneStart(all[at]) {
			if !utf8.FullRune(all[at:]) {
				end = at
			}
			break
		}
	}
	p.Part(string(all[:end]))
	p.rest = append(p.rest[:0], all[end:]...)
	return len(part), p.err
}

// pieceEnd returns where a first piece of s ends, which is not within a character: each character
// is escaped by itself, so that the pieces make up the text of the whole.
func pieceEnd(s string) int {
	if len(s) <= pieceBytes {
		return len(s)
	}
	for end := pieceBytes; end > pieceBytes-utf8.UTFMax; end-- {
		if utf8.RuneStart(s[end]) {
			return end
		}
	}
	return pieceBytes // of bytes that are no text each is escaped by itself
}

// isPlain reports whether a piece of a string has nothing that is escaped.
func (j *Writer) isPlain(piece string) bool {
	for i := range len(piece) {
		switch c := piece[i]; {
		case c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\':
			return false
		case j.pages && (c == '<' || c == '>' || c == '&'):
			return false
		}
	}
	return true
}

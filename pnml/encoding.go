package pnml

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
)

// utf8Text returns the text of r in UTF-8, as far as its first bytes say what its encoding is: by a
// byte order mark, or by the zero bytes of "<?" in UTF-16. Other encodings begin as ASCII does, so
// that the decoder can read the XML declaration, and calls charsetReader with the name that it
// finds there.
func utf8Text(r io.Reader) io.Reader {
	text := bufio.NewReaderSize(r, 1<<16)
	start, _ := text.Peek(3)
	switch {
	case bytes.HasPrefix(start, []byte{0xEF, 0xBB, 0xBF}):
		text.Discard(3)
	case bytes.HasPrefix(start, []byte{0xFE, 0xFF}):
		text.Discard(2)
		return &utf16Reader{source: text, bigEndian: true}
	case bytes.HasPrefix(start, []byte{0xFF, 0xFE}):
		text.Discard(2)
		return &utf16Reader{source: text}
	case bytes.HasPrefix(start, []byte{0, '<'}):
		return &utf16Reader{source: text, bigEndian: true}
	case bytes.HasPrefix(start, []byte{'<', 0}):
		return &utf16Reader{source: text}
	}
	return text
}

// charsetReader converts the rest of a document to UTF-8 if its XML declaration names charset.
// UTF-16 is converted already when the declaration is read. Bytes that stand for nothing in charset
// become U+FFFD. An error says that the name is unknown.
func charsetReader(charset string, input io.Reader) (io.Reader, error) {
	switch strings.ToLower(charset) {
	case "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be", "ucs-2", "iso-10646-ucs-2":
		return input, nil
	}
	e, err := ianaindex.IANA.Encoding(charset)
	if err != nil || e == nil { // names in use that aren't registered
		if e, err = htmlindex.Get(charset); err != nil || e == encoding.Replacement {
			return nil, fmt.Errorf("encoding %q is unknown, expected UTF-8, UTF-16 or ISO-8859-1", charset)
		}
	}
	return e.NewDecoder().Reader(input), nil
}

// utf16Reader converts UTF-16 to UTF-8.
type utf16Reader struct {
	source    *bufio.Reader
	bigEndian bool
	pending   []byte // converted, not yet read
}

// Read fills p with UTF-8; half a code unit at the end is an error.
func (r *utf16Reader) Read(p []byte) (int, error) {
	for len(r.pending) == 0 {
		unit, err := r.unit()
		if err != nil {
			return 0, err
		}
		char := rune(unit)
		if utf16.IsSurrogate(char) {
			second, err := r.unit()
			if err != nil && err != io.EOF {
				return 0, err
			}
			char = utf16.DecodeRune(char, rune(second))
		}
		r.pending = utf8.AppendRune(r.pending[:0], char)
	}
	n := copy(p, r.pending)
	r.pending = r.pending[n:]
	return n, nil
}

// unit reads the next code unit.
func (r *utf16Reader) unit() (uint16, error) {
	var two [2]byte
	if _, err := io.ReadFull(r.source, two[:]); err != nil {
		return 0, err
	}
	if r.bigEndian {
		return uint16(two[0])<<8 | uint16(two[1]), nil
	}
	return uint16(two[1])<<8 | uint16(two[0]), nil
}

package pnml

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// utf8Text gives the text of r in UTF-8 as far as the first bytes tell its
// encoding: a byte order mark, or the zero bytes of "<?" in UTF-16. Encodings
// with ASCII in common are left to charsetReader, which knows the XML
// declaration.
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

// charsetReader converts the rest of a document whose XML declaration names
// charset to UTF-8; UTF-16 is converted already when the declaration is read.
func charsetReader(charset string, input io.Reader) (io.Reader, error) {
	switch strings.ToLower(charset) {
	case "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be":
		return input, nil
	case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "windows-1252", "cp1252":
		// Windows-1252 differs in 32 typographic characters only, which name
		// no node: they come out as control characters.
		return &latin1Reader{source: bufio.NewReader(input)}, nil
	}
	return nil, fmt.Errorf("encoding %q is unknown, expected UTF-8, UTF-16 or ISO-8859-1", charset)
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

// latin1Reader converts ISO-8859-1, whose bytes are code points, to UTF-8.
type latin1Reader struct {
	source  *bufio.Reader
	pending byte // second byte of a character whose first is read, or 0
}

func (r *latin1Reader) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		b := r.pending
		if r.pending = 0; b == 0 {
			var err error
			if b, err = r.source.ReadByte(); err != nil {
				if n > 0 {
					err = nil
				}
				return n, err
			}
			if b >= utf8.RuneSelf {
				r.pending = 0x80 | b&0x3F
				b = 0xC0 | b>>6
			}
		}
		p[n] = b
		n++
	}
	return n, nil
}

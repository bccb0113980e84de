package pnml

import (
	"bufio"
	"encoding/xml"
	"math"
)

// source is the text of a document, of which the XML decoder takes byte after byte, and quick
// what it knows by sight. It counts lines for both.
type source struct {
	text      *bufio.Reader
	taken     int64 // by the decoder
	offset    int64
	lineStart int64
	line      int
	converted bool // to another encoding, in a reader that reads ahead
	before    byte // the last byte but one that the decoder took
	last      byte
}

// ReadByte is the next byte for the decoder.
func (s *source) ReadByte() (byte, error) {
	b, err := s.text.ReadByte()
	if err != nil {
		return 0, err
	}
	s.taken++
	s.before, s.last = s.last, b
	s.pass(b)
	return b, nil
}

// Read is for a converter to UTF-8, which reads ahead.
func (s *source) Read(p []byte) (int, error) {
	s.converted = true
	return s.text.Read(p)
}

// pass counts a byte.
func (s *source) pass(b byte) {
	s.offset++
	if b == '\n' {
		s.line++
		s.lineStart = s.offset
	}
}

// position is that after the last token of the decoder.
func (s *source) position(decoder *xml.Decoder) position {
	line, column := decoder.InputPos()
	if !s.converted {
		given := s.given(decoder)
		line, column = s.line, int(s.offset-s.lineStart)+1-given
		if given > 0 && s.offset == s.lineStart {
			line-- // as the decoder counts a line that it gave back
		}
	}
	return position{int32(min(line, math.MaxInt32)), int32(min(column, math.MaxInt32))}
}

// given is how many bytes the decoder has taken that belong to its next token: the < behind
// text, or none.
func (s *source) given(decoder *xml.Decoder) int { return int(s.taken - decoder.InputOffset()) }

// atEmptyElement reports whether the decoder took a tag last that ends with />. Its end is
// then still to come, though nothing stands for it in the text.
func (s *source) atEmptyElement() bool { return s.before == '/' && s.last == '>' }

package pnml

import (
	"bufio"
	"encoding/xml"
	"math"
)

// source is the text of a document. The XML decoder takes byte after byte of it, and quick reading
// takes the arcs that it recognizes. Two readers share the text, so one place must know how far
// they are. source counts bytes and lines for both, and so knows the position in the text. The
// decoder alone would get it wrong after the first arc that it did not see.
//
// The decoder reads one byte at a time, since it is given an io.ByteReader. It may be one byte
// ahead: to see that text ends it must take the < behind it. given says so.
type source struct {
	text      *bufio.Reader
	taken     int64 // bytes that the decoder took, of the text or of what it was converted to
	offset    int64 // bytes passed, by anybody
	lineStart int64 // offset of the present line
	line      int   // from 1
	converted bool  // to another encoding, in a reader that reads ahead
	before    byte  // the last byte but one that the decoder took
	last      byte
	token     tokenLength // of what the decoder is reading
}

// ReadByte returns the next byte for the decoder.
func (s *source) ReadByte() (byte, error) {
	b, err := s.text.ReadByte()
	if err != nil {
		return 0, err
	}
	if b == 0 || s.taken >= s.token.look {
		if err := s.look(b); err != nil {
			return 0, err
		}
	}
	s.taken++
	s.before, s.last = s.last, b
	s.pass(b)
	return b, nil
}

// Read serves a converter to UTF-8, which reads ahead. From then on nobody knows how much of the
// text stands for what, so that quick reading is over, and positions are those of the decoder.
func (s *source) Read(p []byte) (int, error) {
	s.converted = true
	return s.text.Read(p)
}

// pass counts a byte, and the line if the byte ends one.
func (s *source) pass(b byte) {
	s.offset++
	if b == '\n' {
		s.line++
		s.lineStart = s.offset
	}
}

// position returns the position after the last token of the decoder, or after the last arc that was
// read quickly.
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

// given returns how many bytes the decoder has taken that belong to its next token: the < behind
// text, or none.
func (s *source) given(decoder *xml.Decoder) int { return int(s.taken - decoder.InputOffset()) }

// atEmptyElement reports whether the decoder took a tag last that ends with />. Its end is
// then still to come, though nothing stands for it in the text.
func (s *source) atEmptyElement() bool { return s.before == '/' && s.last == '>' }

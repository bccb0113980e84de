package pnml

import (
	"bufio"
	"errors"
	"fmt"
	"math"

	"pnmc/internal/longtoken"
)

// How long tokens get. The XML decoder keeps a token in a buffer, whatever the token is, and gives
// nothing before the token is whole. So source, from which it takes byte after byte, counts how many
// it took since the last token, and asks for room before the decoder's buffer grows.
//
// For example, a comment never ends. After 64 KB source asks for 256 KB, after 128 KB for 512 KB, and
// so on, until there is no room for more or the token is too long.
//
// The first two bytes of a token are looked at, which say what it is. The others cost a comparison
// each, until the token has doubled again. Only in the tags of elements each byte behind the first
// longtoken.Short ones is looked at: attributes are counted there, as of five bytes the decoder makes
// an attribute of more than fifty.

// tokenLength is the length of the token that the decoder is reading.
type tokenLength struct {
	room   longtoken.Room
	begin  int64 // how many bytes the decoder had taken before the token
	look   int64 // how many bytes the decoder has taken when the next one is looked at
	equals int   // signs = behind the first bytes
	tag    bool  // the token is the start of an element, which may have attributes
	failed error // why the decoder gets no more
}

// mostEquals bounds the signs = in a tag behind its first bytes. There is one for each attribute.
// maxAttributes is asked about only when the tag is whole.
const mostEquals = 1 << 16

// Reasons why the decoder gets no more.
var (
	errZero       = errors.New("a zero byte, which is no character of XML; expected well-formed XML")
	errAttributes = fmt.Errorf("a tag with more than %d signs =, expected at most %d attributes", mostEquals, maxAttributes)
)

// start begins the next token, of which the decoder may have taken the first byte already.
func (s *source) start(given int) {
	t := &s.token
	t.begin, t.look = s.taken-int64(given), s.taken
	t.tag, t.equals = given > 0, 0
}

// look looks at byte b, which the decoder takes next. It is zero, or a look is due. An error is the
// reason why the decoder does not get it.
func (s *source) look(b byte) error {
	t := &s.token
	length := int(min(s.taken-t.begin, math.MaxInt))
	switch {
	case b == 0:
		t.failed = errZero
	case length == 0 && b == '<':
		t.tag = true // if its second byte says so, which is the next to be looked at
	case length == 0:
		t.look = t.begin + longtoken.Short
	case length == 1:
		t.tag = t.tag && b != '!' && b != '?'
		t.look = t.begin + longtoken.Short
	default:
		if t.tag && b == '=' {
			t.equals++
		}
		if t.failed = t.room.Grow(length); t.failed == nil && t.equals > mostEquals {
			t.failed = errAttributes
		}
		if !t.tag {
			t.look = t.begin + int64(t.room.Next())
		}
	}
	return t.failed
}

// convertedText is text that was converted to UTF-8. The decoder takes byte after byte of it, which
// source counts as it counts its own.
type convertedText struct {
	text   *bufio.Reader
	source *source
}

// Read serves what asks for a reader. The decoder calls ReadByte.
func (c *convertedText) Read(p []byte) (int, error) { return c.text.Read(p) }

// ReadByte returns the next byte for the decoder.
func (c *convertedText) ReadByte() (byte, error) {
	b, err := c.text.ReadByte()
	if err == nil && (b == 0 || c.source.taken >= c.source.token.look) {
		err = c.source.look(b)
	}
	if err != nil {
		return 0, err
	}
	c.source.taken++
	return b, nil
}

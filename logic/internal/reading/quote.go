package reading

import (
	"strings"

	"pnmc/internal/lazy"
)

// Unquote reads the quoted string at the start of s, in which a backslash takes
// the meaning from the character after it. It returns the value and the length
// with both quotes.
func Unquote(s string) (value string, length int, ok bool) {
	length, ok = QuotedLength(s)
	if !ok {
		return "", 0, false
	}
	inside := s[1 : length-1]
	if strings.IndexByte(inside, '\\') < 0 {
		return strings.Clone(inside), length, true // the name outlives the text
	}
	var b strings.Builder
	b.Grow(len(inside))
	for i := 0; i < len(inside); i++ {
		if inside[i] == '\\' {
			i++
		}
		b.WriteByte(inside[i])
	}
	return b.String(), length, true
}

// QuotedLength returns the length of the quoted name that s begins with, quotes included. It reports
// false if the name has no end.
func QuotedLength(s string) (length int, ok bool) {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == s[0]:
			return i + 1, true
		case s[i] == '\\' && i+1 < len(s):
			i++
		}
	}
	return 0, false
}

// IndexUnquoted returns the index of the first c in s outside quotes, or -1.
func IndexUnquoted(s string, c byte) int {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == c:
			return i
		case s[i] == '"' || s[i] == '\'':
			length, ok := QuotedLength(s[i:])
			if !ok {
				return -1
			}
			i += length - 1
		}
	}
	return -1
}

// Escapes puts backslashes before what would end a quoted name.
var Escapes = lazy.Value[*strings.Replacer]{Make: func() *strings.Replacer {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`)
}}

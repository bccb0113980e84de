package draw

import (
	"bytes"
	"compress/gzip"
	"regexp"
	"strings"
)

// Damage returns the text with something wrong: bytes flipped, a part cut away,
// doubled or put elsewhere, numbers replaced, or compressed, whole or cut off.
func Damage(s Source, text []byte) []byte {
	for range s.Magnitude(1, 4) {
		text = damageOnce(s, text)
	}
	return text
}

// damageOnce damages a text in one of eleven ways: among others it flips bits, cuts, doubles or
// moves a part, writes other numbers, compresses it, and leaves nothing at all. The text given
// stays as it is.
func damageOnce(s Source, text []byte) []byte {
	text = bytes.Clone(text)
	from := s.IntN(len(text) + 1)
	to := min(len(text), from+s.Magnitude(1, 1+len(text)))
	switch s.IntN(11) {
	case 0: // flip bits
		for range s.Magnitude(1, 20) {
			if len(text) > 0 {
				text[s.IntN(len(text))] ^= 1 << s.IntN(8)
			}
		}
	case 1:
		return text[:from]
	case 2:
		return append(text[:from], text[to:]...)
	case 3: // double a part, up to many times
		part := bytes.Repeat(text[from:to], min(s.Magnitude(1, 1000), 1+1<<20/(to-from+1)))
		return append(text[:from:from], append(part, text[from:]...)...)
	case 4:
		return append(bytes.Clone(text[from:]), text[:from]...)
	case 5:
		return replaceNumbers(s, text)
	case 6:
		return compressed(text)
	case 7:
		text = compressed(text)
		return text[:s.IntN(len(text))]
	case 8:
		return nil
	case 9: // something else in the middle
		return append(text[:from:from], append([]byte(junk(s)), text[from:]...)...)
	case 10: // parts of lines change places
		lines := bytes.SplitAfter(text, []byte("\n"))
		s.Shuffle(min(len(lines), 10), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		return bytes.Join(lines, nil)
	}
	return text
}

// junk returns what rarely stands in a file.
func junk(s Source) string {
	return Pick(s, "\x00", "\xff\xfe", "\xef\xbb\xbf", "(", "<![CDATA[", "&amp;", "&#0;", "&x;", "]]>", "-->", "<!--", "/*", "\"", "\\",
		"--ABORT--", "--END--", "{", "[", "9223372036854775808", "-1", "\u2028", "\r\n", "é", "𝔸", "<page>", "</net>", "1e999",
		strings.Repeat("(", s.Magnitude(1, 100000)), strings.Repeat("<page>", s.Magnitude(1, 20000)), strings.Repeat("!", s.Magnitude(1, 100000)),
		strings.Repeat("\n", s.Magnitude(1, 100000)), strings.Repeat("a", s.Magnitude(1, 300000)))
}

var numbers = regexp.MustCompile(`[0-9]+`)

// replaceNumbers replaces some numbers by others, most of them extreme.
func replaceNumbers(s Source, text []byte) []byte {
	share := s.Float64()
	return numbers.ReplaceAllFunc(text, func(b []byte) []byte {
		if !s.Chance(share) {
			return b
		}
		return []byte(Extreme(s))
	})
}

// Extreme returns a number next to a limit of some representation.
func Extreme(s Source) string {
	return Pick(s, "0", "1", "2", "-1", "255", "256", "65535", "65536", "1048576", "2147483647", "2147483648", "4294967295", "4294967296",
		"9007199254740993", "4611686018427387904", "9223372036854775806", "9223372036854775807", "9223372036854775808",
		"18446744073709551615", "18446744073709551616", "340282366920938463463374607431768211456", "00", "007")
}

func compressed(text []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(text) // to memory
	_ = w.Close()
	return b.Bytes()
}

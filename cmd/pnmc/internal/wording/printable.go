package wording

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns text in which characters that terminals don't show, or obey, are spelled
// out, such as \x1b. Bytes of files that are no text must not reach a terminal. Line ends and
// tabs stay.
func Printable(text string) string {
	isHarmless := func(r rune) bool { return r == '\n' || r == '\t' || unicode.IsPrint(r) }
	if utf8.ValidString(text) && strings.IndexFunc(text, func(r rune) bool { return !isHarmless(r) }) < 0 {
		return text
	}
	var out strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1 || r < 0x80 && !isHarmless(r):
			fmt.Fprintf(&out, `\x%02x`, text[0])
		case isHarmless(r) || r == utf8.RuneError:
			out.WriteString(text[:size])
		case unicode.IsSpace(r):
			out.WriteByte(' ')
		case r > 0xffff:
			fmt.Fprintf(&out, `\U%08x`, r)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
		text = text[size:]
	}
	return out.String()
}

// Complaint returns text as standard error gets it: each line says who speaks.
func Complaint(text string) string {
	return "pnmc: " + strings.ReplaceAll(Printable(strings.TrimRight(text, "\n")), "\n", "\npnmc: ") + "\n"
}

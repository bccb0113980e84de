package wording

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "",
		"p1 ≥ 2 → «é»\n\tnext":          "p1 ≥ 2 → «é»\n\tnext",
		"\x1b[31mred\x00":               `\x1b[31mred\x00`,
		"\xff\xfe<\x00":                 `\xff\xfe<\x00`,
		"\u202eright to left, a\u00a0b": `\u202eright to left, a b`,
		"\ufffd, and \U000e0001":        `�, and \U000e0001`,
		"carriage\r\nreturn":            "carriage\\x0d\nreturn",
	} {
		if got := Printable(text); got != want {
			t.Errorf("%q: %q, expected %q", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOf(rapid.Byte()).Draw(t, "text"))
		if got := Printable(text); !utf8.ValidString(got) || Printable(got) != got {
			t.Errorf("%q: %q", text, got)
		}
	})
}

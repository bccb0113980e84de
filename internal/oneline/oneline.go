// Package oneline puts texts of files on one line.
//
// In comes a name or a formula as a file has it; out goes the same text with single spaces. Next are
// readers, writers and messages that need it on one line.
package oneline

import (
	"strings"
	"unicode"
)

// Of returns text with each run of white space made one space, and none at its ends.
//
// A text that is so already is returned itself; else one copy is made, however many words there are. A
// list of its words would take eight times the memory of a text of single letters.
func Of(text string) string {
	text = strings.TrimSpace(text)
	if isOne(text) {
		return text
	}
	var line strings.Builder
	line.Grow(len(text))
	for text != "" {
		end := strings.IndexFunc(text, unicode.IsSpace)
		if end < 0 {
			line.WriteString(text)
			break
		}
		line.WriteString(text[:end])
		line.WriteByte(' ') // text does not end in white space
		text = strings.TrimLeftFunc(text[end:], unicode.IsSpace)
	}
	return line.String()
}

// isOne reports whether all white space in text is single spaces.
func isOne(text string) bool {
	before := false
	for _, r := range text {
		space := unicode.IsSpace(r)
		if space && (before || r != ' ') {
			return false
		}
		before = space
	}
	return true
}

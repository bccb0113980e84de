package picture

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Sizes of text, in the units of the picture.
const (
	lineHeight     = 14.0
	characterWidth = 6.8 // of one column, at a font size of 12
	longestLine    = 40  // columns; a longer line is cut, its node's title has it whole
)

// longestCharacter bounds a character of a line that is cut, with all that is combined with it, in
// bytes, and longestText what is looked at of a line: more columns than fit.
const (
	longestCharacter = 64
	longestText      = longestCharacter * longestLine
)

// shown returns a line as the picture shows it: on one line, without what is not to be seen, and
// cut if it is long. A line of megabytes takes no longer than one of kilobytes.
func shown(line string) string {
	text := visible(beginning(line))
	cut := len(line) > longestText
	if !cut && len(text) <= longestLine {
		return text
	}
	at, width, state := 0, 0, -1
	end, open := 0, true // of what stands before the sign that the line is cut
	for at < len(text) {
		var cluster string
		var w int
		cluster, _, w, state = uniseg.FirstGraphemeClusterInString(text[at:], state)
		at += len(cluster)
		width += w
		if open = open && width < longestLine && len(cluster) <= longestCharacter; open {
			end = at
		}
		if width > longestLine {
			cut = true
			break
		}
	}
	if cut {
		return text[:end] + "…"
	}
	return text
}

// beginning returns as much of a line as is looked at, in whole characters.
func beginning(line string) string {
	if len(line) <= longestText {
		return line
	}
	for i := range utf8.UTFMax {
		if utf8.RuneStart(line[longestText-i]) {
			return line[:longestText-i]
		}
	}
	return line[:longestText] // which is no text
}

// visible replaces some characters by a sign that is seen: those that XML cannot have,
// that change the direction of text, or that are not printed.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case r == utf8.RuneError, r == 0xFFFE, r == 0xFFFF, unicode.IsControl(r):
			return utf8.RuneError
		case unicode.Is(unicode.Bidi_Control, r):
			return utf8.RuneError
		}
		return r
	}, text)
}

// widthOf returns the room that a shown line takes.
func widthOf(line string) float64 { return characterWidth * float64(uniseg.StringWidth(line)) }

// widest returns the room that lines take beside each other's ends.
func widest(lines []string) float64 {
	width := 0.0
	for _, line := range lines {
		width = max(width, widthOf(line))
	}
	return width
}

// mostLines is how many lines a node or an edge has in the picture.
const mostLines = 12

// shownAll returns lines as the picture shows them, with as many as fit.
func shownAll(lines []string) []string {
	list := make([]string, 0, min(len(lines), mostLines))
	for i, line := range lines {
		if i == mostLines-1 && len(lines) > mostLines {
			return append(list, "…")
		}
		list = append(list, shown(line))
	}
	return list
}

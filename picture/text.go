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

// shown returns a line as the picture shows it: on one line, without what is not to be seen, and
// cut if it is long.
func shown(line string) string {
	line = visible(line)
	if len(line) <= longestLine || uniseg.StringWidth(line) <= longestLine {
		return line
	}
	var b strings.Builder
	width, state := 0, -1
	for line != "" {
		var cluster string
		var w int
		cluster, line, w, state = uniseg.FirstGraphemeClusterInString(line, state)
		if width += w; width > longestLine-1 || len(cluster) > 64 {
			break
		}
		b.WriteString(cluster)
	}
	return b.String() + "…"
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

// shownAll returns lines as the picture shows them, with as many as fit.
func shownAll(lines []string) []string {
	const mostLines = 12
	list := make([]string, 0, min(len(lines), mostLines))
	for i, line := range lines {
		if i == mostLines-1 && len(lines) > mostLines {
			return append(list, "…")
		}
		list = append(list, shown(line))
	}
	return list
}

package progress

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"pnmc/cmd/pnmc/internal/wording"
)

// progressLine is a line of a terminal that is written over and over.
//
// A line that is longer than the terminal wraps, and could not be erased as a line any more. So it is
// cut to the width, by columns and not by bytes: a letter may have two columns, and several runes.
// What is least needed goes first: the parts of the line from the last on, and before that the middle
// of the name. For example, in 40 columns
//
//	Philosophers-PT-000010 LTLFireability: 1,204,113 firings, 310,220 markings
//
// keeps the number of firings, and as much of the name as fits beside that.
type progressLine struct {
	clock func() time.Time
	width func() int // of the terminal
	shown bool
	began time.Time // of what is shown, zero before it began
	first int64     // the count with which it began
	drawn time.Time
}

// Work that is over at once is not shown. Nothing is shown so often that it can't be
// read.
const (
	firstShown = 300 * time.Millisecond
	shownEvery = 200 * time.Millisecond
)

// eraseLine goes back to the beginning of a line and erases it.
const eraseLine = "\r\x1b[K"

// due reports whether the line is to be drawn again with a new count: not before firstShown, and not
// more often than every shownEvery. It returns how long it is since the first count, and what that
// was, from which a rate can be computed.
func (l *progressLine) due(count int64) (elapsed time.Duration, first int64, due bool) {
	now := l.clock()
	if l.began.IsZero() {
		l.began, l.first = now, count
	}
	elapsed = now.Sub(l.began)
	if elapsed < firstShown || l.shown && now.Sub(l.drawn) < shownEvery {
		return elapsed, l.first, false
	}
	l.drawn = now
	return elapsed, l.first, true
}

// draw replaces the line.
func (l *progressLine) draw(w io.Writer, parts lineParts) {
	l.shown = true
	fmt.Fprint(w, eraseLine, parts.within(l.width()-1)) // a full line would begin another one
}

// terminalWidth returns the number of columns of a terminal, 80 if it does not tell.
func terminalWidth(f *os.File) int {
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		return width
	}
	return 80
}

// lineParts are the parts of a line of progress. The first matters most.
type lineParts struct {
	what  string
	parts []string
}

// shortestName is the number of columns below which a name says nothing.
const shortestName = 12

// within returns the line in that many columns: the name is shortened first, then the last parts
// are left out, then the name.
func (l lineParts) within(columns int) string {
	for n := len(l.parts); n > 0; n-- {
		text := strings.Join(l.parts[:n], ", ")
		rest := columns - uniseg.StringWidth(text) - len(": ")
		if l.what != "" && rest >= min(shortestName, uniseg.StringWidth(l.what)) {
			return elidedName(l.what, rest) + ": " + text
		}
		if l.what == "" && rest+len(": ") >= 0 {
			return text
		}
	}
	return elided(l.parts[0], columns)
}

// elided returns text in at most that many columns, with an ellipsis for what is left out at its
// end.
func elided(text string, columns int) string { return elidedBefore(text, 0, columns) }

// elidedName shortens a name as elided does. In the contest the end of a name says most,
// elsewhere the beginning: so a third of the columns is for the end.
func elidedName(text string, columns int) string { return elidedBefore(text, columns/3, columns) }

// elidedBefore returns text in at most that many columns, of which some are for its end.
func elidedBefore(text string, end, columns int) string {
	if uniseg.StringWidth(text) <= columns {
		return text
	}
	if columns < 1 {
		return ""
	}
	var letters []string
	var widths []int
	for graphemes := uniseg.NewGraphemes(text); graphemes.Next(); {
		letters, widths = append(letters, graphemes.Str()), append(widths, graphemes.Width())
	}
	last, left := len(letters), end
	for last > 0 && widths[last-1] <= left {
		last--
		left -= widths[last]
	}
	first := 0
	for left += columns - 1 - end; first < last && widths[first] <= left; first++ { // 1: the ellipsis
		left -= widths[first]
	}
	return strings.Join(letters[:first], "") + "…" + strings.Join(letters[last:], "")
}

// progressParts returns how far an exploration is, and its firings a second.
func progressParts(what string, firings, markings int64, rate float64) lineParts {
	parts := []string{wording.Grouped(firings) + plural(firings, " firing", " firings"), wording.Grouped(markings) + plural(markings, " marking", " markings")}
	if rate >= 1 {
		parts = append(parts, rounded(rate)+" a second")
	}
	return lineParts{what, parts}
}

// withTime adds a time to parts of a line, once it is a second.
func withTime(parts []string, elapsed time.Duration) []string {
	if elapsed >= time.Second {
		parts = append(parts, wording.Duration(elapsed.Truncate(time.Second)))
	}
	return parts
}

// plural returns the word for n things.
func plural(n int64, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// rounded returns a number to two or three digits, in words from a million on.
func rounded(x float64) string {
	switch {
	case x >= 1e9:
		return strconv.FormatFloat(x/1e9, 'f', 1, 64) + " billion"
	case x >= 999_500:
		return strconv.FormatFloat(x/1e6, 'f', 1, 64) + " million"
	}
	whole := int64(x + 0.5)
	for unit := int64(1); ; unit *= 10 {
		if r := (whole + unit/2) / unit; r < 1000 {
			return wording.Grouped(r * unit)
		}
	}
}

// Package wording puts text and numbers as people read them on a terminal.
//
// In come names and messages, perhaps of files that are no text, and counts and times; out
// goes text that a terminal can show. Next are package progress, which writes it to
// standard error, and the commands.
package wording

import (
	"fmt"
	"strconv"
	"time"

	"pnmc/internal/oneline"
)

// Counted returns a number of things.
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// OneLine returns text with its white space reduced to single spaces, and printable.
func OneLine(text string) string { return Printable(oneline.Of(text)) }

// Grouped returns a number with commas between thousands.
func Grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Duration returns a time to its largest unit, or two of them.
func Duration(d time.Duration) string {
	switch d = d.Round(time.Second); {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%d days", int(d.Hours()/24+0.5))
	case d >= 2*time.Hour:
		return fmt.Sprintf("%d hours", int(d.Hours()+0.5))
	case d >= 2*time.Minute:
		return fmt.Sprintf("%d minutes", int(d.Minutes()+0.5))
	}
	return Counted(int(d.Seconds()), "second", "seconds")
}

package form

import (
	"bytes"
	"fmt"
	"regexp"
)

const (
	dotText      = `"(?:[^"\\\n]|\\.)*"`
	dotAttribute = `[a-z]+=(?:` + dotText + `|[a-z0-9.]+)`
)

var (
	dotBegin = regexp.MustCompile(`^digraph (?:` + dotText + `|[A-Za-z0-9_]+) \{$`)
	dotLine  = regexp.MustCompile(`^  (?:` + dotAttribute + `|node \[` + dotAttribute + `\]|[A-Z]?[a-z]?[0-9]+(?: -> [a-z]?[0-9]+)?(?: \[` +
		dotAttribute + `(?:, ?` + dotAttribute + `)*\])?)$`)
	rankLine = regexp.MustCompile(`^  rankdir=(?:LR|TB)$`)
)

// Drawings checks drawings for Graphviz as pnmc writes them, and returns how many are
// whole. A limit cuts a drawing between two lines: then it lacks its last brace.
func Drawings(text []byte) (whole, cut int, err error) {
	open := false
	number := 0
	for line := range bytes.Lines(text) {
		number++
		line = bytes.TrimSuffix(line, []byte("\n"))
		switch {
		case dotBegin.Match(line):
			if open {
				cut++
			}
			open = true
		case !open:
			return whole, cut, fmt.Errorf("line %d, %q: outside of a drawing", number, line[:min(len(line), 200)])
		case string(line) == "}":
			open = false
			whole++
		case !dotLine.Match(line) && !rankLine.Match(line):
			return whole, cut, fmt.Errorf("line %d, %q: it is no node, edge or attribute", number, line[:min(len(line), 200)])
		}
	}
	if open {
		cut++
	}
	return whole, cut, Ended(text)
}

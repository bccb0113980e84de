package logic

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// NamedFormula is a formula of a file.
type NamedFormula struct {
	Name    string // empty if the line gives none
	Line    int    // from 1
	Formula *Formula
}

// ReadFormulas reads one formula a line, with p. A line may begin with a name,
// in quotes or not, and a colon; lines that are empty or begin with # are
// skipped. All lines are read: the errors, each a *SyntaxError with file as its
// file, come joined, together with the formulas of the lines without one.
func ReadFormulas(r io.Reader, file string, p FormulaParser) ([]NamedFormula, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	p.Check = remembered(p.Check)
	rest := strings.TrimPrefix(string(text), "\ufeff")
	offset := len(text) - len(rest) // of the line
	var found []NamedFormula
	var failures []error
	for number := 1; rest != ""; number++ {
		line, after, _ := strings.Cut(rest, "\n")
		name, start := lineName(line)
		trimmed := strings.TrimSpace(line)
		if trimmed != "" && trimmed[0] != '#' {
			from := origin{file: file, offset: offset + start, line: number,
				column: utf8.RuneCountInString(line[:start]) + 1}
			f, err := p.parse(line[start:], from)
			if err != nil {
				failures = append(failures, err)
			} else {
				found = append(found, NamedFormula{Name: name, Line: number, Formula: f})
			}
		}
		offset += len(rest) - len(after)
		rest = after
	}
	return found, errors.Join(failures...)
}

// lineName is the name before a colon at the start of a line, and where the
// formula begins: at 0 if there is no name.
func lineName(line string) (name string, start int) {
	rest := strings.TrimLeftFunc(line, unicode.IsSpace)
	length := strings.IndexFunc(rest, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(`:"'#()[]<>=!&|`, r)
	})
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		name, length, _ = unquote(rest)
	} else if length > 0 {
		name = rest[:length]
	}
	if length <= 0 {
		return "", 0
	}
	after := strings.TrimLeftFunc(rest[length:], unicode.IsSpace)
	if !strings.HasPrefix(after, ":") {
		return "", 0
	}
	return name, len(line) - len(after) + 1
}

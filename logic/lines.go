package logic

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// formulaLine is a line with a formula.
type formulaLine struct {
	name, source string // source is what comes behind the name, without a comment
	number       int    // from 1
}

// eachFormula hands the lines with formulas to parse, and joins its errors. That of the
// limit ends it.
func eachFormula(r io.Reader, file string, limit Limit, parse func(l formulaLine, from origin) error) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := limit.charge(len(text)); err != nil {
		return err
	}
	rest := strings.TrimPrefix(string(text), "\ufeff")
	offset := len(text) - len(rest) // of the line
	var failures []error
	for number := 1; rest != ""; number++ {
		line, after, _ := strings.Cut(rest, "\n")
		length := len(line) + 1
		if comment := unquotedIndex(line, '#'); comment >= 0 {
			line = line[:comment]
		}
		name, start := lineName(line)
		if strings.TrimSpace(line) != "" {
			from := origin{file: file, offset: offset + start, line: number,
				column: utf8.RuneCountInString(line[:start]) + 1}
			err := parse(formulaLine{name, line[start:], number}, from)
			var over *LimitError
			if errors.As(err, &over) {
				return over
			}
			if err != nil {
				failures = append(failures, called(err, cmp.Or(name, strings.TrimSpace(line))))
			}
		}
		offset += length
		rest = after
	}
	return errors.Join(failures...)
}

// called is err about the formula that a file calls so.
func called(err error, formula string) error {
	var syntax *SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	told := *syntax
	told.Formula = formula
	return &told
}

// lineName is the name before a colon in line, and where the formula begins: at 0
// if there is no name. Colons between quotes or brackets, as in F[1:2], separate
// nothing.
func lineName(line string) (name string, start int) {
	open := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '"', '\'':
			_, length, ok := unquote(line[i:])
			if !ok {
				return "", 0
			}
			i += length - 1
		case '(', '[':
			open++
		case ')', ']':
			open--
		case ':':
			name = strings.TrimSpace(line[:i])
			if open > 0 || name == "" {
				continue
			}
			if name[0] == '"' || name[0] == '\'' {
				if value, length, _ := unquote(name); length == len(name) {
					name = value
				}
			}
			return name, i + 1
		}
	}
	return "", 0
}

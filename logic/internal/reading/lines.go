package reading

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line is a line with a formula.
type Line struct {
	Name, Source string // source is what comes behind the name, without a comment
	Number       int    // from 1
}

// Named is a formula of a file.
type Named[F any] struct {
	Name    string // empty if the line gives none
	Text    string // of the formula, as it is written
	Line    int    // from 1
	Formula F
}

// Formulas reads one formula a line, each by parse; see EachLine.
func Formulas[F any](r io.Reader, file string, limit Limit, parse func(text string) (F, error)) ([]Named[F], error) {
	var found []Named[F]
	err := EachLine(r, file, limit, func(l Line, from Origin) error {
		f, err := At(from, l.Source, parse)
		if err == nil {
			found = append(found, Named[F]{Name: l.Name, Text: strings.TrimSpace(l.Source), Line: l.Number, Formula: f})
		}
		return err
	})
	return found, err
}

// At returns what parse makes of a text that stands at o.
func At[F any](o Origin, text string, parse func(text string) (F, error)) (f F, err error) {
	if f, err = parse(text); err != nil {
		return *new(F), o.Place(err)
	}
	return f, nil
}

// EachLine hands the lines with formulas to parse, and joins its errors. That of the
// limit ends it. If parse has a limit of its own for each line, it returns a *TooLargeError for one that is
// too large, which comes among the others, with its place.
//
// A line has an optional name, a colon, a formula, and an optional comment:
//
//	safe: !(p1 >= 2)     # of at most one token
//
// Empty lines and those with a comment alone are none. A colon in quotes or brackets belongs to
// the formula, as in F[1:2] p, and so does the sign of #tokens(p). A line that is wrong does not
// end the file: all others are read, and all mistakes are reported at once, with lines and
// columns of the file. Where the limit is reached, nothing else is known.
func EachLine(r io.Reader, file string, limit Limit, parse func(l Line, from Origin) error) error {
	var text strings.Builder // which gives its text away without a copy
	if _, err := io.Copy(&text, r); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := limit.Charge(text.Len()); err != nil {
		return err
	}
	rest := strings.TrimPrefix(text.String(), "\ufeff")
	offset := text.Len() - len(rest) // of the line
	var failures []error
	for number := 1; rest != ""; number++ {
		line, after, _ := strings.Cut(rest, "\n")
		length := len(line) + 1
		if comment := commentAt(line); comment >= 0 {
			line = line[:comment]
		}
		name, start := lineName(line)
		if strings.TrimSpace(line) != "" {
			from := Origin{file: file, Offset: offset + start, Line: number,
				Column: utf8.RuneCountInString(line[:start]) + 1}
			err := parse(Line{name, line[start:], number}, from)
			var over *LimitError
			if large, is := err.(*TooLargeError); is {
				large.File, large.Line, large.Formula = file, number, cmp.Or(name, strings.TrimSpace(line))
			} else if errors.As(err, &over) {
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

// called returns err about the formula that a file calls so.
func called(err error, formula string) error {
	var syntax *SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	told := *syntax
	told.Formula = formula
	return &told
}

// lineName returns the name before a colon in line, and where the formula begins: at 0
// if there is no name. Colons between quotes or brackets, as in F[1:2], separate
// nothing.
//
// For example, the name of "safe: G p" is safe, and the formula begins behind the colon. "a:b": G
// p, with a name in quotes, is called a:b. F[1:2] p has no name.
func lineName(line string) (name string, start int) {
	open := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '"', '\'':
			_, length, ok := Unquote(line[i:])
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
				if value, length, _ := Unquote(name); length == len(name) {
					name = value
				}
			}
			return name, i + 1
		}
	}
	return "", 0
}

// commentAt returns where a comment begins in line, or -1: at # outside of quotes, but for the
// function #tokens(…).
func commentAt(line string) int {
	for from := 0; ; {
		at := IndexUnquoted(line[from:], '#')
		if at < 0 {
			return -1
		}
		from += at
		behind, counts := strings.CutPrefix(line[from:], "#tokens")
		if !counts || !strings.HasPrefix(strings.TrimLeftFunc(behind, unicode.IsSpace), "(") {
			return from
		}
		from++
	}
}

package logic

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"pnmc/logic/internal/reading"
)

// Proposition is a name with what it means.
type Proposition struct {
	Name      string
	Predicate *Predicate
}

// ReadPropositions reads what opaque names of atomic propositions stand for, in
// the order of the file. An entry is
//
//	name: expression
//
// on one line, or ITS-Tools' form, which may take several,
//
//	property name [atom] : expression;
//
// where expression is what ParsePredicate reads and the name may be in quotes.
// Lines that are empty or begin with # or // are skipped. Errors are of type
// *SyntaxError, with file as their file; a name given twice is one.
//
// A file with three entries:
//
//	# what names mean
//	full: p1 >= 3
//	"is empty": p1 == 0
//	property done [atom] : fireable(t1) |
//	    deadlock;
func ReadPropositions(r io.Reader, file string, v Vocabulary) ([]Proposition, error) {
	return PredicateParser{Vocabulary: v}.ReadPropositions(r, file)
}

// ReadPropositions reads as the function of this name does, within the limit, whose error is a
// *LimitError.
func (p PredicateParser) ReadPropositions(r io.Reader, file string) ([]Proposition, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	reader := propositionReader{
		text: string(text), parser: p,
		position: lexer.Position{Line: 1, Column: 1},
		lines:    make(map[string]int),
	}
	for {
		more, err := reader.entry()
		var syntax *SyntaxError
		if errors.As(err, &syntax) {
			syntax.File = file
		}
		if err != nil || !more {
			return reader.found, err
		}
	}
}

// propositionReader walks over a file of propositions.
type propositionReader struct {
	text     string
	parser   PredicateParser
	position lexer.Position
	found    []Proposition
	lines    map[string]int // of the names found
}

// rest returns the text not yet read.
func (r *propositionReader) rest() string { return r.text[r.position.Offset:] }

// take moves behind the next n bytes, and returns them.
func (r *propositionReader) take(n int) string {
	span := r.rest()[:n]
	r.position.Advance(span)
	return span
}

// space skips space, over ends of lines too if lines is set.
func (r *propositionReader) space(lines bool) {
	rest := r.rest()
	end := strings.IndexFunc(rest, func(c rune) bool {
		return !unicode.IsSpace(c) || c == '\n' && !lines
	})
	if end < 0 {
		end = len(rest)
	}
	r.take(end)
}

// errorf returns a syntax error at the present position.
func (r *propositionReader) errorf(format string, arguments ...any) error {
	return reading.ErrorAt(r.position, format, arguments...)
}

// entry reads the next entry, and reports whether there was one.
func (r *propositionReader) entry() (bool, error) {
	r.space(true)
	if r.position.Offset == 0 && strings.HasPrefix(r.text, "\ufeff") {
		r.position.Offset = len("\ufeff")
		r.space(true)
	}
	for strings.HasPrefix(r.rest(), "#") || strings.HasPrefix(r.rest(), "//") {
		r.take(lineLength(r.rest()))
		r.space(true)
	}
	if r.rest() == "" {
		return false, nil
	}
	property := r.isProperty()
	if property {
		r.take(len("property"))
		r.space(true)
	}
	at := r.position
	name, err := r.name()
	if err != nil {
		return false, err
	}
	if line, twice := r.lines[name]; twice {
		return false, reading.ErrorAt(at, "proposition %q is already defined in line %d", name, line)
	}
	r.lines[name] = at.Line
	if property {
		if err := r.atomMark(); err != nil {
			return false, err
		}
	}
	r.space(property)
	if !strings.HasPrefix(r.rest(), ":") {
		return false, r.errorf(`expected ":" after the name of a proposition`)
	}
	r.take(1)
	return true, r.definition(name, property)
}

// definition reads the expression of an entry: up to a semicolon, or to the end
// of the line.
func (r *propositionReader) definition(name string, property bool) error {
	r.space(property)
	length := lineLength(r.rest())
	if property {
		length = reading.IndexUnquoted(r.rest(), ';')
		if length < 0 {
			return r.errorf(`no ";" ends the property %q`, name)
		}
	}
	from := reading.Origin{Offset: r.position.Offset, Line: r.position.Line, Column: r.position.Column}
	p, err := r.parser.parse(r.take(length), from)
	if err != nil {
		return err
	}
	if property {
		r.take(1)
	}
	r.found = append(r.found, Proposition{Name: name, Predicate: p})
	return nil
}

// isProperty reports whether ITS-Tools' form begins here: the word, space, and no
// colon before the name.
func (r *propositionReader) isProperty() bool {
	after, ok := strings.CutPrefix(r.rest(), "property")
	if !ok {
		return false
	}
	trimmed := strings.TrimLeftFunc(after, unicode.IsSpace)
	return len(trimmed) < len(after) && !strings.HasPrefix(trimmed, ":")
}

// name reads the name of an entry: a quoted string, or what comes before a
// colon, a bracket or space.
func (r *propositionReader) name() (string, error) {
	rest := r.rest()
	if rest == "" {
		return "", r.errorf("expected the name of a proposition")
	}
	if rest[0] == '"' || rest[0] == '\'' {
		name, length, ok := reading.Unquote(rest)
		if !ok {
			return "", r.errorf("no closing %c for this quote", rest[0])
		}
		r.take(length)
		return name, nil
	}
	end := strings.IndexFunc(rest, func(c rune) bool {
		return unicode.IsSpace(c) || strings.ContainsRune(`:[]"';`, c)
	})
	if end < 0 {
		end = len(rest)
	}
	if end == 0 {
		first, _ := utf8.DecodeRuneInString(rest)
		return "", r.errorf("unexpected character %q; expected the name of a proposition", first)
	}
	return r.take(end), nil
}

// atomMark reads "[atom]", the one kind of property that is a proposition.
func (r *propositionReader) atomMark() error {
	r.space(true)
	rest := r.rest()
	end := strings.IndexByte(rest, ']')
	if !strings.HasPrefix(rest, "[") || end < 0 {
		return r.errorf("expected [atom]")
	}
	if kind := strings.TrimSpace(rest[1:end]); kind != "atom" {
		return r.errorf("a property [%s] is no proposition; expected [atom]", kind)
	}
	r.take(end + 1)
	return nil
}

// lineLength returns the number of bytes before the end of the first line of s.
func lineLength(s string) int {
	if end := strings.IndexByte(s, '\n'); end >= 0 {
		return end
	}
	return len(s)
}

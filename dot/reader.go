package dot

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/alecthomas/participle/v2"

	"pnmc/automata"
)

const (
	// graphSize bounds the text of one graph.
	graphSize = 64 << 20
	// nestingBound bounds the parentheses of a label.
	nestingBound = 1000
	// setsBound and propositionsBound are beyond what a drawing can have, and
	// keep the marks and the cube of an edge small.
	setsBound         = 1 << 10
	propositionsBound = 1 << 12
)

// Reader reads the testing automata that ltl2tgta drew one after the other.
type Reader struct {
	lines *bufio.Reader
	file  string
	line  int // lines read so far
	first int // of the last graph
}

// NewReader reads from r, whose name file stands in errors and may be empty.
func NewReader(r io.Reader, file string) *Reader {
	return &Reader{lines: bufio.NewReader(r), file: file}
}

// Line is where the last graph that was read begins.
func (r *Reader) Line() int { return r.first }

// Read reads the next automaton, and returns it as soon as the line with its
// closing brace was read. The error is io.EOF at the end of the stream, an *Error
// where the graph isn't a testing automaton, after which the next one can be
// read, or an error of the underlying reader.
//
// What is drawn is understood as Spot 2 draws it. The propositions are those of
// the initial valuations, in the order in which these name them. The automaton
// has one initial state, whose labels are those valuations. It is a TGTA if
// nothing in it is livelock-accepting or Büchi-accepting as a state and every
// state has a loop for the empty changeset, and otherwise a TA, whose states get
// that loop, and whose acceptance sets n to n+1 tell livelock acceptance beside
// the n sets of the drawing (one where there are none). The drawing doesn't say
// how many sets there are: as many as it mentions.
func (r *Reader) Read() (*automata.Automaton, error) {
	text, first, err := r.graphText()
	if err != nil {
		return nil, err
	}
	r.first = first
	g, err := graphParser.ParseString("", text)
	if err != nil {
		var syntax participle.Error
		if errors.As(err, &syntax) {
			p := syntax.Position()
			return nil, &Error{r.file, first + p.Line - 1, p.Column, syntax.Message()}
		}
		return nil, &Error{r.file, first, 1, err.Error()}
	}
	a, err := build(g)
	var place *Error
	if errors.As(err, &place) {
		place.File = r.file
		place.Line += first - 1
	}
	return a, err
}

// Error tells where a drawing isn't one of a testing automaton.
type Error struct {
	File         string
	Line, Column int // from 1, the column in bytes
	Message      string
}

// Error is "file:line:column: message"; without a file name, "line:column: …".
func (e *Error) Error() string {
	if e.File == "" {
		return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// rawLabel is an initial arrow of an automaton with several of them, whose label
// ltl2tgta writes as it is, quotes of propositions included.
var rawLabel = regexp.MustCompile(`^(\s*-\d+\s*->\s*\d+\s*\[label=")(.*)("\]\s*)$`)

// graphText is the text of the next graph, up to a line that is its closing
// brace or the end of the input, and the number of its first line.
func (r *Reader) graphText() (text string, first int, err error) {
	var b strings.Builder
	for {
		line, err := r.lines.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", 0, err
		}
		if line != "" {
			r.line++
		}
		blank := strings.TrimSpace(line) == ""
		if b.Len() == 0 && !blank {
			first = r.line
		}
		if b.Len() > 0 || !blank {
			if m := rawLabel.FindStringSubmatch(line); m != nil && strings.Contains(strings.ReplaceAll(m[2], `\"`, ""), `"`) {
				line = m[1] + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(m[2]) + m[3]
			}
			b.WriteString(line)
		}
		switch {
		case b.Len() > graphSize:
			return "", 0, fmt.Errorf("%s:%d: a graph of more than %d bytes", r.file, first, graphSize)
		case strings.TrimSpace(line) == "}", err != nil && b.Len() > 0:
			return b.String(), first, nil
		case err != nil:
			return "", 0, io.EOF
		}
	}
}

// unquote is the value of a DOT string, or the identifier itself. \n, \l and \r
// are line breaks.
func unquote(s string) string {
	if !strings.HasPrefix(s, `"`) {
		return s
	}
	var b strings.Builder
	for i := 1; i < len(s)-1; i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n', 'l', 'r':
			b.WriteByte('\n')
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

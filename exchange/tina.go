package exchange

import (
	"bufio"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"pnmc/petri"
)

// Tina's format has a description a line: of a net, a place, a transition, a label, a note or a
// priority. Names are letters, digits, primes and underscores, or anything in braces, in which a
// backslash stands before braces and backslashes. An arc is a name with * and a weight, ? for a
// read arc, ?- for an inhibitor arc; ! and !- are those of stopwatches. (B. Berthomieu and
// others, manual of Tina, "formats".)

var tinaLexer = lexer.MustSimple([]lexer.SimpleRule{
	{Name: "Interval", Pattern: `[\[\]]\s*\d+\s*,\s*(w|\d+)\s*[\[\]]`},
	{Name: "Braced", Pattern: `\{(\\.|[^\\{}])*\}`},
	{Name: "Arrow", Pattern: `->`},
	{Name: "Arc", Pattern: `(\*|\?-|\?|!-|!)\d+[KMGTPE]?`},
	{Name: "Word", Pattern: `[\pL\pN_']+`},
	{Name: "Punctuation", Pattern: `[:()<>]`},
	{Name: "Space", Pattern: `[ \t\r]+`},
})

// tinaLine is a description.
type tinaLine struct {
	Net        *tinaName       `parser:"  'net' @@"`
	Transition *tinaTransition `parser:"| 'tr' @@"`
	Place      *tinaPlace      `parser:"| 'pl' @@"`
	Label      []*tinaName     `parser:"| 'lb' @@ @@"`
	Note       []*tinaName     `parser:"| 'nt' @@ @@ @@"`
	Priority   *tinaPriority   `parser:"| 'pr' @@"`
}

type tinaTransition struct {
	Name     *tinaName  `parser:"@@"`
	Label    *tinaName  `parser:"(':' @@)?"`
	Interval *tinaWord  `parser:"@@?"`
	Arcs     *tinaSides `parser:"@@?"`
}

type tinaPlace struct {
	Name    *tinaName  `parser:"@@"`
	Label   *tinaName  `parser:"(':' @@)?"`
	Marking *tinaCount `parser:"('(' @@ ')')?"`
	Arcs    *tinaSides `parser:"@@?"`
}

// tinaSides are the arcs of a node: from and to.
type tinaSides struct {
	From []*tinaArc `parser:"@@* Arrow"`
	To   []*tinaArc `parser:"@@*"`
}

type tinaArc struct {
	Node   *tinaName `parser:"@@"`
	Weight string    `parser:"@Arc?"`
}

type tinaPriority struct {
	Pos   lexer.Position
	First []*tinaName `parser:"@@+ ('<' | '>')"`
	Last  []*tinaName `parser:"@@+"`
}

type tinaCount struct {
	Pos  lexer.Position
	Text string `parser:"@Word"`
}

type tinaWord struct {
	Pos  lexer.Position
	Text string `parser:"@Interval"`
}

type tinaName struct {
	Pos    lexer.Position
	Word   string `parser:"  @Word"`
	Braced string `parser:"| @Braced"`
}

// text is the name without braces.
func (n *tinaName) text() string {
	if n.Braced == "" {
		return n.Word
	}
	var b strings.Builder
	escaped := false
	for _, r := range n.Braced[1 : len(n.Braced)-1] {
		if r == '\\' && !escaped {
			escaped = true
			continue
		}
		b.WriteRune(r)
		escaped = false
	}
	return b.String()
}

var tinaParser = participle.MustBuild[tinaLine](participle.Lexer(tinaLexer), participle.Elide("Space"), participle.UseLookahead(2))

// longestLine bounds a line of text, and lineWork is about what is taken for each of its
// bytes, by the net and by the tree of the line.
const (
	longestLine = 16 << 20
	lineWork    = 64
)

// ReadTina reads a net from Tina's .net text; file is its name in messages. An error is an *Error,
// that of r, or the limit's.
func ReadTina(r io.Reader, file string, limit Limit) (*petri.Net, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	t := &tinaReader{assembly: newAssembly(), file: file}
	for lines.Scan() {
		t.line++
		text := lines.Text()
		if trimmed := strings.TrimSpace(text); trimmed == "" || strings.HasPrefix(trimmed, "#") {
			continue
		}
		if err := limit.ask(lineWork * len(text)); err != nil {
			return nil, err
		}
		line, err := tinaParser.ParseString(file, text)
		if err != nil {
			return nil, grammarError(err, file, t.line-1)
		}
		if err := t.read(line); err != nil {
			return nil, err
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return t.build()
}

type tinaReader struct {
	*assembly
	file string
	line int
}

// at is a position in the file of one in the line.
func (t *tinaReader) at(p lexer.Position) lexer.Position {
	p.Filename, p.Line = t.file, t.line
	return p
}

// read takes in a description.
func (t *tinaReader) read(line *tinaLine) error {
	switch {
	case line.Net != nil:
		t.id = line.Net.text()
	case line.Transition != nil:
		return t.readTransition(line.Transition)
	case line.Place != nil:
		return t.readPlace(line.Place)
	case line.Priority != nil:
		return errorAt(t.at(line.Priority.Pos), nil, "priority between transitions, expected none: priorities cannot be honoured")
	case len(line.Label) == 2:
		t.label(line.Label[0].text(), line.Label[1].text())
	}
	return nil
}

// label names a node. A label of no node is let pass.
func (t *tinaReader) label(id, label string) {
	if p, known := t.placeOf[id]; known {
		t.places[p].name = label
	} else if u, known := t.transitOf[id]; known {
		t.transitions[u].name = label
	}
}

func (t *tinaReader) readTransition(line *tinaTransition) error {
	number := t.transition(line.Name.text(), t.at(line.Name.Pos))
	if line.Label != nil {
		t.transitions[number].name = line.Label.text()
	}
	if line.Interval != nil {
		if strings.Join(strings.Fields(line.Interval.Text), "") != "[0,w[" {
			return errorAt(t.at(line.Interval.Pos), nil, "transition %q has the interval %s, expected [0,w[ or none: time cannot be honoured",
				t.transitions[number].id, line.Interval.Text)
		}
	}
	if line.Arcs == nil {
		return nil
	}
	for _, a := range line.Arcs.From {
		if err := t.arc(a, t.place(a.Node.text(), t.at(a.Node.Pos)), number, consumes); err != nil {
			return err
		}
	}
	for _, a := range line.Arcs.To {
		if err := t.arc(a, t.place(a.Node.text(), t.at(a.Node.Pos)), number, produces); err != nil {
			return err
		}
	}
	return nil
}

func (t *tinaReader) readPlace(line *tinaPlace) error {
	number := t.place(line.Name.text(), t.at(line.Name.Pos))
	if line.Label != nil {
		t.places[number].name = line.Label.text()
	}
	if line.Marking != nil {
		tokens, ok := tinaNumber(line.Marking.Text)
		if !ok {
			return errorAt(t.at(line.Marking.Pos), nil, "marking %q, expected a number below 2^63", line.Marking.Text)
		}
		t.places[number].tokens = tokens
	}
	if line.Arcs == nil {
		return nil
	}
	for _, a := range line.Arcs.From {
		if err := t.arc(a, number, t.transition(a.Node.text(), t.at(a.Node.Pos)), produces); err != nil {
			return err
		}
	}
	for _, a := range line.Arcs.To {
		if err := t.arc(a, number, t.transition(a.Node.text(), t.at(a.Node.Pos)), consumes); err != nil {
			return err
		}
	}
	return nil
}

// arc takes in an arc of that sort, unless what stands before its weight says another.
func (t *tinaReader) arc(a *tinaArc, place, transition int, sort arcSort) error {
	at := t.at(a.Node.Pos)
	kind, digits := strings.TrimRight(a.Weight, "0123456789KMGTPE"), strings.TrimLeft(a.Weight, "*?!-")
	weight := int64(1)
	if digits != "" {
		var ok bool
		if weight, ok = tinaNumber(digits); !ok {
			return errorAt(at, nil, "weight %q of an arc, expected a number below 2^63", digits)
		}
	}
	switch kind {
	case "", "*":
	case "!", "!-":
		return errorAt(at, nil, "stopwatch arc between %q and %q, expected *, ? or ?- before the weight: time cannot be honoured",
			t.places[place].id, t.transitions[transition].id)
	default:
		if sort == produces {
			return errorAt(at, nil, "%s at an arc from %q to %q, expected * before the weight", kind, t.transitions[transition].id, t.places[place].id)
		}
		if sort = reads; kind == "?-" {
			sort = inhibits
		}
	}
	if weight == 0 {
		if sort == inhibits {
			return errorAt(at, nil, "inhibitor arc of weight 0 between %q and %q, expected a larger one", t.places[place].id, t.transitions[transition].id)
		}
		return nil // it asks and moves nothing
	}
	t.arcs = append(t.arcs, assembledArc{sort, place, transition, weight, at})
	return nil
}

// tinaNumber is a number that may end in a power of a thousand.
func tinaNumber(text string) (int64, bool) {
	power := strings.Index("KMGTPE", text[len(text)-1:])
	if power >= 0 {
		text = text[:len(text)-1]
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, false
	}
	for range power + 1 {
		if n > math.MaxInt64/1000 {
			return 0, false
		}
		n *= 1000
	}
	return n, true
}

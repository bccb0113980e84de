package exchange

import (
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"pnmc/petri"
)

// Tina's format has a description a line: of a net, a place, a transition, a label, a note or a
// priority. Names are letters, digits, primes and underscores, or anything in braces, in which a
// backslash stands before braces and backslashes. An arc is a name with * and a weight, ? for a
// read arc, ?- for an inhibitor arc; ! and !- are those of stopwatches. (B. Berthomieu and
// others, manual of Tina, "formats".)

// ReadTina reads a net from Tina's .net text; file is its name in messages. An error is an *Error,
// that of r, or the limit's.
func ReadTina(r io.Reader, file string, limit Limit) (*petri.Net, error) {
	t := &tinaReader{newScanner(r, file, limit), newAssembly(file, limit)}
	for t.begin() {
		if err := t.description(); err != nil {
			return nil, err
		}
	}
	if t.failed != nil {
		return nil, t.failed
	}
	return t.build()
}

// tinaReader reads lines
//
//	"net" name | "tr" name [":" name] [interval] [arcs] | "pl" name [":" name] ["(" number ")"] [arcs]
//	"lb" name name | "nt" name name name | "pr" name+ ("<" | ">") name+
//
// where arcs = arc* "->" arc*, and arc = name [("*" | "?" | "?-" | "!" | "!-") number].
type tinaReader struct {
	*scanner
	*assembly
}

// begin goes to the next line that has a description, and reports whether there is one.
func (t *tinaReader) begin() bool {
	for {
		switch {
		case t.char == end:
			return false
		case t.char == '#':
			for t.char != end && t.char != '\n' {
				t.next()
			}
		case unicode.IsSpace(t.char):
			t.next()
		default:
			return true
		}
	}
}

// advance goes on to the next token of the line.
func (t *tinaReader) advance() error {
	for t.char == ' ' || t.char == '\t' || t.char == '\r' {
		t.next()
	}
	at := t.here()
	switch c := t.char; {
	case c == end || c == '\n':
		t.token = token{endToken, "", at}
	case isTinaWord(c):
		text, err := t.take(isTinaWord)
		t.token = token{wordToken, text, at}
		return err
	case c == '{':
		return t.quoted(at)
	case c == '-':
		if t.next(); t.char != '>' {
			return t.invalid("-")
		}
		t.next()
		t.token = token{markToken, "->", at}
	case strings.ContainsRune(":()<>*?![],", c):
		t.next()
		t.token = token{markToken, string(c), at}
	default:
		return t.invalid("")
	}
	return t.failed
}

func isTinaWord(c rune) bool {
	return c == '_' || c == '\'' || unicode.IsLetter(c) || unicode.IsNumber(c)
}

// quoted reads a name in braces.
func (t *tinaReader) quoted(at position) error {
	escaped := false
	t.next() // the brace
	text, err := t.take(func(c rune) bool {
		if escaped {
			escaped = false
			return c != '\n'
		}
		escaped = c == '\\'
		return c != '}' && c != '{' && c != '\n'
	})
	if err != nil {
		return err
	}
	if t.char != '}' {
		return t.wrong(at, "a name in braces without an end, expected }")
	}
	t.next()
	t.token = token{quoteToken, withoutEscapes(text), at}
	return t.failed
}

// withoutEscapes is a text without the backslashes before characters.
func withoutEscapes(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	escaped := false
	for i := range len(text) {
		if text[i] == '\\' && !escaped {
			escaped = true
			continue
		}
		b.WriteByte(text[i])
		escaped = false
	}
	return b.String()
}

// is reports whether the present token is this mark.
func (t *tinaReader) is(mark string) bool { return t.token.kind == markToken && t.token.text == mark }

// name goes past a name, and returns it.
func (t *tinaReader) name() (token, error) {
	if t.token.kind != wordToken && t.token.kind != quoteToken {
		return token{}, t.unexpected("a name")
	}
	name := t.token
	return name, t.advance()
}

// description reads a line.
func (t *tinaReader) description() error {
	if err := t.advance(); err != nil {
		return err
	}
	keyword := t.token
	kinds := map[string]func() error{"net": t.readNet, "tr": t.readTransition, "pl": t.readPlace, "lb": t.readLabel, "nt": t.readNote, "pr": t.readPriority}
	read := kinds[keyword.text]
	if keyword.kind != wordToken || read == nil {
		return t.unexpected(`"net", "tr", "pl", "lb", "nt" or "pr"`)
	}
	if err := t.advance(); err != nil {
		return err
	}
	if err := read(); err != nil {
		return err
	}
	if t.token.kind != endToken {
		return t.unexpected("the end of the line")
	}
	return t.failed
}

func (t *tinaReader) readNet() error {
	name, err := t.name()
	t.id = name.text
	return err
}

func (t *tinaReader) readPriority() error {
	name, err := t.name()
	if err != nil {
		return err
	}
	return t.wrong(name.at, "priority between transitions, expected none: priorities cannot be honoured")
}

// readNote reads a note, which says nothing of the net.
func (t *tinaReader) readNote() error {
	for range 3 {
		if _, err := t.name(); err != nil {
			return err
		}
	}
	return nil
}

// readLabel names a node. A label of no node is let pass.
func (t *tinaReader) readLabel() error {
	id, err := t.name()
	if err != nil {
		return err
	}
	label, err := t.name()
	if p, known := t.placeOf[id.text]; known {
		t.places[p].name = label.text
	} else if u, known := t.transitOf[id.text]; known {
		t.transitions[u].name = label.text
	}
	return err
}

// label reads what may stand behind the name of a node.
func (t *tinaReader) label(name *string) error {
	if !t.is(":") {
		return nil
	}
	if err := t.advance(); err != nil {
		return err
	}
	label, err := t.name()
	*name = label.text
	return err
}

func (t *tinaReader) readTransition() error {
	name, err := t.name()
	if err != nil {
		return err
	}
	number := t.transition(name.text, name.at)
	if err := t.label(&t.transitions[number].name); err != nil {
		return err
	}
	if t.is("[") || t.is("]") {
		if err := t.readInterval(name.text); err != nil {
			return err
		}
	}
	return t.readArcs(func(a *tinaArc, into bool) error {
		p := t.place(a.node.text, a.node.at)
		if into {
			return t.connect(a, p, number, produces)
		}
		return t.connect(a, p, number, consumes)
	})
}

// readInterval reads the interval of a transition, which must be that of one without time.
func (t *tinaReader) readInterval(transition string) error {
	at := t.token.at
	var b strings.Builder
	for i := range 5 { // such as [ 0 , w [
		if t.token.kind == endToken || t.token.kind == quoteToken || i == 4 && !t.is("[") && !t.is("]") {
			return t.unexpected("an interval such as [0,w[")
		}
		b.WriteString(t.token.text)
		if err := t.advance(); err != nil {
			return err
		}
	}
	if b.String() != "[0,w[" {
		return t.wrong(at, "transition %q has the interval %s, expected [0,w[ or none: time cannot be honoured", transition, b.String())
	}
	return nil
}

func (t *tinaReader) readPlace() error {
	name, err := t.name()
	if err != nil {
		return err
	}
	number := t.place(name.text, name.at)
	if err := t.label(&t.places[number].name); err != nil {
		return err
	}
	if t.is("(") {
		if err := t.readMarking(&t.places[number].tokens); err != nil {
			return err
		}
	}
	return t.readArcs(func(a *tinaArc, into bool) error {
		u := t.transition(a.node.text, a.node.at)
		if into {
			return t.connect(a, number, u, consumes)
		}
		return t.connect(a, number, u, produces)
	})
}

func (t *tinaReader) readMarking(tokens *int64) error {
	if err := t.advance(); err != nil {
		return err
	}
	count := t.token
	if count.kind != wordToken {
		return t.unexpected("a number")
	}
	n, ok := tinaNumber(count.text)
	if !ok {
		return t.wrong(count.at, "marking %q, expected a number below 2^63", count.text)
	}
	*tokens = n
	if err := t.advance(); err != nil {
		return err
	}
	if !t.is(")") {
		return t.unexpected(`")"`)
	}
	return t.advance()
}

// tinaArc is the other node of an arc, with what stands before the weight, and that.
type tinaArc struct {
	node         token
	kind, weight string
}

// readArcs reads the arcs of a node, those from others and those into others.
func (t *tinaReader) readArcs(use func(a *tinaArc, into bool) error) error {
	some, into := false, false
	for t.token.kind != endToken {
		if t.is("->") && !into {
			into = true
			if err := t.advance(); err != nil {
				return err
			}
			continue
		}
		some = true
		a := tinaArc{}
		var err error
		if a.node, err = t.name(); err == nil {
			err = t.readWeight(&a)
		}
		if err == nil {
			err = use(&a, into)
		}
		if err != nil {
			return err
		}
	}
	if some && !into {
		return t.unexpected(`"->"`)
	}
	return nil
}

// readWeight reads what may stand behind the node of an arc.
func (t *tinaReader) readWeight(a *tinaArc) error {
	if !t.is("*") && !t.is("?") && !t.is("!") {
		return nil
	}
	a.kind = t.token.text
	if a.kind != "*" && t.char == '-' {
		a.kind += "-"
		t.next()
	}
	if !unicode.IsDigit(t.char) {
		return t.unexpected("a weight right behind it")
	}
	if err := t.advance(); err != nil {
		return err
	}
	a.weight = t.token.text
	return t.advance()
}

// connect takes in an arc of that sort, unless what stands before its weight says another.
func (t *tinaReader) connect(a *tinaArc, place, transition int, sort arcSort) error {
	weight := int64(1)
	if a.weight != "" {
		var ok bool
		if weight, ok = tinaNumber(a.weight); !ok {
			return t.wrong(a.node.at, "weight %q of an arc, expected a number below 2^63", a.weight)
		}
	}
	switch a.kind {
	case "", "*":
	case "!", "!-":
		return t.wrong(a.node.at, "stopwatch arc between %q and %q, expected *, ? or ?- before the weight: time cannot be honoured",
			t.places[place].id, t.transitions[transition].id)
	default:
		if sort == produces {
			return t.wrong(a.node.at, "%s at an arc from %q to %q, expected * before the weight", a.kind, t.transitions[transition].id, t.places[place].id)
		}
		if sort = reads; a.kind == "?-" {
			sort = inhibits
		}
	}
	if weight == 0 {
		if sort == inhibits {
			return t.wrong(a.node.at, "inhibitor arc of weight 0 between %q and %q, expected a larger one", t.places[place].id, t.transitions[transition].id)
		}
		return nil // it asks and moves nothing
	}
	return t.assembly.arc(assembledArc{weight, int32(place), int32(transition), a.node.at, sort})
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

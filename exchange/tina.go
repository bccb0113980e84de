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
//
// For example, a transition t that takes two tokens from p, asks for one in q, and puts one into r:
//
//	net example
//	pl p (2)
//	tr t : label p*2 q?1 -> r
//
// Places without a line of their own, as q and r, are there because an arc names them.

// ReadTina reads a net from Tina's .net text; file is its name in messages. An error is an *Error,
// that of r, or the limit's.
func ReadTina(r io.Reader, file string, limit Limit) (*petri.Net, error) {
	t := &tinaReader{
		assembly:    newAssembly(file, limit),
		description: grammar[tinaDescription]{parser: &tinaDescriptions, begin: `"net", "tr", "pl", "lb", "nt" or "pr"`, words: tinaKeywords},
		arc:         grammar[tinaArc]{parser: &tinaArcs, begin: `a name or "->"`},
	}
	t.window = &window{scanner: newScanner(r, file, limit), advance: t.advance, last: func(token) bool { return false }}
	for t.begin() {
		if err := t.readLine(); err != nil {
			return nil, err
		}
	}
	if t.failed != nil {
		return nil, t.failed
	}
	for id, label := range t.early {
		t.label(id, label, true)
	}
	return t.build()
}

// The pieces of a line are what stands before its arcs, and these one by one.
type (
	tinaDescription struct {
		Net        part            `parser:"  'net' @(Word | Quote)"`
		Transition *tinaTransition `parser:"| 'tr' @@"`
		Place      *tinaPlace      `parser:"| 'pl' @@"`
		Label      *tinaLabel      `parser:"| 'lb' @@"`
		Note       []part          `parser:"| 'nt' @((Word | Quote) (Word | Quote) (Word | Quote))"`
		Priority   part            `parser:"| 'pr' @(Word | Quote)"`
	}
	tinaTransition struct {
		Name     part   `parser:"@(Word | Quote)"`
		Label    part   `parser:"( ':' @(Word | Quote) )?"`
		Interval []part `parser:"( @( ('[' | ']') Word ',' Word ('[' | ']') ) )?"`
	}
	tinaPlace struct {
		Name   part `parser:"@(Word | Quote)"`
		Label  part `parser:"( ':' @(Word | Quote) )?"`
		Tokens part `parser:"( '(' @Word ')' )?"`
	}
	tinaLabel struct {
		Node  part `parser:"@(Word | Quote)"`
		Label part `parser:"@(Word | Quote)"`
	}
	// tinaArc is the other node of an arc, with what stands before the weight, and that; or the
	// arrow behind the arcs from others.
	tinaArc struct {
		Arrow  part `parser:"  @'->'"`
		Node   part `parser:"| @(Word | Quote)"`
		Kind   part `parser:"  ( @('*' | '?' | '?-' | '!' | '!-')"`
		Weight part `parser:"    @Word )?"`
	}
)

var (
	tinaDescriptions = parser[tinaDescription]{Make: makeParser[tinaDescription]}
	tinaArcs         = parser[tinaArc]{Make: makeParser[tinaArc]}
	tinaKeywords     = []string{"net", "tr", "pl", "lb", "nt", "pr"}
)

// tinaPiece is how many tokens a description has before its arcs, and tinaArcPiece an arc.
const (
	tinaPiece    = 9
	tinaArcPiece = 3
)

// tinaReader reads a text piece by piece.
type tinaReader struct {
	*window
	*assembly
	description grammar[tinaDescription]
	arc         grammar[tinaArc]
	early       map[string]string // labels of nodes that were not known yet
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
	case strings.ContainsRune("*?!", c):
		return t.weightMark(at)
	case strings.ContainsRune(":()<>[],", c):
		t.next()
		t.token = token{markToken, string(c), at}
	default:
		return t.invalid("")
	}
	return t.failed
}

// weightMark reads what stands before a weight, and right before it.
func (t *tinaReader) weightMark(at position) error {
	mark := string(t.char)
	if t.next(); t.char == '-' && mark != "*" {
		mark += "-"
		t.next()
	}
	if t.token = (token{markToken, mark, at}); !unicode.IsDigit(t.char) {
		return t.unexpected(t.token, "a weight right behind it")
	}
	return t.failed
}

// isTinaWord reports whether c may be part of a name without braces.
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

// withoutEscapes returns a text without the backslashes before characters.
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

// readLine reads a description.
func (t *tinaReader) readLine() error {
	d, err := t.description.parse(t.window, tinaPiece)
	if err != nil {
		return err
	}
	switch {
	case d.Transition != nil:
		return t.readTransition(d.Transition)
	case d.Place != nil:
		return t.readPlace(d.Place)
	case given(d.Priority):
		return t.wrong(t.at(d.Priority).at, "priority between transitions, expected none: priorities cannot be honoured")
	case given(d.Net):
		t.id = t.at(d.Net).text
	case d.Label != nil:
		id, label := t.at(d.Label.Node).text, t.at(d.Label.Label).text
		if !t.label(id, label, false) {
			if err := t.limit.ask(len(id) + len(label) + nodeBytes); err != nil {
				return err
			}
			if t.early == nil {
				t.early = make(map[string]string)
			}
			t.early[id] = label
		}
	} // a note says nothing of the net
	return t.endLine()
}

// label gives a node a label, unless it has one and keeps it, and reports whether there is such
// a node. The label of no node is let pass.
func (t *tinaReader) label(id, label string, keep bool) bool {
	var name *string
	if p, known := t.placeOf[id]; known {
		name = &t.places[p].name
	} else if u, known := t.transitOf[id]; known {
		name = &t.transitions[u].name
	} else {
		return false
	}
	if !keep || *name == "" {
		*name = label
	}
	return true
}

// endLine goes past the end of a line, which comes next.
func (t *tinaReader) endLine() error {
	next, err := t.peek()
	if err == nil && next.kind != endToken {
		err = t.unexpected(next, "the end of the line")
	}
	t.used = len(t.tokens)
	return err
}

// readTransition reads a line "tr": arcs before the arrow come from places, those behind it lead
// to places.
func (t *tinaReader) readTransition(d *tinaTransition) error {
	name := t.at(d.Name)
	number := t.transition(name.text, name.at)
	t.setLabel(&t.transitions[number].name, d.Label)
	if err := t.checkInterval(name.text, d.Interval); err != nil {
		return err
	}
	return t.readArcs(consumes, produces, func(node token) (place, transition int) {
		return t.place(node.text, node.at), number
	})
}

// setLabel makes a label the name of a node, if there is one.
func (t *tinaReader) setLabel(name *string, label part) {
	if given(label) {
		*name = t.at(label).text
	}
}

// checkInterval checks that the interval of a transition, if it has any, is that of one without
// time.
func (t *tinaReader) checkInterval(transition string, interval []part) error {
	var b strings.Builder
	for _, p := range interval { // such as [ 0 , w [
		b.WriteString(t.at(p).text)
	}
	if b.Len() > 0 && b.String() != "[0,w[" {
		return t.wrong(t.at(interval[0]).at, "transition %q has the interval %s, expected [0,w[ or none: time cannot be honoured", transition, b.String())
	}
	return nil
}

// readPlace reads a line "pl", which has arcs as a line "tr" has, seen from the place: those
// before the arrow come from transitions. Tokens must be below 2^63.
func (t *tinaReader) readPlace(d *tinaPlace) error {
	name := t.at(d.Name)
	number := t.place(name.text, name.at)
	t.setLabel(&t.places[number].name, d.Label)
	if given(d.Tokens) {
		count := t.at(d.Tokens)
		n, ok := tinaNumber(count.text)
		if !ok {
			return t.wrong(count.at, "marking %q, expected a number below 2^63", count.text)
		}
		t.places[number].tokens = n
	}
	return t.readArcs(produces, consumes, func(node token) (place, transition int) {
		return number, t.transition(node.text, node.at)
	})
}

// readArcs reads the arcs of a node up to the end of the line: those from others, which stand before
// the arrow, and those into others. They are of sort from and of sort into. ends returns what an arc
// with this other node connects.
func (t *tinaReader) readArcs(from, into arcSort, ends func(node token) (place, transition int)) error {
	some, behind := false, false // there were arcs, and the arrow
	for {
		next, err := t.peek()
		if err != nil {
			return err
		}
		if next.kind == endToken {
			if some && !behind {
				return t.unexpected(next, `"->"`)
			}
			return t.endLine()
		}
		a, err := t.arc.parse(t.window, tinaArcPiece)
		switch {
		case err != nil:
		case given(a.Arrow) && behind:
			err = t.unexpected(next, "a name")
		case given(a.Arrow):
			behind = true
		default:
			sort := from
			if behind {
				sort = into
			}
			some = true
			place, transition := ends(next)
			err = t.connect(a, place, transition, sort)
		}
		if err != nil {
			return err
		}
	}
}

// connect takes in an arc of that sort, unless what stands before its weight says another.
//
// For example, p*2 takes two tokens from p, p?2 asks for two and leaves them, and p?-2 asks for
// fewer than two. Behind the arrow only p*2 has a meaning.
func (t *tinaReader) connect(a *tinaArc, place, transition int, sort arcSort) error {
	node, kind, weight := t.at(a.Node), "", int64(1)
	if given(a.Kind) {
		kind = t.at(a.Kind).text
		var ok bool
		if weight, ok = tinaNumber(t.at(a.Weight).text); !ok {
			return t.wrong(node.at, "weight %q of an arc, expected a number below 2^63", t.at(a.Weight).text)
		}
	}
	switch kind {
	case "", "*":
	case "!", "!-":
		return t.wrong(node.at, "stopwatch arc between %q and %q, expected *, ? or ?- before the weight: time cannot be honoured",
			t.places[place].id, t.transitions[transition].id)
	default:
		if sort == produces {
			return t.wrong(node.at, "%s at an arc from %q to %q, expected * before the weight", kind, t.transitions[transition].id, t.places[place].id)
		}
		if sort = reads; kind == "?-" {
			sort = inhibits
		}
	}
	if weight == 0 {
		if sort == inhibits {
			return t.wrong(node.at, "inhibitor arc of weight 0 between %q and %q, expected a larger one", t.places[place].id, t.transitions[transition].id)
		}
		return nil // it asks and moves nothing
	}
	return t.assembly.arc(assembledArc{weight, int32(place), int32(transition), node.at, sort})
}

// tinaNumber reads a number that may end in a power of a thousand: 2K is 2,000. It reports false for
// what is no number below 2^63.
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

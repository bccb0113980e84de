package exchange

import (
	"bufio"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pnmc/petri"
)

// LoLA's format lists the places, the marking, and the transitions with what each consumes and
// produces. (K. Wolf, "Petri Net Model Checking with LoLA 2", 2018; a place may be claimed SAFE,
// which is not believed.)

// ReadLoLA reads a net from LoLA's text; file is its name in messages. An error is an *Error, that
// of r, or the limit's.
func ReadLoLA(r io.Reader, file string, limit Limit) (*petri.Net, error) {
	l := &lolaReader{newScanner(r, file, limit), newAssembly(file, limit)}
	if err := l.read(); err != nil {
		return nil, err
	}
	return l.build()
}

// lolaReader reads
//
//	net        = "PLACE" places+ ["MARKING" [entry {"," entry}] ";"] transition*
//	places     = ["SAFE" [word] ":"] word {"," word} ";"
//	transition = "TRANSITION" word [("STRONG" | "WEAK") "FAIR"] "CONSUME" entries ";" "PRODUCE" entries ";"
//	entries    = [entry {"," entry}]
//	entry      = word [":" word]
type lolaReader struct {
	*scanner
	*assembly
}

// advance goes on to the next token: a word, or one of , ; and :.
func (l *lolaReader) advance() error {
	for {
		at := l.here()
		switch {
		case l.char == end:
			l.token = token{endToken, "", at}
			return l.failed
		case isSpace(l.char):
			l.next()
		case l.char == '{':
			for l.char != end && l.char != '}' {
				l.next()
			}
			if l.char == end {
				return l.wrong(at, "a comment without an end, expected }")
			}
			l.next()
		case strings.ContainsRune(",;:", l.char):
			l.token = token{markToken, string(l.char), at}
			l.next()
			return l.failed
		case isLolaWord(l.char):
			text, err := l.take(isLolaWord)
			if err != nil || !strings.HasPrefix(text, "//") {
				l.token = token{wordToken, text, at}
				return err
			}
			for l.char != end && l.char != '\n' { // a comment
				l.next()
			}
		default:
			return l.invalid("")
		}
	}
}

func isSpace(c rune) bool { return c == ' ' || c >= '\t' && c <= '\r' && c != '\v' }

func isLolaWord(c rune) bool { return !isSpace(c) && !strings.ContainsRune(",;:(){}", c) }

// is reports whether the present token is this word or mark.
func (l *lolaReader) is(text string) bool { return l.token.kind != endToken && l.token.text == text }

// expect goes past this word or mark.
func (l *lolaReader) expect(text string) error {
	if !l.is(text) {
		return l.unexpected(strconv.Quote(text))
	}
	return l.advance()
}

// word goes past a word, and returns it.
func (l *lolaReader) word() (token, error) {
	if l.token.kind != wordToken {
		return token{}, l.unexpected("a word")
	}
	word := l.token
	return word, l.advance()
}

func (l *lolaReader) read() error {
	if err := l.advance(); err != nil {
		return err
	}
	if err := l.expect("PLACE"); err != nil {
		return err
	}
	for first := true; first || l.token.kind != endToken && !l.is("MARKING") && !l.is("TRANSITION"); first = false {
		if err := l.places(); err != nil {
			return err
		}
	}
	if l.is("MARKING") {
		if err := l.entries("MARKING", l.mark); err != nil {
			return err
		}
	}
	for l.is("TRANSITION") {
		if err := l.transition(); err != nil {
			return err
		}
	}
	if l.token.kind != endToken {
		return l.unexpected(`"TRANSITION"`)
	}
	return l.failed
}

// places reads places that have a claim in common, or none.
func (l *lolaReader) places() error {
	if l.is("MARKING") || l.is("TRANSITION") {
		return l.unexpected("a place")
	}
	name, err := l.word()
	if err == nil && name.text == "SAFE" && !l.is(",") && !l.is(";") { // which is not believed
		if l.token.kind == wordToken {
			err = l.advance()
		}
		if err == nil {
			err = l.expect(":")
		}
		if err == nil {
			name, err = l.word()
		}
	}
	for err == nil {
		if _, known := l.assembly.placeOf[name.text]; known {
			return l.wrong(name.at, "second place %q, expected another identifier", name.text)
		}
		l.place(name.text, name.at)
		if !l.is(",") {
			return l.expect(";")
		}
		if err = l.advance(); err == nil {
			name, err = l.word()
		}
	}
	return err
}

// entries reads what stands behind a word: places with counts, up to a semicolon.
func (l *lolaReader) entries(behind string, use func(place int, count int64, name token) error) error {
	if err := l.expect(behind); err != nil {
		return err
	}
	for first := true; !first || !l.is(";"); first = false {
		place, count, name, err := l.entry()
		if err == nil {
			err = use(place, count, name)
		}
		if err != nil {
			return err
		}
		if !l.is(",") {
			break
		}
		if err := l.advance(); err != nil {
			return err
		}
	}
	return l.expect(";")
}

// entry is a known place and a count, 1 if there is none.
func (l *lolaReader) entry() (place int, count int64, name token, err error) {
	if name, err = l.word(); err != nil {
		return 0, 0, name, err
	}
	number := token{text: "1"}
	if l.is(":") {
		if err = l.advance(); err == nil {
			number, err = l.word()
		}
		if err != nil {
			return 0, 0, name, err
		}
	}
	place, known := l.placeOf[name.text]
	if !known {
		return 0, 0, name, l.wrong(name.at, "%q is no place, expected one of the list", name.text)
	}
	if count, err = strconv.ParseInt(number.text, 10, 64); err != nil || count < 0 {
		return 0, 0, name, l.wrong(name.at, "%q behind %q, expected a number below 2^63", number.text, name.text)
	}
	return place, count, name, nil
}

// mark adds tokens to a place.
func (l *lolaReader) mark(place int, count int64, name token) error {
	p := &l.assembly.places[place]
	if p.tokens += count; p.tokens < 0 {
		return l.wrong(name.at, "marking of %q, expected less than 2^63", name.text)
	}
	return nil
}

func (l *lolaReader) transition() error {
	if err := l.expect("TRANSITION"); err != nil {
		return err
	}
	name, err := l.word()
	if err != nil {
		return err
	}
	if _, known := l.transitOf[name.text]; known {
		return l.wrong(name.at, "second transition %q, expected another identifier", name.text)
	}
	if l.is("STRONG") || l.is("WEAK") {
		return l.wrong(name.at, "transition %q is %s FAIR, expected neither: fairness cannot be honoured", name.text, l.token.text)
	}
	number := l.assembly.transition(name.text, name.at)
	arcs := func(sort arcSort) func(int, int64, token) error {
		return func(place int, weight int64, name token) error {
			if weight == 0 {
				return nil // it moves nothing
			}
			return l.arc(assembledArc{weight, int32(place), int32(number), name.at, sort})
		}
	}
	if err := l.entries("CONSUME", arcs(consumes)); err != nil {
		return err
	}
	return l.entries("PRODUCE", arcs(produces))
}

// lolaWord is what an identifier must be, and lolaKeywords what it must not be.
var (
	lolaWord     = regexp.MustCompile(`^[^,;:()\s{}]+$`)
	lolaKeywords = []string{"PLACE", "MARKING", "TRANSITION", "CONSUME", "PRODUCE", "SAFE", "STRONG", "WEAK", "FAIR", "NUMBER"}
)

// WriteLoLA writes net in LoLA's format, with identifiers and no names. The error is that of w, or names
// a node of which the format cannot say all.
func WriteLoLA(w io.Writer, net *petri.Net) error {
	if err := writableInLoLA(net); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	list := func(head string, arcs []petri.Arc) {
		out.WriteString(head)
		for i, a := range arcs {
			if i > 0 {
				out.WriteByte(',')
			}
			out.WriteString(" " + net.PlaceLabel(a.Place).ID + " : " + strconv.FormatInt(a.Weight, 10))
		}
		out.WriteString(";\n")
	}
	out.WriteString("PLACE")
	var marking []petri.Arc
	for p := range petri.Place(net.Places()) {
		if p > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n  " + net.PlaceLabel(p).ID)
		if n := net.InitialTokens(p); n > 0 {
			marking = append(marking, petri.Arc{Place: p, Weight: n})
		}
	}
	out.WriteString(";\n")
	list("MARKING", marking)
	for t := range petri.Transition(net.Transitions()) {
		out.WriteString("TRANSITION " + net.TransitionLabel(t).ID + "\n")
		list("  CONSUME", net.Pre(t))
		list("  PRODUCE", net.Post(t))
	}
	return out.Flush()
}

// writableInLoLA is an error that names a node of which the format cannot say all.
func writableInLoLA(net *petri.Net) error {
	const format = "LoLA's format"
	fits := func(kind string, l petri.Label) error {
		if !lolaWord.MatchString(l.ID) || slices.Contains(lolaKeywords, l.ID) || strings.HasPrefix(l.ID, "//") {
			return cannotSay(kind, l, format, "its identifier")
		}
		return nil
	}
	if net.Places() == 0 {
		return cannotSay("net", petri.Label{ID: net.ID}, format, "that there is no place")
	}
	for p := range petri.Place(net.Places()) {
		if err := fits("place", net.PlaceLabel(p)); err != nil {
			return err
		}
		if net.Capacity(p) != petri.Unbounded {
			return cannotSay("place", net.PlaceLabel(p), format, "its capacity %d", net.Capacity(p))
		}
	}
	for t := range petri.Transition(net.Transitions()) {
		label := net.TransitionLabel(t)
		if err := fits("transition", label); err != nil {
			return err
		}
		if arcs := net.Inhibitors(t); len(arcs) > 0 {
			return cannotSay("transition", label, format, "its inhibitor arc from %q", net.PlaceLabel(arcs[0].Place).ID)
		}
		if resets := net.Resets(t); len(resets) > 0 {
			return cannotSay("transition", label, format, "its reset arc from %q", net.PlaceLabel(resets[0]).ID)
		}
	}
	return nil
}

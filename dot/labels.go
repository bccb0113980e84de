package dot

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"pnmc/internal/bitset"
)

const (
	// nestingBound bounds the parentheses of a label.
	nestingBound = 1000
	// setsBound is beyond what a drawing can have, and keeps the marks of an edge small.
	setsBound = 1 << 10
	// noLabel is the label of an edge without one.
	noLabel = -1
)

// labels are the texts of edges, each held once: a drawing repeats them often. The
// propositions become known as first valuations are read, which name all of them.
//
// A drawing of a million edges often has a hundred labels. Each edge keeps the number of its
// label, four bytes, and each label is parsed once.
type labels struct {
	numbered
	propositions
}

// numbered are texts, each held once, by numbers as they come.
type numbered struct {
	numbers map[string]int32
	texts   []string
}

func newNumbered() numbered { return numbered{numbers: map[string]int32{}} }

// number returns that of a text.
func (l *numbered) number(text string) int32 {
	n, ok := l.numbers[text]
	if !ok {
		n = int32(len(l.texts))
		text = strings.Clone(text) // of a line that need not be kept
		l.numbers[text] = n
		l.texts = append(l.texts, text)
	}
	return n
}

// propositions are numbered as they come.
type propositions struct {
	names  []string
	byName map[string]int
}

func newLabels() *labels {
	return &labels{numbered: newNumbered(), propositions: propositions{byName: map[string]int{}}}
}

// parts returns what a label says of valuations or changes and, on its next line, of
// acceptance sets.
func (l *labels) parts(label int32) (letter, sets string, hasSets bool) {
	if label == noLabel {
		return "", "", false
	}
	letter, sets, hasSets = strings.Cut(l.texts[label], "\n")
	return strings.TrimSpace(letter), strings.TrimSpace(sets), hasSets
}

// proposition returns the number of a proposition, a new one if known is false.
func (p *propositions) proposition(name string, known bool) (int, error) {
	n, ok := p.byName[name]
	switch {
	case ok:
		return n, nil
	case known:
		return 0, fmt.Errorf("proposition %s changes, but no initial valuation names it", operand(name))
	case len(p.names) == propositionsBound:
		return 0, fmt.Errorf("more than %d propositions", propositionsBound)
	}
	n = len(p.names)
	p.byName[name] = n
	p.names = append(p.names, name)
	return n, nil
}

// named reads the name of a proposition, and returns its number as proposition does. ok is false if
// no name comes next.
func (p *propositions) named(w *words, known bool) (n int, ok bool, err error) {
	name, ok := w.name()
	if ok {
		n, err = p.proposition(name, known)
	}
	return n, ok, err
}

// parseSets reads acceptance sets as {0,1}, and {} or nothing for none. Spot writes
// them in ascending order.
func parseSets(text string) (sets []int, err error) {
	if text == "" {
		return nil, nil
	}
	inside, opened := strings.CutPrefix(text, "{")
	inside, closed := strings.CutSuffix(inside, "}")
	if !opened || !closed {
		return nil, fmt.Errorf("expected acceptance sets such as {0,1}, found %q", text)
	}
	if strings.TrimSpace(inside) == "" {
		return nil, nil
	}
	for word := range strings.SplitSeq(inside, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		switch {
		case err != nil || n < 0 || n >= setsBound:
			return nil, fmt.Errorf("expected the number of an acceptance set, found %q", word)
		case len(sets) > 0 && n <= sets[len(sets)-1]:
			return nil, fmt.Errorf("expected acceptance sets in ascending order, found %q", text)
		}
		sets = append(sets, n)
	}
	return sets, nil
}

// parseChanges reads a set of propositions that change, as {a, "b c"}.
func (p *propositions) parseChanges(text string) ([]int, error) {
	w := words{rest: text}
	expected := fmt.Errorf("expected a changeset such as {a, b}, found %q", text)
	if !w.accept("{") {
		return nil, expected
	}
	var changes []int
	in := make([]uint64, bitset.WordsFor(len(p.names)))
	for !w.accept("}") {
		if len(changes) > 0 && !w.accept(",") {
			return nil, expected
		}
		n, ok, err := p.named(&w, true)
		switch {
		case err != nil:
			return nil, err
		case !ok:
			return nil, expected
		case bitset.Has(in, n):
			return nil, fmt.Errorf("proposition %s is twice in the changeset %s", operand(p.names[n]), text)
		}
		bitset.Add(in, n)
		changes = append(changes, n)
	}
	if !w.atEnd() {
		return nil, expected
	}
	return changes, nil
}

// formula is a Boolean formula of propositions.
type formula struct {
	operator    byte // one of '|' '&' '!', 'p' for a proposition, '0', '1'
	proposition int
	operands    []*formula
}

// parseFormula reads a formula as Spot prints it, in ASCII or with mathematical
// symbols. Its precedence, falling: ! & |. An overline behind a proposition negates it.
func (p *propositions) parseFormula(text string) (*formula, error) {
	if strings.Count(text, "(") > nestingBound {
		return nil, fmt.Errorf("a label with more than %d parentheses", nestingBound)
	}
	w := words{rest: text}
	f, err := p.disjunction(&w)
	if err == nil && (f == nil || !w.atEnd()) {
		err = fmt.Errorf("expected a formula of propositions, found %q", text)
	}
	return f, err
}

// disjunction reads a disjunction. It and those below return nil, without an error, where the text is
// no formula.
func (p *propositions) disjunction(w *words) (*formula, error) {
	return p.chain(w, '|', p.conjunction, "||", "|", "∨")
}

// conjunction reads literals with signs for "and" between them.
func (p *propositions) conjunction(w *words) (*formula, error) {
	return p.chain(w, '&', p.literal, "&&", "&", "∧")
}

// chain reads operands with an operator between them, in any of its spellings. One operand alone
// is returned as it is.
func (p *propositions) chain(w *words, operator byte, operand func(*words) (*formula, error), spellings ...string) (*formula, error) {
	f, err := operand(w)
	if f == nil || err != nil || !w.accept(spellings...) {
		return f, err
	}
	all := &formula{operator: operator, operands: []*formula{f}}
	for again := true; again; again = w.accept(spellings...) {
		if f, err = operand(w); f == nil || err != nil {
			return nil, err
		}
		all.operands = append(all.operands, f)
	}
	return all, nil
}

// literal reads a proposition, a constant or a formula in parentheses, with any number of
// negations before it. An overline behind a proposition negates it too.
func (p *propositions) literal(w *words) (f *formula, err error) {
	negated := false
	for w.accept("!", "¬") {
		negated = !negated
	}
	switch {
	case w.accept("("):
		if f, err = p.disjunction(w); f == nil || err != nil || !w.accept(")") {
			return nil, err
		}
	case w.accept("0"):
		f = &formula{operator: '0'}
	case w.accept("1"):
		f = &formula{operator: '1'}
	default:
		n, ok, err := p.named(w, false)
		if !ok || err != nil {
			return nil, err
		}
		f = &formula{operator: 'p', proposition: n}
		negated = negated != w.accept(overline)
	}
	if negated {
		f = &formula{operator: '!', operands: []*formula{f}}
	}
	return f, nil
}

// overline goes over the character before it.
const overline = "\u0305"

// words are what is left of a label.
type words struct{ rest string }

func (w *words) skipBlanks() { w.rest = strings.TrimLeft(w.rest, " \t\n") }

// atEnd reports whether only blanks are left, and skips them.
func (w *words) atEnd() bool {
	w.skipBlanks()
	return w.rest == ""
}

// accept takes the first of these spellings that comes next, and reports whether there
// was one.
func (w *words) accept(spellings ...string) bool {
	w.skipBlanks()
	for _, s := range spellings {
		if rest, ok := strings.CutPrefix(w.rest, s); ok {
			w.rest = rest
			return true
		}
	}
	return false
}

// name takes a proposition, in quotes or not.
func (w *words) name() (string, bool) {
	w.skipBlanks()
	if strings.HasPrefix(w.rest, `"`) {
		return w.quoted()
	}
	length := 0
	for i, c := range w.rest {
		if c != '_' && c != '.' && !unicode.IsLetter(c) && (i == 0 || !unicode.IsNumber(c)) {
			break
		}
		length = i + utf8.RuneLen(c)
	}
	name := w.rest[:length]
	w.rest = w.rest[length:]
	return name, length > 0
}

// quoted reads a name in quotes. The opening quote is the next character. Behind a backslash n is
// a new line, and any other character itself. It reports false if the second quote is missing.
func (w *words) quoted() (string, bool) {
	var b strings.Builder
	for i := 1; i < len(w.rest); i++ {
		switch c := w.rest[i]; {
		case c == '"':
			w.rest = w.rest[i+1:]
			return b.String(), true
		case c == '\\' && i+1 < len(w.rest):
			i++
			if c = w.rest[i]; c == 'n' {
				c = '\n'
			}
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}

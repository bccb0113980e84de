package hoa

import (
	"fmt"

	"pnmc/automata"
	"pnmc/internal/longtoken"
)

const (
	// labelsKept is how many labels of one automaton are remembered by their
	// text, since files repeat few labels often.
	labelsKept = 1 << 14
	// labelTextKept is the longest text that is remembered, labelCubesKept the
	// most cubes, which bounds the memory for them.
	labelTextKept  = 1 << 10
	labelCubesKept = 64
	// labelTokenBytes is what a token of a label takes until the label is evaluated.
	labelTokenBytes = 80
)

// labelReader reads the labels of one automaton's body.
type labelReader struct {
	labels
	known map[string]automata.Label

	tokens    []labelToken
	text      []byte // the tokens with blanks between them
	parsing   []labelToken
	postfix   []instruction
	at        int // in parsing
	nesting   int
	problem   string
	problemAt Position
}

// labelToken is a token between [ and ].
type labelToken struct {
	instruction      // of an operand
	symbol      byte // ( ) & | !, or 0 for an operand
	position    Position
}

// start prepares for the labels of another automaton.
func (l *labelReader) start(h *header) {
	l.propositions, l.numbers = len(h.propositions), h.numbers
	l.aliases, l.byName, l.functions, l.evaluated = l.aliases[:0], nil, nil, 0
	if l.known == nil {
		l.known = make(map[string]automata.Label)
	}
	clear(l.known)
}

// readLabel reads a label from its '[', which is the current token, to past its
// ']'. When the label is malformed it reports that and returns false, standing
// behind the ']' if there is one.
//
// The tokens are collected first, with their text. If a label with this text was read before, its
// cubes are taken again; edges share them then. Else the tokens are parsed to postfix form, and that
// is evaluated (expression.go).
func (r *Reader) readLabel() (automata.Label, bool) {
	l := &r.labels
	open := r.position
	l.tokens, l.text = l.tokens[:0], l.text[:0]
	good := true
	for {
		r.next()
		if r.kind == tokenSymbol && r.text[0] == ']' {
			break
		}
		t := labelToken{position: r.position}
		switch {
		case r.kind == tokenEnd, r.kind == tokenHeader, r.kind >= tokenBody && r.kind <= tokenAbort:
			r.report(open, "label without closing ']'")
			return nil, false
		case !good:
			continue // to the ']'
		case r.kind == tokenInvalid:
			r.report(r.position, "in a label: %s", r.problem)
			good = false
			continue
		default:
			good = r.labelToken(&t)
		}
		if len(l.tokens) == cap(l.tokens) && !r.copied(nil, labelTokenBytes*len(l.tokens)) || !r.copied(l.text, len(r.text)+1) {
			r.body.full = true
			return nil, false
		}
		l.tokens = append(l.tokens, t)
		l.text = append(append(l.text, r.text...), ' ')
	}
	end := r.position
	r.next()
	if !good {
		return nil, false
	}
	if known, ok := l.known[string(l.text)]; ok {
		return known, true
	}
	expression, ok := r.parseLabel(end)
	if !ok {
		return nil, false
	}
	label, err := l.evaluate(expression)
	if err != nil && err != errLabelTooLarge {
		r.stop(err)
		r.body.full = true
		return nil, false
	}
	if err != nil {
		r.report(open, "%v", err)
		return nil, false
	}
	if len(l.text) <= labelTextKept && len(label) <= labelCubesKept {
		if len(l.known) >= labelsKept {
			clear(l.known)
		}
		l.known[string(l.text)] = label
	}
	return label, true
}

// labelToken makes t of the current token, or reports that it is none of a
// label.
func (r *Reader) labelToken(t *labelToken) bool {
	switch r.kind {
	case tokenInteger:
		if r.value >= len(r.labels.numbers) {
			r.report(r.position, "proposition %d, but the automaton has %d", r.value, len(r.labels.numbers))
			return false
		}
		t.instruction = instruction{pushProposition, int32(r.value)}
		return true
	case tokenAlias:
		i, ok := r.labels.byName[string(r.text)]
		if !ok {
			r.report(r.position, "unknown alias %s", longtoken.Shorten(string(r.text)))
			return false
		}
		t.instruction = instruction{pushAlias, i}
		return true
	case tokenIdentifier:
		if string(r.text) == "t" {
			t.instruction = instruction{operator: pushTrue}
			return true
		}
		if string(r.text) == "f" {
			t.instruction = instruction{operator: pushFalse}
			return true
		}
	case tokenSymbol:
		switch t.symbol = r.text[0]; t.symbol {
		case '(', ')', '&', '|', '!':
			return true
		}
	}
	r.report(r.position, "unexpected %s in a label", r.describe())
	return false
}

// parseLabel brings the tokens of a label to postfix form; end is where the ']'
// is.
func (r *Reader) parseLabel(end Position) ([]instruction, bool) {
	l := &r.labels
	l.parsing, l.postfix, l.at, l.nesting, l.problem = l.tokens, l.postfix[:0], 0, 0, ""
	l.problemAt = end
	l.disjunction()
	if l.problem == "" && l.at < len(l.parsing) {
		l.fail("expected '&', '|' or ']'")
	}
	if l.problem != "" {
		r.report(l.problemAt, "in a label: %s", l.problem)
		return nil, false
	}
	return l.postfix, true
}

// fail notes the first problem, where the parser stands.
func (l *labelReader) fail(format string, arguments ...any) {
	if l.problem != "" {
		return
	}
	l.problem = fmt.Sprintf(format, arguments...)
	if l.at < len(l.parsing) {
		l.problemAt = l.parsing[l.at].position
	}
}

// symbol goes past the given symbol, and reports whether it was next.
func (l *labelReader) symbol(c byte) bool {
	if l.at < len(l.parsing) && l.parsing[l.at].symbol == c {
		l.at++
		return true
	}
	return false
}

// disjunction parses conjunctions with | between them, and appends their postfix form. It ends at
// the first problem.
func (l *labelReader) disjunction() {
	l.conjunction()
	for l.problem == "" && l.symbol('|') {
		l.conjunction()
		l.postfix = append(l.postfix, instruction{operator: applyOr})
	}
}

// conjunction parses atoms with & between them, likewise.
func (l *labelReader) conjunction() {
	l.atom()
	for l.problem == "" && l.symbol('&') {
		l.atom()
		l.postfix = append(l.postfix, instruction{operator: applyAnd})
	}
}

// atom parses an atom, and appends its postfix form. The depth of parentheses is counted, as this
// recursion has no other bound.
func (l *labelReader) atom() {
	negations := 0
	for l.symbol('!') {
		negations++
	}
	switch {
	case l.symbol('('):
		if l.nesting++; l.nesting > nestingBound {
			l.fail("parentheses nested deeper than %d", nestingBound)
			return
		}
		l.disjunction()
		l.nesting--
		if !l.symbol(')') {
			l.fail("expected ')'")
		}
	case l.at < len(l.parsing) && l.parsing[l.at].symbol == 0:
		l.postfix = append(l.postfix, l.parsing[l.at].instruction)
		l.at++
	default:
		l.fail("expected a proposition's number, an alias, 't', 'f', '!' or '('")
	}
	if negations%2 == 1 {
		l.postfix = append(l.postfix, instruction{operator: applyNot})
	}
}

package hoa

import (
	"encoding/binary"
	"errors"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"pnmc/automata"
)

const (
	// itemTokens bounds the memory for the tokens of one header.
	itemTokens = 1 << 20
	// itemsKept is how many headers are remembered, since the automata of a
	// stream have most of them in common; itemTextKept is the longest.
	itemsKept    = 1 << 10
	itemTextKept = 1 << 12
	// setsBound and propositionsBound are beyond what any automaton has, and
	// keep the marks and cubes of a single edge small.
	setsBound         = 1 << 20
	propositionsBound = 1 << 20
)

// header is what the headers of one automaton say.
type header struct {
	at           Position // of "HOA:"
	name         string
	states       int // -1 when not given
	statesAt     Position
	start        []start
	propositions []string
	acceptance   automata.Acceptance
	kind         automata.Kind
	properties   []property

	given   map[string]Position // the headers that may be there once
	accName *accNameItem
	accAt   Position
	aliases []aliasDefinition
	numbers []int // of the file's propositions in propositions
}

// start is an initial state.
type start struct {
	state int
	at    Position
}

// aliasDefinition is an alias that is defined when all headers were read.
type aliasDefinition struct {
	item *aliasItem
	at   Position
}

// property is one word of "properties:", without its '!'.
type property struct {
	name    string
	negated bool
	at      Position
}

// readHeader reads the headers from "HOA:", which is the current token, to
// past --BODY--. It returns false where the current token is another one, not
// reported yet.
func (r *Reader) readHeader() bool {
	r.header = header{at: r.position, states: -1, given: make(map[string]Position)}
	for first := true; r.kind == tokenHeader; first = false {
		if !first && string(r.text) == "HOA:" {
			return false
		}
		item := r.readItem()
		if item != nil {
			r.use(item)
		}
	}
	if r.kind != tokenBody {
		return false
	}
	r.finishHeader()
	return true
}

// readItem reads a header and its values up to the token after them. It returns
// nil after it reported an error.
//
// Positions within an item are relative to its name, which is at r.base, so that
// an item that was seen before needs no parsing, wherever it stood.
func (r *Reader) readItem() *headerItem {
	tokens, text := r.itemTokens[:0], r.itemText[:0]
	nesting, good := 0, true
	r.base = r.position
	for {
		if len(tokens) > 0 && (r.kind == tokenHeader || r.kind == tokenEnd || r.kind >= tokenBody && r.kind <= tokenAbort) {
			break
		}
		t := itemToken{kind: r.grammarKind(), line: r.position.Line - r.base.Line, column: r.position.Column}
		if t.line == 0 {
			t.column -= r.base.Column
		}
		switch {
		case !good:
		case r.kind == tokenInvalid:
			r.report(r.position, "%s", r.problem)
			good = false
		case len(tokens) == itemTokens:
			r.report(r.position, "a header of more than %d words", itemTokens)
			good = false
		case r.kind == tokenSymbol && r.text[0] == '(':
			nesting++
		case r.kind == tokenSymbol && r.text[0] == ')':
			nesting--
		}
		if nesting > nestingBound {
			r.report(r.position, "parentheses nested deeper than %d", nestingBound)
			nesting, good = 0, false
		}
		if good || len(tokens) == 0 {
			// The text is a key, too: it says all that the tokens do.
			text = binary.LittleEndian.AppendUint32(text, uint32(t.line))
			text = binary.LittleEndian.AppendUint32(text, uint32(t.column))
			text = binary.LittleEndian.AppendUint32(text, uint32(len(r.text)))
			t.begin = len(text)
			text = append(text, r.text...)
			t.end = len(text)
			tokens = append(tokens, t)
		}
		r.next()
	}
	r.itemTokens, r.itemText = tokens, text
	if good {
		if item := r.knownItem(); item != nil {
			return item
		}
	}
	// It is there, even so.
	r.header.given[string(text[tokens[0].begin:tokens[0].end])] = r.base
	return nil
}

// itemToken is a token of a header; its text is r.itemText[begin:end].
type itemToken struct {
	kind         lexer.TokenType
	line, column int // relative to the item
	begin, end   int
}

// knownItem is the item of r.itemTokens, parsed unless it is remembered.
func (r *Reader) knownItem() *headerItem {
	if item := r.items[string(r.itemText)]; item != nil {
		return item
	}
	item := r.parseItem()
	if item == nil || len(r.itemText) > itemTextKept {
		return item
	}
	if r.items == nil || len(r.items) >= itemsKept {
		r.items = make(map[string]*headerItem)
	}
	r.items[string(r.itemText)] = item
	return item
}

// parseItem runs the grammar over r.itemTokens.
func (r *Reader) parseItem() *headerItem {
	tokens := make([]lexer.Token, 0, len(r.itemTokens)+1)
	for _, t := range r.itemTokens {
		tokens = append(tokens, lexer.Token{Type: t.kind, Value: string(r.itemText[t.begin:t.end]),
			Pos: lexer.Position{Line: t.line, Column: t.column}})
	}
	end := lexer.Position{Line: r.position.Line - r.base.Line, Column: r.position.Column}
	if end.Line == 0 {
		end.Column -= r.base.Column
	}
	tokens = append(tokens, lexer.EOFToken(end))
	peeking, err := lexer.Upgrade(&headerTokens{tokens})
	if err != nil {
		r.report(r.base, "%v", err)
		return nil
	}
	item, err := headerParser.ParseFromLexer(peeking)
	if err == nil {
		return item
	}
	at, message := tokens[0].Pos, err.Error()
	var syntax participle.Error
	if errors.As(err, &syntax) {
		at, message = syntax.Position(), syntax.Message()
	}
	r.report(r.place(at), "header %s %s", tokens[0].Value, grammarTerms.Replace(message))
	return nil
}

// grammarTerms turns the names of the grammar into those of the format.
var grammarTerms = strings.NewReplacer(`unexpected token "<EOF>"`, "it ends too early",
	"AcceptanceDisjunction", "an acceptance condition", "AcceptanceConjunction", "an acceptance condition",
	"AcceptanceAtom", "Inf, Fin, t, f or '('", "LabelDisjunction", "a label expression",
	"LabelConjunction", "a label expression", "<integer>", "an integer", "<string>", "a string",
	"<identifier>", "an identifier", "<alias>", "an alias", "(expected LabelAtom)", "(expected a label expression)")

// grammarKind is the type that the current token has in the grammar.
func (r *Reader) grammarKind() lexer.TokenType {
	switch r.kind {
	case tokenHeader:
		if knownHeaders[string(r.text)] {
			return grammarKnownHeader
		}
		return grammarOtherHeader
	case tokenIdentifier:
		return grammarIdentifier
	case tokenString:
		return grammarString
	case tokenInteger:
		return grammarInteger
	case tokenAlias:
		return grammarAlias
	}
	return grammarSymbol
}

// place is a position in the item at r.base.
func (r *Reader) place(p lexer.Position) Position {
	if p.Line == 0 {
		return Position{r.base.Line, r.base.Column + p.Column}
	}
	return Position{r.base.Line + p.Line, p.Column}
}

// once notes a header that may be given once, and reports a second one.
func (r *Reader) once(name string, at Position) bool {
	if before, ok := r.header.given[name]; ok {
		r.report(at, "a second header %s, the first one being at %d:%d", name, before.Line, before.Column)
		return false
	}
	r.header.given[name] = at
	return true
}

// use takes over what an item says.
func (r *Reader) use(item *headerItem) {
	h, at := &r.header, r.base
	switch {
	case item.Version != nil:
		if v := *item.Version; v != "v1" && !(strings.HasPrefix(v, "v1") && (v[2] < '0' || v[2] > '9')) {
			r.report(at, "version %s of the format, expected v1 or v1.1", v)
		}
	case item.States != nil:
		if r.once("States:", at) {
			h.states, h.statesAt = *item.States, at
		}
	case item.Start != nil:
		if len(item.Start) > 1 {
			r.report(at, "universal branching is not supported: a conjunction of initial states")
			return
		}
		h.start = append(h.start, start{item.Start[0], at})
	case item.Propositions != nil:
		if r.once("AP:", at) {
			r.usePropositions(item.Propositions, at)
		}
	case item.Alias != nil:
		h.aliases = append(h.aliases, aliasDefinition{item.Alias, at})
	case item.Acceptance != nil:
		if r.once("Acceptance:", at) {
			r.useAcceptance(item.Acceptance, at)
		}
	case item.AccName != nil:
		if r.once("acc-name:", at) {
			h.accName, h.accAt = item.AccName, at
		}
	case item.Tool != nil:
		r.once("tool:", at)
	case item.Name != nil:
		if r.once("name:", at) {
			h.name = unquote([]byte(*item.Name))
		}
	case item.Properties != nil:
		for _, p := range item.Properties.Names {
			h.properties = append(h.properties, property{p.Name, p.Negated, r.place(p.Pos)})
		}
	case item.Testing != nil:
		if r.once(testingHeader, at) {
			r.useTesting(*item.Testing, at)
		}
	case item.Other != nil:
		if c := item.Other.Name[0]; c >= 'A' && c <= 'Z' {
			r.report(at, "unknown header %s, whose capital letter says that it must not be ignored", item.Other.Name)
		}
	}
}

func (r *Reader) useTesting(kind string, at Position) {
	switch kind {
	case "tgta":
		r.header.kind = automata.TGTA
	case "ta":
		r.header.kind = automata.TA
	default:
		r.report(at, "header %s %s, expected tgta or ta", testingHeader, kind)
	}
}

// usePropositions keeps each name once. A file with a name that occurs twice is
// not valid, but tools write it, and what it means is clear: both numbers are
// the same proposition.
func (r *Reader) usePropositions(item *propositionsItem, at Position) {
	h := &r.header
	if item.Count != len(item.Names) {
		r.report(at, "AP: announces %d propositions, and %d follow", item.Count, len(item.Names))
	}
	if len(item.Names) > propositionsBound {
		r.report(at, "%d propositions, more than %d", len(item.Names), propositionsBound)
		return
	}
	numbers := make(map[string]int, len(item.Names))
	for _, n := range item.Names {
		name := unquote([]byte(n.Name))
		number, ok := numbers[name]
		if ok {
			r.warn(r.place(n.Pos), "proposition %s occurs twice; both are taken as one", n.Name)
		} else {
			number = len(h.propositions)
			numbers[name] = number
			h.propositions = append(h.propositions, name)
		}
		h.numbers = append(h.numbers, number)
	}
}

// useAcceptance takes the acceptance condition over.
func (r *Reader) useAcceptance(item *acceptanceItem, at Position) {
	if item.Sets > setsBound {
		r.report(at, "%d acceptance sets, more than %d", item.Sets, setsBound)
		return
	}
	r.header.acceptance = automata.Acceptance{Sets: item.Sets, Condition: r.condition(item.Condition, item.Sets)}
}

// finishHeader does what needs all headers.
func (r *Reader) finishHeader() {
	h := &r.header
	for _, s := range h.start {
		if h.states >= 0 && s.state >= h.states {
			r.report(s.at, "initial state %d, but States: announces %d", s.state, h.states)
		}
	}
	if _, ok := h.given["Acceptance:"]; !ok {
		r.report(h.at, "the header Acceptance: is missing")
	} else if len(r.errors) == 0 {
		r.nameAcceptance()
	}
	r.checkProperties()
	r.labels.start(h)
	for _, definition := range h.aliases {
		r.defineAlias(definition)
	}
}

// defineAlias makes an alias of its header; it may use those before it.
func (r *Reader) defineAlias(definition aliasDefinition) {
	name, at := definition.item.Name, definition.at
	r.base = at
	if before, ok := r.labels.byName[name]; ok {
		first := r.labels.aliases[before].at
		r.report(at, "a second definition of alias %s, the first one being at %d:%d", name, first.Line, first.Column)
		return
	}
	if expression, ok := r.postfix(nil, definition.item.Expression); ok {
		r.labels.define(name, at, expression)
	}
}

// postfix appends the postfix form of a label expression; its recursion is
// bounded by nestingBound.
func (r *Reader) postfix(to []instruction, d *labelDisjunction) (_ []instruction, ok bool) {
	for i, c := range d.Operands {
		for j, a := range c.Operands {
			if to, ok = r.postfixAtom(to, a); !ok {
				return nil, false
			}
			if j > 0 {
				to = append(to, instruction{operator: applyAnd})
			}
		}
		if i > 0 {
			to = append(to, instruction{operator: applyOr})
		}
	}
	return to, true
}

func (r *Reader) postfixAtom(to []instruction, a *labelAtom) (_ []instruction, ok bool) {
	at := r.place(a.Pos)
	switch {
	case a.Group != nil:
		if to, ok = r.postfix(to, a.Group); !ok {
			return nil, false
		}
	case a.Constant == "t":
		to = append(to, instruction{operator: pushTrue})
	case a.Constant == "f":
		to = append(to, instruction{operator: pushFalse})
	case a.Proposition != nil:
		if *a.Proposition >= len(r.labels.numbers) {
			r.report(at, "proposition %d, but the automaton has %d", *a.Proposition, len(r.labels.numbers))
			return nil, false
		}
		to = append(to, instruction{pushProposition, int32(*a.Proposition)})
	default:
		i, known := r.labels.byName[a.Alias]
		if !known {
			r.report(at, "unknown alias %s", a.Alias)
			return nil, false
		}
		to = append(to, instruction{pushAlias, i})
	}
	if len(a.Negations)%2 == 1 {
		to = append(to, instruction{operator: applyNot})
	}
	return to, true
}

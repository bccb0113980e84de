package hoa

import (
	"encoding/binary"
	"errors"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"pnmc/internal/lazy"
	"pnmc/internal/longtoken"
)

const (
	// itemTokens bounds the memory for the tokens of one header.
	itemTokens = 1 << 18
	// tokenBytes is what the grammar makes of a token, which is asked for before: nothing
	// ends a parse, which takes some microseconds a token.
	tokenBytes = 700
	// itemsKept is how many headers are remembered, since the automata of a
	// stream have most of them in common; itemTextKept is the longest.
	itemsKept    = 1 << 10
	itemTextKept = 1 << 12
	// itemTokenHead is what stands before each token in the text of a header.
	itemTokenHead = 3 * 4
	// itemCopies is how many copies are made of the text of a header: one for the grammar, one
	// that is kept, and those in a message about it.
	itemCopies = 4
)

// readItem reads a header and its values up to the token after them. It returns
// nil after it reported an error.
//
// Positions within an item are relative to its name, which is at r.base, so that
// an item that was seen before needs no parsing, wherever it stood. For example, a translator writes
// a thousand automata with the same line "Acceptance: 1 Inf(0)". Its tokens are scanned each time,
// and the grammar, which costs far more, is run once. An error in it is placed by r.base.
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
		if nesting > headerNestingBound {
			r.report(r.position, "parentheses nested deeper than %d", headerNestingBound)
			nesting, good = 0, false
		}
		if !r.copied(text, itemTokenHead+len(r.text)) {
			return nil
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

// copied reports whether there is room to add n bytes to a text of several tokens. Otherwise it stops
// the reader.
func (r *Reader) copied(text []byte, n int) bool {
	if n += len(text); n <= cap(text) {
		return true
	}
	if err := r.scanner.room.Copy(n + n/4); err != nil {
		r.stop(err)
		return false
	}
	return true
}

// itemToken is a token of a header; its text is r.itemText[begin:end].
type itemToken struct {
	kind         lexer.TokenType
	line, column int // relative to the item
	begin, end   int
}

// knownItem returns the item of r.itemTokens, parsed unless it is remembered.
func (r *Reader) knownItem() *headerItem {
	if item := r.items[string(r.itemText)]; item != nil {
		return item
	}
	if !r.labels.asked(tokenBytes*len(r.itemTokens) + itemCopies*len(r.itemText)) {
		r.stop(r.labels.full)
		return nil
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
	item, err := headerParser.Get().ParseFromLexer(peeking)
	if err == nil {
		return item
	}
	at, message := tokens[0].Pos, err.Error()
	var syntax participle.Error
	if errors.As(err, &syntax) {
		at, message = syntax.Position(), syntax.Message()
	}
	r.report(r.place(at), "header %s %s", longtoken.Shorten(tokens[0].Value), grammarTerms.Get().Replace(longtoken.Shorten(message)))
	return nil
}

// grammarTerms turns the names of the grammar into those of the format.
var grammarTerms = lazy.Value[*strings.Replacer]{Make: func() *strings.Replacer {
	return strings.NewReplacer(`unexpected token "<EOF>"`, "it ends too early",
		"AcceptanceDisjunction", "an acceptance condition", "AcceptanceConjunction", "an acceptance condition",
		"AcceptanceAtom", "Inf, Fin, t, f or '('", "LabelDisjunction", "a label expression",
		"LabelConjunction", "a label expression", "<integer>", "an integer", "<string>", "a string",
		"<identifier>", "an identifier", "<alias>", "an alias", "(expected LabelAtom)", "(expected a label expression)")
}}

// grammarKind returns the type that the current token has in the grammar.
func (r *Reader) grammarKind() lexer.TokenType {
	switch r.kind {
	case tokenHeader:
		if knownHeaders.Get()[string(r.text)] {
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

// place returns a position in the item at r.base.
func (r *Reader) place(p lexer.Position) Position {
	if p.Line == 0 {
		return Position{r.base.Line, r.base.Column + p.Column}
	}
	return Position{r.base.Line + p.Line, p.Column}
}
